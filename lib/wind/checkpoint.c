/* SPDX-License-Identifier: MIT */
/* Checkpoints of the wind: the whole state as bytes. */
#include "domain/whole.h"
#include "wind/fields.h"
#include "wind/model.h"
#include "wind/rest.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What must agree before the rest of the bytes means anything, and what is not on the device. */
typedef struct checkpoint_head {
    char magic[8];
    uint64_t sum; /* over all bytes, itself as 0 */
    uint64_t parameters;
    int32_t nx, ny, nz, scheme;
    int32_t averaging;
    double center[3]; /* asked for; the box may still be on its way */
    wind_clock clock;
} checkpoint_head;

static const char checkpoint_magic[8] = "foehnW3";

/* Of all parameters that bear on the steps to come. */
static uint64_t hash_parameters(const foehn_wind *w)
{
    const foehn_wind_params *p = &w->params;
    const float reals[] = {p->spacing_horizontal, p->spacing_vertical, p->z0,       p->relaxation,
                           p->noise_amplitude,    p->noise_wavelength, p->max_speed};
    const int32_t wholes[] = {(int32_t)p->scheme, (int32_t)p->sides,    p->sweeps,
                              p->cycles,          (int32_t)p->pressure, (int32_t)p->advection,
                              (int32_t)p->solids};
    uint64_t value = foehn_hash(FOEHN_HASH_BASIS, sizeof reals, reals);
    value = foehn_hash(value, sizeof wholes, wholes);
    value = foehn_hash(value, sizeof p->seed, &p->seed);
    if (p->divergence > 0)
        value = foehn_hash(value, sizeof p->divergence, &p->divergence);
    if (p->obukhov < 0 || p->obukhov > 0)
        value = foehn_hash(value, sizeof p->obukhov, &p->obukhov);
    const int32_t model[] = {(int32_t)p->model, (int32_t)p->closure};
    if (p->model == FOEHN_WIND_LES) {
        value = foehn_hash(value, sizeof p->spin_up, &p->spin_up);
        value = foehn_hash(value, sizeof p->subgrid, &p->subgrid);
        value = foehn_hash(value, sizeof p->inflow, &p->inflow);
    }
    return p->model == FOEHN_WIND_FORCING ? value : foehn_hash(value, sizeof model, model);
}

static uint64_t hash_checkpoint(checkpoint_head head, size_t size, const void *bytes)
{
    head.sum = 0;
    uint64_t value = foehn_hash(FOEHN_HASH_BASIS, sizeof head, &head);
    return foehn_hash(value, size - sizeof head, (const char *)bytes + sizeof head);
}

static const foehn_grid *grid_of(const foehn_wind *w, const wind_field *field)
{
    return field->grid ? field->grid : &w->g;
}

/* Of a field's cells and upper edge faces. */
static size_t field_size(const foehn_wind *w, const wind_field *field)
{
    const foehn_grid *g = grid_of(w, field);
    return (size_t)(g->whole_x + 1) * (size_t)(g->ny + 1) * (size_t)(g->whole_z + 1) *
           sizeof(float);
}

static whole_field with_faces(const wind_field *field)
{
    return (whole_field){field->buffer, sizeof(float), 1, 0, 0};
}

static size_t march_size(const foehn_wind *w)
{
    return w->model->get_march ? sizeof(wind_march) : 0;
}

/* The head; where a steady model is in time; the fields; what has been seen of its rest. */
static size_t checkpoint_size(const foehn_wind *w, bool averaging)
{
    wind_field fields[WIND_FIELDS];
    const int count = foehn_wind_fields(w, fields) - (w->means[0] ? foehn_wind_means(w) : 0);
    size_t size = sizeof(checkpoint_head) + march_size(w) + (w->rest ? foehn_rest_size(w) : 0);
    for (int i = 0; i < count; i++)
        size += field_size(w, &fields[i]);
    const wind_field mean = {.grid = NULL};
    return size + (averaging ? (size_t)foehn_wind_means(w) * field_size(w, &mean) : 0);
}

size_t foehn_wind_get_checkpoint_size(const foehn_wind *w)
{
    return checkpoint_size(w, w->means[0] != NULL);
}

foehn_status foehn_wind_read_checkpoint(foehn_wind *w, size_t size, void *bytes)
{
    const bool holds = foehn_wind_holds(w);
    if (holds && size != foehn_wind_get_checkpoint_size(w))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint takes %zu bytes, not %zu",
                          foehn_wind_get_checkpoint_size(w), size);
    checkpoint_head head;
    char *to = holds ? (char *)bytes + sizeof head : NULL;
    if (w->model->begin)
        TRY(w->model->begin(w));
    if (w->model->get_march) { /* before the rest is looked at: it may begin */
        wind_march march;
        TRY(w->model->get_march(w, &march));
        if (holds)
            memcpy(to, &march, sizeof march);
        to += holds ? sizeof march : 0;
    }
    memset(&head, 0, sizeof head); /* padding, too: same state, same bytes */
    memcpy(head.magic, checkpoint_magic, sizeof head.magic);
    head.parameters = hash_parameters(w);
    head.nx = w->g.whole_x;
    head.ny = w->g.ny;
    head.nz = w->g.whole_z;
    head.scheme = (int32_t)w->params.scheme;
    head.averaging = w->means[0] != NULL;
    memcpy(head.center, w->center, sizeof head.center);
    memcpy(&head.clock, &w->clock, sizeof head.clock);
    wind_field fields[WIND_FIELDS];
    int count = foehn_wind_fields(w, fields);
    for (int i = 0; i < count; i++, to += holds ? field_size(w, &fields[i - 1]) : 0)
        TRY(foehn_whole_read(w->ctx, w->part, grid_of(w, &fields[i]), with_faces(&fields[i]), to));
    if (!holds)
        return FOEHN_OK;
    if (w->rest)
        foehn_rest_save(w, to);
    head.sum = hash_checkpoint(head, size, bytes);
    memcpy(bytes, &head, sizeof head);
    return FOEHN_OK;
}

static foehn_status damaged(const char *what)
{
    return foehn_fail(FOEHN_ERROR_ARGUMENT, "the checkpoint is damaged: %s out of range", what);
}

static bool is_gust(const struct foehn_band *b)
{
    return isfinite(b->position) && isfinite(b->strength) && isfinite(b->speed) && b->width > 0 &&
           isfinite(b->width) && fabs(b->dx) <= 1 && fabs(b->dz) <= 1;
}

/* Could a wind have got there?  Anybody can make a checksum: what bounds a loop or an array, and
 * what kernels are told, is looked at. */
static foehn_status check_head(const checkpoint_head *head)
{
    const wind_clock *c = &head->clock;
    const double most =
        0x1p53; /* whole numbers that a double has, and far from the ends of 64 bits */
    if (!(c->time >= 0 && isfinite(c->time)))
        return damaged("its time is");
    if (!isfinite(c->drift[0]) || !isfinite(c->drift[1]) || !isfinite(c->curl_amplitude))
        return damaged("its noise is");
    const double *at = head->center; /* y NaN: as high as the ground has it */
    const double center[3] = {at[0], isnan(at[1]) ? 0 : at[1], at[2]};
    if (foehn_wind_check_center(center) != FOEHN_OK)
        return damaged("its centre is");
    for (int a = 0; a < 3; a++)
        if (!(fabs((double)c->origin[a]) <= most))
            return damaged("its origin is");
    if (head->averaging < 0 || head->averaging > 1 || c->samples < 0 || c->samples > INT_MAX / 2)
        return damaged("its number of samples is");
    /* A gust's wait is an exponential variate of mean 1 made of 53 bits. */
    if (c->gusts.count < 0 || c->gusts.count > WIND_GUSTS ||
        !(c->gusts.wait >= 0 && c->gusts.wait < 64))
        return damaged("its number of gusts is");
    for (int i = 0; i < c->gusts.count; i++)
        if (!is_gust(&c->gusts.bands[i]))
            return damaged("a gust is");
    return foehn_wind_check_state(&c->state);
}

static foehn_status check_march(const wind_march *march)
{
    if (!(march->dt >= 0 && isfinite(march->dt) && march->time >= 0 && isfinite(march->time)))
        return damaged("its time is");
    return foehn_wind_check_state(&march->state);
}

/* Are these the bytes of such a wind? */
static foehn_status check_bytes(const foehn_wind *w, size_t size, const void *bytes)
{
    checkpoint_head head;
    if (size < sizeof head)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "a checkpoint of %zu bytes is cut short", size);
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, checkpoint_magic, sizeof head.magic) != 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "these bytes are no wind checkpoint of this version");
    if (head.sum != hash_checkpoint(head, size, bytes))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is damaged: its %zu bytes do not give its checksum",
                          size);
    if (head.nx != w->g.whole_x || head.ny != w->g.ny || head.nz != w->g.whole_z ||
        head.scheme != (int32_t)w->params.scheme)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of %d x %d x %d cells (scheme %d), this wind has %d x "
                          "%d x %d (scheme %d)",
                          head.nx, head.ny, head.nz, head.scheme, w->g.whole_x, w->g.ny,
                          w->g.whole_z, (int)w->params.scheme);
    if (head.parameters != hash_parameters(w))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the checkpoint is of a wind with other parameters (spacing, sides, "
                          "sweeps, z0, rates, noise, seed)");
    const size_t whole = checkpoint_size(w, head.averaging != 0);
    if (size != whole)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the checkpoint is damaged: %zu bytes, not %zu",
                          size, whole);
    TRY(check_head(&head));
    wind_march march = {0};
    memcpy(&march, (const char *)bytes + sizeof head, march_size(w));
    TRY(check_march(&march));
    return w->rest ? foehn_rest_check((const char *)bytes + size - foehn_rest_size(w)) : FOEHN_OK;
}

/* All but the fields: small[] is the head, the march and the rest, one after the other. */
static foehn_status take_small(foehn_wind *w, const char *small)
{
    checkpoint_head head;
    wind_march march = {0};
    memcpy(&head, small, sizeof head);
    memcpy(&march, small + sizeof head, march_size(w));
    TRY(foehn_wind_set_averaging(w, head.averaging));
    w->clock = head.clock;
    memcpy(w->center, head.center, sizeof w->center);
    w->ground_is_stale = true;
    if (w->rest)
        foehn_rest_load(w, small + sizeof head + march_size(w));
    return w->model->set_march ? w->model->set_march(w, &march) : FOEHN_OK;
}

/* The same on all parts, out of what part 0 has. */
static foehn_status share_small(foehn_wind *w, size_t size, const char *bytes)
{
    const size_t begin = sizeof(checkpoint_head) + march_size(w),
                 rest = w->rest ? foehn_rest_size(w) : 0;
    char *small = malloc(begin + rest);
    foehn_status status = FOEHN_OK;
    if (!small)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for a checkpoint");
    if (bytes) {
        memcpy(small, bytes, begin);
        memcpy(small + begin, bytes + size - rest, rest);
    }
    if (w->part)
        status = foehn_domain_broadcast(w->part->domain, begin + rest, small);
    if (status == FOEHN_OK)
        status = take_small(w, small);
    free(small);
    return status;
}

foehn_status foehn_wind_write_checkpoint(foehn_wind *w, size_t size, const void *bytes)
{
    const bool holds = foehn_wind_holds(w);
    foehn_status status = holds ? check_bytes(w, size, bytes) : FOEHN_OK;
    TRY(w->part ? foehn_domain_agree(w->part->domain, status) : status);
    TRY(share_small(w, size, holds ? bytes : NULL));
    wind_field fields[WIND_FIELDS];
    int count = foehn_wind_fields(w, fields);
    const char *from = holds ? (const char *)bytes + sizeof(checkpoint_head) + march_size(w) : NULL;
    for (int i = 0; i < count; i++, from += holds ? field_size(w, &fields[i - 1]) : 0)
        TRY(foehn_whole_write(w->ctx, w->part, grid_of(w, &fields[i]), with_faces(&fields[i]),
                              from));
    w->shared = 0;
    if (w->solver)
        foehn_pressure_changed(w->solver);
    for (int i = 0; i < count; i++)
        if (fields[i].wraps)
            TRY(foehn_wind_wrap(w, fields[i].buffer));
    return w->model->take_up ? w->model->take_up(w) : FOEHN_OK;
}

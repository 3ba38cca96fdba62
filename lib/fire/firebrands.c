/* SPDX-License-Identifier: MIT */
/* Firebrands: which break off when, their flight, reading them. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>

#define AIR_DENSITY (FIRE_RHO_T / FIRE_AMBIENT)

foehn_fire_firebrands foehn_fire_firebrands_default(void)
{
    foehn_fire_firebrands brands = {100, {0.002f, 0.008f}, 300, 1.2f, 1e-4f, 65536, 0};
    return brands;
}

static foehn_status check_spec(const foehn_fire_firebrands *b)
{
    const struct {
        const char *name;
        float value, low, high;
    } table[] = {{"rate", b->rate, 1e-6f, 1e9f},
                 {"diameter[0]", b->diameter[0], 1e-6f, 1},
                 {"diameter[1]", b->diameter[1], b->diameter[0], 1},
                 {"density", b->density, 1e-3f, 2000},
                 {"drag", b->drag, 0.1f, 10},
                 {"shrinking", b->shrinking, 0, 1},
                 {"most", (float)b->most, 1, 4194304},
                 {"seed", (float)b->seed, 0, 500}};
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++)
        if (!(table[n].value >= table[n].low && table[n].value <= table[n].high))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "firebrands: %s = %g: %g to %g", table[n].name,
                              (double)table[n].value, (double)table[n].low, (double)table[n].high);
    return FOEHN_OK;
}

void foehn_fire_destroy_brands(foehn_fire *f)
{
    foehn_buffer_destroy(f->ctx, &f->brands.list);
    foehn_buffer_destroy(f->ctx, &f->brands.planes);
}

foehn_status foehn_fire_set_firebrands(foehn_fire *f, const foehn_fire_firebrands *spec)
{
    uint64_t before = f->ctx->memory;
    if (spec && !foehn_fire_burns(f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "firebrands are for fires that burn");
    if (spec)
        TRY(check_spec(spec));
    foehn_fire_destroy_brands(f);
    if (spec) {
        f->brands.spec = *spec;
        f->brands.since = f->clock.time;
        foehn_status status = foehn_buffer_create(
            f->ctx, (size_t)spec->most * FIREBRAND * sizeof(float), &f->brands.list);
        if (status == FOEHN_OK)
            status =
                foehn_buffer_create(f->ctx, (size_t)f->r.nz * sizeof(float), &f->brands.planes);
        if (status != FOEHN_OK) {
            foehn_fire_destroy_brands(f);
            return status;
        }
    }
    f->memory += f->ctx->memory - before;
    return FOEHN_OK;
}

foehn_status foehn_fire_restart_brands(foehn_fire *f)
{
    f->brands.since = 0;
    return f->brands.list ? foehn_buffer_clear(f->ctx, f->brands.list) : FOEHN_OK;
}

/* ---- steps ---- */

/* How many have broken off at a time: a steady rate. */
static size_t count_at(const foehn_fire *f, double time)
{
    if (!f->brands.list)
        return 0;
    double count = floor((double)f->brands.spec.rate * (time - f->brands.since) + 1e-9);
    return (size_t)fmin(fmax(count, 0), f->brands.spec.most);
}

size_t foehn_fire_get_firebrand_count(const foehn_fire *f)
{
    return count_at(f, f->clock.time);
}

static fire_firebrands brands_of(const foehn_fire *f)
{
    const foehn_fire_firebrands *b = &f->brands.spec;
    const double world_up[3] = {0, 1, 0};
    double up[3];
    foehn_matrix_vector(&f->to_box, world_up, up);
    return (fire_firebrands){
        .least = b->diameter[0],
        .largest = b->diameter[1],
        .fall = 4 * b->density / (3 * AIR_DENSITY * b->drag),
        .shrinking = b->shrinking,
        .gravity = FIRE_GRAVITY,
        .up_x = (f32)up[0],
        .up_y = (f32)up[1],
        .up_z = (f32)up[2],
        .seed = b->seed,
    };
}

foehn_status foehn_fire_launch_brands(foehn_fire *f, double dt)
{
    size_t first = count_at(f, f->clock.time), past = count_at(f, f->clock.time + dt);
    const fire_firebrands q = brands_of(f);
    cl_int from = (cl_int)first, count = (cl_int)(past - first);
    if (count == 0)
        return FOEHN_OK;
    TRY(LAUNCH(f->ctx, f->kernel.firebrand_planes, ((foehn_size){(size_t)f->r.nz, 1, 1}), ARG(f->r),
               ARG(f->books), ARG(f->brands.planes)));
    return LAUNCH(f->ctx, f->kernel.firebrand_launch, ((foehn_size){(size_t)count, 1, 1}),
                  ARG(f->g), ARG(f->r), ARG(q), ARG(from), ARG(count), ARG(f->brands.planes),
                  ARG(f->books), ARG(f->burnt), AIR(f, 0), ARG(f->dye[f->dye_now]),
                  ARG(f->brands.list));
}

foehn_status foehn_fire_fly_brands(foehn_fire *f, float dt)
{
    double step = (double)f->params.speed * FIRE_BASE_STEP;
    cl_int count = (cl_int)count_at(f, f->clock.time + step);
    const fire_firebrands q = brands_of(f);
    if (count == 0)
        return FOEHN_OK;
    return LAUNCH(f->ctx, f->kernel.firebrand_fly, ((foehn_size){(size_t)count, 1, 1}), ARG(f->g),
                  ARG(f->r), ARG(q), ARG(dt), ARG(count), ARG(f->sdf), AIR(f, 0),
                  ARG(f->dye[f->dye_now]), ARG(f->brands.list));
}

foehn_status foehn_fire_shift_brands(foehn_fire *f, const double way[3])
{
    cl_int count = (cl_int)count_at(f, f->clock.time);
    cl_float x = (cl_float)way[0], y = (cl_float)way[1], z = (cl_float)way[2];
    if (count == 0)
        return FOEHN_OK;
    return LAUNCH(f->ctx, f->kernel.firebrand_shift, ((foehn_size){(size_t)count, 1, 1}),
                  ARG(count), ARG(x), ARG(y), ARG(z), ARG(f->brands.list));
}

/* ---- reading ---- */

/* From the box's frame, whose origin is its lower corner. */
static void to_world(const foehn_fire *f, const float at[3], bool place, double out[3])
{
    const fire_matrix from_box = foehn_matrix_inverse(&f->to_box);
    const double inside[3] = {(double)at[0], (double)at[1], (double)at[2]};
    if (place)
        foehn_matrix_point(&from_box, inside, out);
    else
        foehn_matrix_vector(&from_box, inside, out);
}

foehn_status foehn_fire_read_firebrands(foehn_fire *f, size_t first, size_t count,
                                        foehn_fire_firebrand *out)
{
    size_t all = foehn_fire_get_firebrand_count(f);
    if (first > all || count > all - first)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "firebrands %zu to %zu: there are %zu", first,
                          first + count, all);
    if (count == 0)
        return FOEHN_OK;
    float *list = malloc(count * FIREBRAND * sizeof *list);
    if (!list)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu firebrands", count);
    foehn_status status =
        foehn_buffer_read(f->ctx, f->brands.list, first * FIREBRAND * sizeof *list,
                          count * FIREBRAND * sizeof *list, list);
    for (size_t n = 0; n < count && status == FOEHN_OK; n++) {
        const float *b = list + n * FIREBRAND;
        double velocity[3];
        out[n] = (foehn_fire_firebrand){
            .state = (foehn_fire_firebrand_state)(int)b[FIREBRAND_STATE],
            .diameter = b[FIREBRAND_DIAMETER],
            .age = b[FIREBRAND_AGE],
        };
        to_world(f, b, true, out[n].position);
        to_world(f, b + FIREBRAND_FROM, true, out[n].from);
        to_world(f, b + 3, false, velocity);
        for (int a = 0; a < 3; a++)
            out[n].velocity[a] = (float)velocity[a];
    }
    free(list);
    return status;
}

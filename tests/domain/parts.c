/* SPDX-License-Identifier: MIT */
/* Runs of a wind by several parts, and what they end with. */
#include "domain/parts.h"

#include <pthread.h>

enum { VOXEL = 4 };

static const foehn_terrain *hill(void)
{
    enum { SAMPLES = 30 };
    static float heights[SAMPLES * SAMPLES];
    static foehn_terrain terrain = {
        .nx = SAMPLES, .nz = SAMPLES, .origin = {-70, -60}, .spacing = {6, 5}, .heights = heights};
    for (int k = 0; k < SAMPLES; k++)
        for (int i = 0; i < SAMPLES; i++) {
            double x = (i - 12) / 6.0, z = (k - 16) / 5.0;
            heights[k * SAMPLES + i] =
                (float)(14 * exp(-x * x - z * z) + 3 * sin(0.7 * i) * cos(0.5 * k));
        }
    return &terrain;
}

/* What a closure or eddies have beside the wind. */
static foehn_status read_turbulence(runner *r, foehn_wind *w, const double points[5][3])
{
    const foehn_wind_params *p = &r->course->params;
    const size_t cells = (size_t)p->nx * (size_t)p->ny * (size_t)p->nz;
    const bool holds = !r->domain || foehn_domain_get_part(r->domain) == 0;
    TRY(foehn_wind_read_turbulence(w, 5, points[0], r->turbulence[0]));
    TRY(foehn_wind_read_stress(w, r->stress));
    r->k = holds ? malloc(cells * sizeof(float)) : NULL;
    TRY(foehn_wind_read(w, FOEHN_WIND_K, r->k));
    if (!r->course->averages)
        return FOEHN_OK;
    r->covariance = holds ? malloc(cells * sizeof(float)) : NULL;
    return foehn_wind_read(w, FOEHN_WIND_COVARIANCE_UW, r->covariance);
}

/* Where the box's centre is asked for in a step of a course that follows. */
static foehn_status follow(const course *c, foehn_wind *w, int step)
{
    const bool last = step + 2 >= c->steps;
    const double way = last ? 0.4 * c->params.nx : 1.3 * step, h = 10, v = 4;
    const double level = c->params.ny / 2 + (step % 3 == 1 ? 1 : 0); /* now and then it rises */
    const double center[3] = {h * way, v * (level + 0.5), -0.6 * h * way};
    return foehn_wind_set_center(w, center);
}

/* The last step, published: into part 0's volume, or each into one of its own. */
static foehn_status step_and_publish(runner *r, foehn_context *ctx, foehn_wind *w)
{
    const int part = r->domain ? foehn_domain_get_part(r->domain) : 0;
    foehn_volume *volume = NULL;
    foehn_wind_info info;
    foehn_domain_block b;
    foehn_wind_get_info(w, &info);
    TRY(foehn_wind_get_block(w, part, &b));
    foehn_status status = FOEHN_OK;
    if (r->course->publishes == BLOCKS)
        status = foehn_volume_create(ctx, b.nx, info.ny, b.nz, &volume);
    else if (part == 0)
        status = foehn_volume_create(ctx, info.nx, info.ny, info.nz, &volume);
    if (status == FOEHN_OK)
        status = foehn_wind_write_volume(w, volume); /* what is there, and then the next step */
    if (status == FOEHN_OK && r->domain)
        status = foehn_wind_step_and_write_volume(w, r->course->dt, volume);
    if (status == FOEHN_OK &&
        !r->domain) { /* in one call, devices may round the last bit otherwise */
        status = foehn_wind_step(w, r->course->dt);
        if (status == FOEHN_OK)
            status = foehn_wind_write_volume(w, volume);
    }
    if (status == FOEHN_OK && volume) {
        foehn_volume_get_info(volume, &r->volume);
        r->halves = malloc((size_t)r->volume.nx * (size_t)r->volume.ny * (size_t)r->volume.nz *
                           VOXEL * sizeof *r->halves);
        status = foehn_volume_read_halves(volume, r->halves);
    }
    foehn_volume_destroy(volume);
    return status;
}

static foehn_status go(runner *r, foehn_context *ctx, foehn_wind **w)
{
    foehn_wind_params p = r->course->params;
    p.domain = r->domain;
    TRY(foehn_wind_create(ctx, &p, w));
    if (r->course->hill)
        TRY(foehn_wind_set_terrain(*w, hill()));
    const bool holds = !r->domain || foehn_domain_get_part(r->domain) == 0;
    if (r->resume_size > 0)
        TRY(foehn_wind_write_checkpoint(*w, r->resume_size, r->resume));
    else if (r->course->averages)
        TRY(foehn_wind_set_averaging(*w, 1));
    if (r->course->solves)
        TRY(foehn_wind_solve(*w, 1e-4, 20, &r->solution));
    for (int n = 0; n < r->course->steps; n++) {
        if (r->course->follows)
            TRY(follow(r->course, *w, n));
        if (r->course->publishes != NOWHERE && n + 1 == r->course->steps)
            TRY(step_and_publish(r, ctx, *w));
        else
            TRY(foehn_wind_step(*w, r->course->dt));
    }
    if (p.model == FOEHN_WIND_MOMENTUM)
        TRY(foehn_wind_get_progress(*w, &r->progress));
    r->size = foehn_wind_get_checkpoint_size(*w);
    r->state = holds ? malloc(r->size) : NULL;
    TRY(foehn_wind_read_checkpoint(*w, r->size, r->state));
    TRY(foehn_wind_read_stats(*w, &r->stats));
    const double points[5][3] = {
        {0, 10, 0}, {-31.7, 2, 14.2}, {33, 25, -40}, {-500, 5, 500}, {2.5, 40, 41}};
    TRY(foehn_wind_read_points(*w, r->course->averages, 5, points[0], r->points[0]));
    TRY(foehn_wind_read_ground(*w, r->ground));
    if (p.model != FOEHN_WIND_FORCING)
        TRY(read_turbulence(r, *w, points));
    const size_t cells = (size_t)p.nx * (size_t)p.ny * (size_t)p.nz;
    r->solid = holds ? malloc(cells * sizeof(float)) : NULL;
    r->divergence = holds ? malloc(cells * sizeof(float)) : NULL;
    TRY(foehn_wind_read(*w, FOEHN_WIND_SOLID, r->solid));
    return foehn_wind_read(*w, FOEHN_WIND_DIVERGENCE, r->divergence);
}

int context_index(void)
{
    static int index = -1;
    if (index < 0)
        OK(foehn_device_choose(NULL, &index, 0, NULL));
    return index;
}

static void *run(void *data)
{
    runner *r = data;
    foehn_context *ctx = NULL;
    foehn_wind *w = NULL;
    foehn_context_params params = foehn_context_params_default();
    char device[16];
    snprintf(device, sizeof device, "%d", context_index());
    params.device = device;
    params.devices = r->domain && !r->course->through_host ? device : NULL;
    r->status = foehn_context_create(&params, &ctx);
    if (r->status == FOEHN_OK)
        r->status = go(r, ctx, &w);
    snprintf(r->story, sizeof r->story, "%s", foehn_last_error());
    if (r->domain && r->status != FOEHN_OK)
        foehn_domain_leave(r->domain);
    foehn_wind_destroy(w);
    foehn_context_destroy(ctx);
    if (r->domain)
        foehn_domain_get_traffic(r->domain, &r->traffic);
    return NULL;
}

void run_parts(runner *r, const course *c, int parts, const void *resume, size_t resume_size)
{
    foehn_domain *domains[MOST] = {NULL};
    pthread_t threads[MOST];
    const int count = parts > 0 ? parts : 1;
    context_index(); /* before there are threads */
    if (parts > 0)
        OK(foehn_domain_create_local(parts, domains));
    for (int n = 0; n < count; n++) {
        memset(&r[n], 0, sizeof r[n]);
        r[n].course = c;
        r[n].domain = domains[n];
        r[n].resume = n == 0 ? resume : NULL;
        r[n].resume_size = resume_size;
        ck_assert_int_eq(pthread_create(&threads[n], NULL, run, &r[n]), 0);
    }
    for (int n = 0; n < count; n++)
        pthread_join(threads[n], NULL);
    for (int n = 0; n < count; n++)
        foehn_domain_destroy(domains[n]);
}

void forget(runner *r)
{
    free(r->state);
    free(r->solid);
    free(r->divergence);
    free(r->k);
    free(r->covariance);
    free(r->halves);
}

/* The voxel of a cell of the world. */
static const uint16_t *voxel_of(const runner *r, const int64_t cell[3])
{
    const foehn_volume_info *v = &r->volume;
    const int n[3] = {v->nx, v->ny, v->nz};
    size_t at[3];
    for (int a = 0; a < 3; a++)
        at[a] = (size_t)((cell[a] % n[a] + n[a]) % n[a]);
    return r->halves + ((at[2] * (size_t)v->ny + at[1]) * (size_t)v->nx + at[0]) * VOXEL;
}

/* The cells of a part's volume are those of one part's. */
static void check_halves_of(const runner *one, const runner *r)
{
    const foehn_volume_info *v = &r->volume;
    int64_t first[3];
    ck_assert(v->step == one->volume.step && v->repeats == 1);
    for (int a = 0; a < 3; a++)
        first[a] = (int64_t)round(v->origin[a] / v->spacing[a]);
    for (int k = 0; k < v->nz; k++)
        for (int j = 0; j < v->ny; j++)
            for (int i = 0; i < v->nx; i++) {
                const int64_t cell[3] = {first[0] + i, first[1] + j, first[2] + k};
                ck_assert_msg(
                    memcmp(voxel_of(one, cell), voxel_of(r, cell), VOXEL * sizeof(uint16_t)) == 0,
                    "the voxel of cell (%d, %d, %d)", i, j, k);
            }
}

void check_same(const runner *one, const runner *r, int parts)
{
    const size_t cells = (size_t)one->course->params.nx * (size_t)one->course->params.ny *
                         (size_t)one->course->params.nz * sizeof(float);
    for (int n = 0; n < parts; n++)
        ck_assert_msg(r[n].status == FOEHN_OK, "part %d of %d: %s", n, parts, r[n].story);
    ck_assert_uint_eq(one->size, r->size);
    size_t first = 0, apart = 0;
    for (size_t i = 0; i < one->size; i++)
        if (((const char *)one->state)[i] != ((const char *)r->state)[i] && apart++ == 0)
            first = i;
    ck_assert_msg(apart == 0, "%d parts: %zu of %zu bytes differ, the first at %zu", parts, apart,
                  one->size, first);
    ck_assert_msg(memcmp(one->solid, r->solid, cells) == 0, "%d parts: solid cells", parts);
    ck_assert_msg(memcmp(one->divergence, r->divergence, cells) == 0, "%d parts: divergence",
                  parts);
    ck_assert_msg(!one->k || memcmp(one->k, r->k, cells) == 0, "%d parts: k", parts);
    ck_assert_msg(!one->covariance || memcmp(one->covariance, r->covariance, cells) == 0,
                  "%d parts: covariance", parts);
    size_t published = 0;
    for (int n = 0; n < parts; n++)
        if (r[n].halves) {
            check_halves_of(one, &r[n]);
            published += (size_t)r[n].volume.nx * (size_t)r[n].volume.nz;
        }
    ck_assert_uint_eq(published, (size_t)one->volume.nx * (size_t)one->volume.nz);
    for (int n = 0; n < parts; n++) {
        ck_assert_msg(memcmp(one->points, r[n].points, sizeof one->points) == 0, "%d parts: points",
                      parts);
        ck_assert_msg(memcmp(one->ground, r[n].ground, sizeof one->ground) == 0, "%d parts: ground",
                      parts);
        ck_assert_msg(memcmp(one->turbulence, r[n].turbulence, sizeof one->turbulence) == 0,
                      "%d parts: turbulence", parts);
        ck_assert_msg(memcmp(one->stress, r[n].stress, sizeof one->stress) == 0, "%d parts: stress",
                      parts);
        ck_assert_msg(memcmp(&one->stats, &r[n].stats, sizeof one->stats) == 0, "%d parts: stats",
                      parts);
        ck_assert_msg(memcmp(&one->solution, &r[n].solution, sizeof one->solution) == 0,
                      "%d parts: solution", parts);
        ck_assert_msg(memcmp(&one->progress, &r[n].progress, sizeof one->progress) == 0,
                      "%d parts: progress", parts);
    }
}

void check_parts(const course *c)
{
    runner one, r[MOST];
    run_parts(&one, c, 0, NULL, 0);
    ck_assert_msg(one.status == FOEHN_OK, "%s", one.story);
    ck_assert(isfinite(one.stats.max_speed) && one.stats.max_speed > 1);
    for (int parts = 1; parts <= MOST; parts++) {
        run_parts(r, c, parts, NULL, 0);
        check_same(&one, r, parts);
        ck_assert_int_eq(parts > 1, r[0].traffic.bytes > 0);
        for (int n = 0; n < parts; n++)
            forget(&r[n]);
    }
    forget(&one);
}

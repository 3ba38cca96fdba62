/* SPDX-License-Identifier: MIT */
/* Burning: what emitters feed, heat and soot, expansion, parts of a step, books of masses. */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PARTS = 64 };
#define STABLE 1.7 /* cells a part of the central transport may cross; four stages bear 2.8 */

static size_t rows_of(const foehn_grid *g)
{
    return (size_t)g->ny * (size_t)g->nz;
}

foehn_status foehn_fire_create_combustion(foehn_fire *f)
{
    size_t air = rows_of(&f->g) * FIRE_HASTE, dye = rows_of(&f->r) * BOOKS;
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    TRY(foehn_field_create(f->ctx, &f->r, BURNT_PLANES * sizeof(float), &f->burnt));
    cl_mem *air_fields[] = {&f->expansion, &f->lack, &f->eddies, &f->viscosity};
    for (int n = 0; n < 4; n++)
        TRY(foehn_field_create(f->ctx, &f->g, sizeof(float), air_fields[n]));
    TRY(foehn_buffer_create(f->ctx, 3 * (size_t)f->g.ny * sizeof(float), &f->levels));
    TRY(foehn_buffer_create(f->ctx, dye * sizeof(float), &f->books));
    TRY(foehn_buffer_create(f->ctx, (size_t)f->r.nz * BOOKS_HEAT * sizeof(float), &f->book_planes));
    TRY(foehn_buffer_create(f->ctx, 3 * sizeof(float), &f->factors));
    TRY(foehn_buffer_create(f->ctx, FIRE_PROXIES * sizeof(cl_int), &f->totals));
    TRY(foehn_buffer_create(f->ctx, air * sizeof(float), &f->haste));
    TRY(foehn_fire_create_blocks(f));
    f->haste_rows = malloc(air * sizeof(float));
    return f->haste_rows ? FOEHN_OK
                         : foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu rows", air);
}

void foehn_fire_destroy_combustion(foehn_fire *f)
{
    cl_mem *all[] = {&f->burnt,  &f->expansion,   &f->lack,    &f->eddies, &f->viscosity,
                     &f->books,  &f->book_planes, &f->factors, &f->totals, &f->haste,
                     &f->levels, &f->touched,     &f->awake};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        foehn_buffer_destroy(f->ctx, all[n]);
    free(f->haste_rows);
}

foehn_status foehn_fire_restart_combustion(foehn_fire *f)
{
    cl_mem all[] = {f->burnt, f->expansion, f->books};
    for (int n = 0; n < 3 && foehn_fire_burns(f); n++)
        TRY(foehn_buffer_clear(f->ctx, all[n]));
    f->masses_are_stale = false;
    return foehn_fire_burns(f) ? foehn_fire_rouse(f) : FOEHN_OK;
}

/* ---- what the kernels are told ---- */

/* Heat that a voxel can release at most, kW/m3 (FDS): thin flame sheets on coarse voxels, volumes
 * on fine. */
float foehn_fire_most_heat(const foehn_fire *f)
{
    const double *h = f->render_spacing;
    return (float)(200 / cbrt(h[0] * h[1] * h[2]) + 2500);
}

/* Rounds of mixing in a step: hot gas between small voxels mixes faster than one explicit round can
 * be stable. */
int foehn_fire_rounds(const foehn_fire *f, float dt)
{
    enum { MOST_ROUNDS = 16 };
    const double hot = 2e-5 * pow(2000 / (double)FIRE_AMBIENT, 1.75), *h = f->render_spacing;
    double least = fmin(h[0], fmin(h[1], h[2]));
    return (int)fmin(fmax(ceil(hot * (double)dt / (0.1 * least * least)), 1), MOST_ROUNDS);
}

static fire_burning burning_of(const foehn_fire *f, float dt)
{
    const foehn_fire_params *p = &f->params;
    const double *h = f->render_spacing, *air = f->spacing;
    return (fire_burning){
        .dt = dt,
        .mixing = dt / (float)foehn_fire_rounds(f, dt),
        .gravity = FIRE_GRAVITY,
        .heat = 1000 * p->fuel.heat,
        .air = p->fuel.air,
        .soot_yield = p->fuel.soot_yield,
        .flame_soot = p->fuel.flame_soot,
        .radiative = p->fuel.radiative,
        .ignition = p->ignition,
        .expansion = p->expansion,
        .flame_length = p->flame_length,
        .width = (f32)cbrt(h[0] * h[1] * h[2]),
        .air_width = (f32)cbrt(air[0] * air[1] * air[2]),
        .most = foehn_fire_most_heat(f),
        .clean = p->active ? 1e-6f : 0,
    };
}

/* ---- parts of a step ---- */

/* What the gas lacks of the air's density, and its viscosity, of the dye and the velocity now. */
static foehn_status thicken(foehn_fire *f)
{
    const double *h = f->spacing;
    cl_float width = (cl_float)cbrt(h[0] * h[1] * h[2]);
    TRY(LAUNCH(f->ctx, f->kernel.lighten, foehn_fire_cells(&f->g), ARG(f->g), ARG(f->r),
               ARG(f->dye[f->dye_now]), ARG(f->lack)));
    return LAUNCH(f->ctx, f->kernel.eddies, foehn_fire_cells(&f->g), ARG(f->g), ARG(width),
                  AIR(f, 0), ARG(f->lack), ARG(f->eddies), ARG(f->viscosity));
}

/* Into how many parts the next step is divided: no air crosses more than `cfl` voxels along all
 * axes together, no gas expands by more than a half in one, none takes in more of a neighbour's
 * momentum than is stable (a candle's; as far as there may be so many).  Waits for the last step.
 */
foehn_status foehn_fire_divide(foehn_fire *f, double dt, int *parts)
{
    size_t rows = rows_of(&f->g);
    bool central = f->params.velocity_transport == FOEHN_FIRE_CENTRAL;
    double cfl = fmin((double)f->params.cfl, central ? STABLE : 20);
    float fastest = 0, largest = 0, thickest = 0;
    *parts = 1;
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    TRY(thicken(f));
    TRY(LAUNCH(f->ctx, f->kernel.haste, ((foehn_size){(size_t)f->g.ny, (size_t)f->g.nz, 1}),
               ARG(f->g), AIR(f, 0), ARG(f->expansion), ARG(f->viscosity), ARG(f->lack),
               ARG(f->haste)));
    TRY(foehn_buffer_read(f->ctx, f->haste, 0, rows * FIRE_HASTE * sizeof(float), f->haste_rows));
    for (size_t n = 0; n < rows; n++) {
        const float *row = f->haste_rows + FIRE_HASTE * n;
        fastest = fmaxf(fastest, row[0]);
        largest = fmaxf(largest, row[1]);
        thickest = fmaxf(thickest, row[2]);
    }
    if (largest == 0) /* nothing burns yet; what begins may burn as fast as it can */
        largest = f->params.expansion * (1 - f->params.fuel.radiative) * foehn_fire_most_heat(f) /
                  FIRE_RHO_CP_T;
    double most = fmax(1.15 * (double)fastest / cfl, (double)largest / 0.5);
    f->too_fast = !(most * dt <= MOST_PARTS);
    most = fmax(most, (double)(thickest / FIRE_MOST_SHARE));
    *parts = f->too_fast ? MOST_PARTS : (int)fmax(ceil(fmin(most * dt, MOST_PARTS)), 1);
    return FOEHN_OK;
}

/* ---- stages ---- */

/* The right side of the pressure: div B - S. */
foehn_status foehn_fire_less(foehn_fire *f, cl_mem divergence)
{
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    return LAUNCH(f->ctx, f->kernel.less, foehn_fire_cells(&f->g), ARG(f->g), ARG(f->expansion),
                  ARG(divergence));
}

foehn_status foehn_fire_expand(foehn_fire *f)
{
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    return LAUNCH(f->ctx, f->kernel.gather, foehn_fire_cells(&f->g), ARG(f->g), ARG(f->r),
                  ARG(f->sdf), ARG(f->burnt), ARG(f->expansion));
}

static foehn_status book(foehn_fire *f, const fire_burning *q, cl_mem dye, cl_int only_weigh)
{
    return LAUNCH(f->ctx, f->kernel.book, ((foehn_size){(size_t)f->r.ny, (size_t)f->r.nz, 1}),
                  ARG(f->r), ARG(only_weigh), ARG(*q), ARG(dye), ARG(f->burnt), ARG(f->books));
}

/* Factors that give the masses back what the transport made of them. */
static foehn_status balance(foehn_fire *f, cl_float dt, cl_mem contents, cl_mem to)
{
    foehn_size rows = {(size_t)f->r.ny, (size_t)f->r.nz, 1};
    cl_int planes = f->r.nz;
    TRY(LAUNCH(f->ctx, f->kernel.weigh_moved, rows, ARG(f->g), ARG(f->r), ARG(dt), AIR(f, 0),
               ARG(contents), ARG(to), ARG(f->burnt), ARG(f->books)));
    TRY(LAUNCH(f->ctx, f->kernel.sum_rows, ((foehn_size){(size_t)f->r.nz, 1, 1}), ARG(f->r),
               ARG(f->books), ARG(f->book_planes)));
    return LAUNCH(f->ctx, f->kernel.balance, ((foehn_size){1, 1, 1}), ARG(planes),
                  ARG(f->book_planes), ARG(f->factors));
}

/* Fuel of all emitters into the voxels that their points reach. */
static foehn_status feed(foehn_fire *f, cl_float dt, cl_mem dye)
{
    const fire_proxies *l = &f->dye_proxies;
    for (int n = 0; n < l->batch_count; n++) {
        const fire_batch *b = &l->batches[n];
        foehn_size size = {(size_t)b->extent[0], (size_t)b->extent[1], (size_t)b->extent[2]};
        TRY(foehn_fire_count(f, &f->r, l, b));
        TRY(foehn_buffer_clear(f->ctx, f->totals));
        TRY(LAUNCH(f->ctx, f->kernel.total, ((foehn_size){size.y, size.z, (size_t)b->count}),
                   ARG(f->g), ARG(f->r), ARG(b->first), ARG(l->buffer), ARG(f->sdf), ARG(f->counts),
                   ARG(f->totals)));
        TRY(LAUNCH(f->ctx, f->kernel.feed, size, ARG(f->g), ARG(f->r), ARG(b->low[0]),
                   ARG(b->low[1]), ARG(b->low[2]), ARG(b->extent[0]), ARG(b->extent[1]),
                   ARG(b->extent[2]), ARG(dt), ARG(b->first), ARG(b->count), ARG(l->buffer),
                   ARG(f->sdf), ARG(f->totals), ARG(f->counts), ARG(dye), ARG(f->burnt)));
    }
    return FOEHN_OK;
}

foehn_status foehn_fire_inertia(foehn_fire *f, const fire_motion *m, double last)
{
    int next = 3 - f->b;
    cl_float ratio = (cl_float)last, lift = m->buoyancy;
    cl_float x = lift * m->up_x, y = lift * m->up_y, z = lift * m->up_z;
    cl_mem q = foehn_pressure_field(f->pressure), carried = f->divergence;
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    TRY(thicken(f));
    TRY(LAUNCH(f->ctx, f->kernel.carry_pressure, foehn_fire_cells(&f->g), ARG(f->g), ARG(m->dt),
               ARG(f->sdf), AIR(f, 0), ARG(q), ARG(carried)));
    TRY(LAUNCH(f->ctx, f->kernel.inertia, foehn_fire_faces(&f->g), ARG(f->g), ARG(m->dt),
               ARG(ratio), ARG(x), ARG(y), ARG(z), ARG(f->viscosity), ARG(f->lack), ARG(carried),
               AIR(f, f->b), AIR(f, next)));
    f->b = next;
    return FOEHN_OK;
}

/* The masses of what the caller wrote. */
foehn_status foehn_fire_weigh(foehn_fire *f)
{
    const fire_burning q = burning_of(f, 1);
    if (!f->masses_are_stale)
        return FOEHN_OK;
    f->masses_are_stale = false;
    return book(f, &q, f->dye[f->dye_now], 1);
}

foehn_status foehn_fire_weigh_shifted(foehn_fire *f)
{
    const fire_burning q = burning_of(f, 1);
    return book(f, &q, f->dye[f->dye_now], 2);
}

foehn_status foehn_fire_burn(foehn_fire *f, float dt, int moved, int contents)
{
    const fire_burning q = burning_of(f, dt);
    TRY(balance(f, dt, f->dye[contents], f->dye[moved]));
    TRY(feed(f, dt, f->dye[moved]));
    for (int n = foehn_fire_rounds(f, dt); n > 1; n--) {
        int from = moved;
        TRY(LAUNCH(f->ctx, f->kernel.mix_round, foehn_fire_cells(&f->r), ARG(f->r), ARG(q),
                   ARG(f->dye[from]), ARG(f->dye[contents]), ARG(f->burnt), ARG(f->awake)));
        moved = contents;
        contents = from;
    }
    TRY(LAUNCH(f->ctx, f->kernel.burn, foehn_fire_cells(&f->r), ARG(f->g), ARG(f->r), ARG(q),
               ARG(f->factors), ARG(f->eddies), ARG(f->dye[moved]), ARG(f->dye[contents]),
               ARG(f->burnt), ARG(f->awake), ARG(f->touched)));
    f->dye_now = contents;
    return book(f, &q, f->dye[contents], 0);
}

/* ---- figures ---- */

static double kept(const float *row, int n)
{
    return (double)row[n] - (double)row[n + 1];
}

foehn_status foehn_fire_measure_burning(foehn_fire *f, foehn_fire_measures *m)
{
    size_t rows = rows_of(&f->r);
    double voxel = f->render_spacing[0] * f->render_spacing[1] * f->render_spacing[2];
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    TRY(foehn_fire_weigh(f));
    float *all = malloc(rows * BOOKS * sizeof *all);
    if (!all)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu rows", rows);
    foehn_status status = foehn_buffer_read(f->ctx, f->books, 0, rows * BOOKS * sizeof *all, all);
    for (size_t n = 0; n < rows && status == FOEHN_OK; n++) {
        const float *row = all + n * BOOKS;
        m->heat_release += voxel * (double)row[BOOKS_HEAT];
        m->expansion_rate += voxel * (double)row[BOOKS_EXPANSION];
        m->fuel_there += voxel * (double)row[BOOKS_FUEL];
        m->soot_there += voxel * (double)row[BOOKS_SOOT];
        m->fuel_emitted += voxel * kept(row, BOOKS_EMITTED);
        m->fuel_burnt += voxel * kept(row, BOOKS_BURNT);
        m->fuel_carried += voxel * kept(row, BOOKS_FUEL_CARRIED);
        m->soot_formed += voxel * kept(row, BOOKS_FORMED);
        m->soot_oxidised += voxel * kept(row, BOOKS_OXIDISED);
        m->soot_carried += voxel * kept(row, BOOKS_SOOT_CARRIED);
        m->volume_made += voxel * kept(row, BOOKS_VOLUME);
    }
    free(all);
    return status;
}

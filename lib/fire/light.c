/* SPDX-License-Identifier: MIT */
/* The light of a fire that burns: blackbodies, what lights smoke and ground, the pass of a picture.
 */
#include "fire/state.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE = 256, SOURCES = 48 };
#define COLDEST 700.0 /* K: as in kernels/fire/blackbody.h */
#define HOTTEST 3000.0
#define SHEET 1750.0f /* K, as in kernels/fire/optics.cl */

/* ---- blackbodies ---- */

/* Colour matching functions of the CIE's 1931 observer (2 degrees), every 10 nm from 380 nm. */
static const double observer[][3] = {
    {0.001368, 0.000039, 0.006450}, {0.004243, 0.000120, 0.020050}, {0.014310, 0.000396, 0.067850},
    {0.043510, 0.001210, 0.207400}, {0.134380, 0.004000, 0.645600}, {0.283900, 0.011600, 1.385600},
    {0.348280, 0.023000, 1.747060}, {0.336200, 0.038000, 1.772110}, {0.290800, 0.060000, 1.669200},
    {0.195360, 0.090980, 1.287640}, {0.095640, 0.139020, 0.812950}, {0.032010, 0.208020, 0.465180},
    {0.004900, 0.323000, 0.272000}, {0.009300, 0.503000, 0.158200}, {0.063270, 0.710000, 0.078250},
    {0.165500, 0.862000, 0.042160}, {0.290400, 0.954000, 0.020300}, {0.433450, 0.994950, 0.008750},
    {0.594500, 0.995000, 0.003900}, {0.762100, 0.952000, 0.002100}, {0.916300, 0.870000, 0.001650},
    {1.026300, 0.757000, 0.001100}, {1.062200, 0.631000, 0.000800}, {1.002600, 0.503000, 0.000340},
    {0.854450, 0.381000, 0.000190}, {0.642400, 0.265000, 0.000050}, {0.447900, 0.175000, 0.000020},
    {0.283500, 0.107000, 0},        {0.164900, 0.061000, 0},        {0.087400, 0.032000, 0},
    {0.046770, 0.017000, 0},        {0.022700, 0.008210, 0},        {0.011359, 0.004102, 0},
    {0.005790, 0.002091, 0},        {0.002899, 0.001047, 0},        {0.001440, 0.000520, 0},
    {0.000690, 0.000249, 0},        {0.000332, 0.000120, 0},        {0.000166, 0.000060, 0},
    {0.000083, 0.000030, 0},        {0.000042, 0.000015, 0}};

/* Planck's law, W/(m2 sr m). */
static double planck(double wavelength, double kelvin)
{
    const double h = 6.62607015e-34, c = 299792458, k = 1.380649e-23;
    double l2 = wavelength * wavelength;
    return 2 * h * c * c / (l2 * l2 * wavelength) / expm1(h * c / (wavelength * k * kelvin));
}

void foehn_blackbody(double kelvin, double rgb[3])
{
    static const double to_rgb[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                        {-0.9692660, 1.8760108, 0.0415560},
                                        {0.0556434, -0.2040259, 1.0572252}};
    double xyz[3] = {0, 0, 0};
    for (size_t n = 0; n < sizeof observer / sizeof observer[0]; n++)
        for (int a = 0; a < 3; a++) /* 683 lm/W; 1e-3 for kcd; 10 nm */
            xyz[a] +=
                683 * 1e-3 * 1e-8 * observer[n][a] * planck((380 + 10 * (double)n) * 1e-9, kelvin);
    for (int a = 0; a < 3; a++) {
        rgb[a] = 0;
        for (int b = 0; b < 3; b++)
            rgb[a] += to_rgb[a][b] * xyz[b];
        rgb[a] = fmax(rgb[a], 0);
    }
}

static foehn_status make_table(foehn_fire *f)
{
    float table[TABLE][4];
    for (int n = 0; n < TABLE; n++) {
        double rgb[3];
        foehn_blackbody(COLDEST + (HOTTEST - COLDEST) * n / (TABLE - 1), rgb);
        table[n][0] = (float)log2(rgb[0]);
        table[n][1] = (float)(rgb[1] / rgb[0]);
        table[n][2] = (float)(rgb[2] / rgb[0]);
        table[n][3] = 0;
    }
    TRY(foehn_buffer_create(f->ctx, sizeof table, &f->light.table));
    return foehn_buffer_write(f->ctx, f->light.table, 0, sizeof table, table);
}

/* ---- buffers ---- */

static size_t count_of(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

foehn_status foehn_fire_create_light(foehn_fire *f)
{
    const int n[3] = {f->r.nx, f->r.ny, f->r.nz}, most[3] = {8, 12, 8};
    if (!foehn_fire_burns(f))
        return FOEHN_OK;
    for (int a = 0; a < 3; a++) {
        f->light.size[a] = (n[a] + 1) / 2;
        f->light.blocks_size[a] = (n[a] + 3) / 4;
        f->light.parts_size[a] = n[a] / 4 < 1 ? 1 : n[a] / 4 > most[a] ? most[a] : n[a] / 4;
    }
    TRY(make_table(f));
    TRY(foehn_field_create(f->ctx, &f->r, 4 * sizeof(float), &f->light.sharp));
    TRY(foehn_field_create(f->ctx, &f->r, 4 * sizeof(float), &f->light.optics));
    TRY(foehn_buffer_create(f->ctx, count_of(f->light.blocks_size), &f->light.blocks));
    TRY(foehn_buffer_create(f->ctx,
                            (size_t)(f->light.parts_size[0] * f->light.parts_size[1]) *
                                (size_t)f->r.nz * FIRE_SLICE * sizeof(float),
                            &f->light.slices));
    TRY(foehn_buffer_create(f->ctx, count_of(f->light.parts_size) * FIRE_PART * sizeof(float),
                            &f->light.parts));
    TRY(foehn_buffer_create(f->ctx, SOURCES * FIRE_PART * sizeof(float), &f->light.sources));
    return foehn_buffer_create(f->ctx, count_of(f->light.size) * 4 * sizeof(float),
                               &f->light.volume);
}

void foehn_fire_destroy_light(foehn_fire *f)
{
    cl_mem *all[] = {&f->light.table,  &f->light.sharp,   &f->light.optics,
                     &f->light.as_dye, &f->light.blocks,  &f->light.slices,
                     &f->light.parts,  &f->light.sources, &f->light.volume};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        foehn_buffer_destroy(f->ctx, all[n]);
}

foehn_status foehn_fire_as_preset(foehn_fire *f, cl_mem *dye)
{
    uint64_t before = f->ctx->memory;
    if (!f->light.as_dye)
        TRY(foehn_field_create(f->ctx, &f->r, 4 * sizeof(float), &f->light.as_dye));
    f->memory += f->ctx->memory - before;
    *dye = f->light.as_dye;
    return LAUNCH(f->ctx, f->kernel.as_preset, foehn_fire_cells(&f->r), ARG(f->r),
                  ARG(f->dye[f->dye_now]), ARG(f->light.as_dye));
}

/* ---- what shines ---- */

static double power_of(const float *part)
{
    return (double)part[0] + (double)part[1] + (double)part[2];
}

static int brighter(const void *a, const void *b)
{
    double x = power_of(a), y = power_of(b);
    return (x < y) - (x > y);
}

/* The brightest parts, which shine for the others, and the middle of the fire.  Waits. */
static foehn_status choose_sources(foehn_fire *f, fire_light *q)
{
    size_t count = count_of(f->light.parts_size);
    double all = 0, kept = 0, middle[3] = {0, 0, 0};
    float *parts = malloc(count * FIRE_PART * sizeof *parts);
    if (!parts)
        return foehn_fail(FOEHN_ERROR_MEMORY, "no host memory for %zu parts of the fire", count);
    foehn_status status =
        foehn_buffer_read(f->ctx, f->light.parts, 0, count * FIRE_PART * sizeof *parts, parts);
    if (status == FOEHN_OK) {
        qsort(parts, count, FIRE_PART * sizeof *parts, brighter);
        for (size_t n = 0; n < count; n++)
            all += power_of(parts + n * FIRE_PART);
        while (q->sources < SOURCES && (size_t)q->sources < count &&
               power_of(parts + q->sources * FIRE_PART) > 1e-3 * all)
            kept += power_of(parts + q->sources++ * FIRE_PART);
        for (int n = 0; n < q->sources; n++)
            for (int a = 0; a < 3; a++) {
                middle[a] +=
                    power_of(parts + n * FIRE_PART) / kept * (double)parts[n * FIRE_PART + 3 + a];
                parts[n * FIRE_PART + a] *= (float)(all / kept);
            }
        for (int a = 0; a < 3; a++)
            q->middle[a] = (f32)middle[a];
        if (q->sources > 0)
            status = foehn_buffer_write(f->ctx, f->light.sources, 0,
                                        (size_t)q->sources * FIRE_PART * sizeof *parts, parts);
    }
    free(parts);
    return status;
}

/* ---- the pass ---- */

static void lay_land(const foehn_fire *f, const foehn_fire_picture *p, fire_light *l)
{
    const double east[3] = {1, 0, 0}, south[3] = {0, 0, 1};
    const foehn_fire_land *land = p->land;
    l->has_ground = 0;
    l->land_x = land->nx;
    l->land_z = land->nz;
    for (int a = 0; a < 2; a++) {
        l->land_from[a] = (f32)(land->from[a] - p->position[2 * a]);
        l->land_per[a] = (f32)(1 / land->spacing[a]);
    }
    l->altitude = (f32)p->position[1];
    foehn_fire_turn(f, east, 1, l->east);
    foehn_fire_turn(f, south, 1, l->south);
}

/* Sun and sky by the sun's elevation; without a floor of the box the ground is the world's y = 0.
 */
static void go_outdoors(const foehn_fire *f, const foehn_fire_picture *p, fire_light *l)
{
    const double up[3] = {0, 1, 0};
    fire_daylight day;
    foehn_fire_daylight((double)p->daylight, p->sun_from, p->ground, &day);
    for (int a = 0; a < 3; a++) {
        l->sun[a] = (f32)day.sun[a];
        l->sky[a] = (f32)day.sky[a];
        l->horizon[a] = (f32)day.horizon[a];
        l->glow[a] = (f32)day.glow[a];
        l->dome[a] = (f32)day.dome[a];
        l->below[a] = (f32)day.below[a];
    }
    foehn_fire_turn(f, day.from, 1, l->sun_from);
    if (f->params.floor)
        return;
    foehn_fire_turn(f, up, 1, l->up);
    l->above = (f32)p->position[1];
    if (p->land && l->has_ground)
        lay_land(f, p, l);
}

static fire_light light_of(const foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q)
{
    const int *n = f->light.size, *b = f->light.blocks_size, *parts = f->light.parts_size;
    double width = 0, least = INFINITY, length = 0, from[3];
    const bool outdoors = !isnan(p->daylight), has_ground = f->params.floor || outdoors;
    for (int a = 0; a < 3; a++) {
        width += f->params.size[a] / parts[a] / 3;
        least = fmin(least, f->params.size[a]);
        length += (double)p->sun_from[a] * (double)p->sun_from[a];
        from[a] = (double)p->sun_from[a];
    }
    fire_light l = {
        .nx = n[0],
        .ny = n[1],
        .nz = n[2],
        .bx = b[0],
        .by = b[1],
        .bz = b[2],
        .px = parts[0],
        .py = parts[1],
        .pz = parts[2],
        .samples = p->samples,
        .only_emission = p->look == FOEHN_FIRE_LOOK_EMISSION,
        .outdoors = outdoors,
        .has_ground = has_ground && p->draw_colliders == 1,
        .has_solids = q->draws_colliders,
        .has_depth = p->depth != NULL,
        .has_backdrop = has_ground && p->draw_colliders == 1,
        .steps = p->detail,
        .albedo = f->params.fuel.albedo,
        .embers = p->embers,
        .grain = p->grain,
        .width = (f32)width,
        .blur = (f32)(0.15 * width * width),
        .unit = (f32)least,
        .shutter = p->shutter,
        .up = {0, 1, 0}, /* the floor of the box */
        .above = q->eye[1],
    };
    for (int a = 0; a < 3; a++) {
        l.sun[a] = p->sun[a];
        l.sky[a] = l.dome[a] = l.below[a] = p->sky[a];
        l.ground[a] = p->ground[a];
        l.solid[a] = p->solid[a];
    }
    foehn_fire_turn(f, from, 1 / sqrt(length), l.sun_from);
    if (outdoors)
        go_outdoors(f, p, &l);
    l.has_sun = l.sun[0] > 0 || l.sun[1] > 0 || l.sun[2] > 0;
    return l;
}

static foehn_size size_of(const int n[3])
{
    return (foehn_size){(size_t)n[0], (size_t)n[1], (size_t)n[2]};
}

foehn_status foehn_fire_see(foehn_fire *f)
{
    /* 5 cd/m2 for a kilowatt of each square metre that one looks through: seen where soot is thin.
     */
    const foehn_fire_fuel *fuel = &f->params.fuel;
    float blue = 0.005f * fuel->blue;
    /* Soot that a kilogram of fuel leaves with its air in a sheet, at its density. */
    float sheet = FIRE_EXTINCTION * fuel->flame_soot / (1 + fuel->air) * FIRE_RHO_T / SHEET;
    TRY(LAUNCH(f->ctx, f->kernel.optics, foehn_fire_cells(&f->r), ARG(f->r), ARG(blue), ARG(sheet),
               ARG(f->dye[f->dye_now]), ARG(f->burnt), ARG(f->light.sharp)));
    return LAUNCH(f->ctx, f->kernel.soften, foehn_fire_cells(&f->r), ARG(f->r), ARG(f->light.sharp),
                  ARG(f->light.optics));
}

foehn_status foehn_fire_look_at(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q)
{
    fire_light l = light_of(f, p, q);
    const int *b = f->light.blocks_size;
    const size_t planes = (size_t)f->r.nz;
    foehn_size pixels = {(size_t)q->width, (size_t)q->height, 1};
    foehn_size group = foehn_fire_pixel_group(f);
    TRY(foehn_fire_see(f));
    TRY(LAUNCH(f->ctx, f->kernel.occupy, size_of(b), ARG(f->r), ARG(b[0]), ARG(b[1]), ARG(b[2]),
               ARG(f->light.optics), ARG(f->light.blocks)));
    TRY(LAUNCH(f->ctx, f->kernel.slices, ((foehn_size){(size_t)l.px, (size_t)l.py, planes}),
               ARG(f->r), ARG(l), ARG(f->light.blocks), ARG(f->light.table), ARG(f->light.optics),
               ARG(f->light.slices)));
    TRY(LAUNCH(f->ctx, f->kernel.parts, size_of(f->light.parts_size), ARG(f->r), ARG(l),
               ARG(f->light.slices), ARG(f->light.parts)));
    TRY(choose_sources(f, &l));
    TRY(LAUNCH(f->ctx, f->kernel.illuminate, size_of(f->light.size), ARG(f->r), ARG(l),
               ARG(f->light.optics), ARG(f->light.sources), ARG(f->light.volume)));
    return LAUNCH_LOCAL(f->ctx, f->kernel.look, pixels, group, ARG(f->g), ARG(f->r), ARG(*q),
                        ARG(l), ARG(f->sdf), ARG(f->light.blocks), ARG(f->light.table),
                        ARG(f->light.optics), ARG(f->light.sources), ARG(f->light.volume),
                        ARG(f->picture.land), AIR(f, 0), ARG(f->picture.depth),
                        ARG(f->picture.pass));
}

foehn_status foehn_fire_follow(foehn_fire *f, const foehn_fire_picture *p, const fire_camera *q)
{
    const fire_light l = light_of(f, p, q);
    foehn_size pixels = {(size_t)q->width, (size_t)q->height, 1};
    return LAUNCH_LOCAL(f->ctx, f->kernel.follow, pixels, foehn_fire_pixel_group(f), ARG(f->g),
                        ARG(f->r), ARG(*q), ARG(l), ARG(f->sdf), ARG(f->light.table),
                        ARG(f->light.optics), ARG(f->picture.land), AIR(f, 0),
                        ARG(f->picture.depth), ARG(f->picture.out));
}

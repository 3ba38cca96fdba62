/* SPDX-License-Identifier: MIT */
/* Where firebrands landed: a table of each, or a map of how many and how much. */
#include "config.h"

#include "file.h"
#include "fire/landings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACROSS = 4096 };

/* ---- a table ---- */

static int write_table(const landing_map *m, const char *path, const char *temporary)
{
    static const char *const states[] = {"none", "flies", "landed", "burnt", "left"};
    const fire_brands *b = m->brands;
    const double *at = m->at, density = (double)m->scene->brands.density;
    FILE *f = fopen(temporary, "w");
    if (!f)
        return fail(STATUS_FAILED, "%s: cannot be written", path);
    fputs("state,easting,northing,altitude,from_easting,from_northing,from_altitude,diameter_m,"
          "mass_kg,age_s\n",
          f);
    for (size_t n = 0; n < b->count; n++) {
        const foehn_fire_firebrand *p = &b->list[n];
        if (p->state == FOEHN_FIRE_BRAND_NONE)
            continue;
        fprintf(f, "%s", states[p->state]);
        for (int k = 0; k < 2; k++) {
            const double *q = k ? p->from : p->position;
            fprintf(f, ",%.3f,%.3f,%.3f", at[0] + q[0], at[1] - q[2], at[2] + q[1]);
        }
        fprintf(f, ",%.6g,%.6g,%.6g\n", (double)p->diameter, fire_brand_mass(p, density),
                (double)p->age);
    }
    bool failed = ferror(f) != 0;
    return fclose(f) != 0 || failed
               ? fail(STATUS_FAILED, "%s: cannot be written: is the disk full?", path)
               : STATUS_OK;
}

/* ---- kinds of files ---- */

typedef struct kind {
    const char *extension, *what, *package; /* package: NULL where it is built in */
    landing_writer *write;
} kind;

static const kind kinds[] = {
    {".csv", "", NULL, write_table},
#ifdef HAVE_GDAL
    {".tif", "", NULL, landings_write_tif},
#else
    {".tif", "GeoTIFF", "libgdal-dev", NULL},
#endif
#ifdef HAVE_NETCDF
    {".nc", "", NULL, landings_write_netcdf},
#else
    {".nc", "NetCDF output", "libnetcdf-dev", NULL},
#endif
#ifdef HAVE_CAIRO
    {".png", "", NULL, landings_write_png},
#else
    {".png", "pictures (PNG)", "libcairo2-dev", NULL},
#endif
};

static const kind *kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(path), m = strlen(kinds[i].extension);
        if (n > m && strcmp(path + n - m, kinds[i].extension) == 0)
            return &kinds[i];
    }
    return NULL;
}

int fire_landings_check(const fire_scene *s, const char *path)
{
    const kind *k = kind_of(path);
    if (!s->has_brands)
        return fail(STATUS_USAGE, "--landings %s: the scene has no firebrands: add firebrands: {}",
                    path);
    if (!k)
        return fail(STATUS_USAGE,
                    "--landings %s: unknown extension: known are .csv, .tif, .nc, .png", path);
    return k->write ? file_check_writable(path)
                    : fail(STATUS_USAGE,
                           "--landings %s: this foehn was built without %s: install %s, then "
                           "configure and make again, or give a .csv",
                           path, k->what, k->package);
}

/* ---- the map ---- */

static bool has_landed(const foehn_fire_firebrand *p)
{
    return p->state == FOEHN_FIRE_BRAND_LANDED;
}

/* Easting and northing of a place in the world, from its origin. */
static void across(const double p[3], double out[2])
{
    out[0] = p[0];
    out[1] = -p[2];
}

/* North up, over the box and over all places where brands landed before it moved on; cells as wide
 * as the air's voxels or wider. */
static int lay_out(const foehn_fire_info *box, landing_map *m)
{
    double low[3], high[3], from[2], to[2];
    fire_box_reach(&box->pose, box->size, low, high);
    from[0] = low[0], from[1] = -high[2];
    to[0] = high[0], to[1] = -low[2];
    for (size_t n = 0; n < m->brands->count; n++) {
        double at[2];
        across(m->brands->list[n].position, at);
        for (int k = 0; k < 2 && has_landed(&m->brands->list[n]); k++) {
            from[k] = fmin(from[k], at[k]);
            to[k] = fmax(to[k], at[k]);
        }
    }
    m->width = fmax(box->physics_spacing[0], fmax(to[0] - from[0], to[1] - from[1]) / MOST_ACROSS);
    m->nx = (int)fmax(ceil((to[0] - from[0]) / m->width - 1e-6), 1);
    m->ny = (int)fmax(ceil((to[1] - from[1]) / m->width - 1e-6), 1);
    for (int k = 0; k < 2; k++)
        m->corner[k] = m->at[k] + from[k];
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    m->landed = calloc(3 * cells, sizeof *m->landed);
    m->mass = m->landed ? m->landed + cells : NULL;
    m->ground = m->landed ? m->landed + 2 * cells : NULL;
    return m->landed ? STATUS_OK : fail_memory();
}

static void count(landing_map *m)
{
    for (size_t n = 0; n < m->brands->count; n++) {
        const foehn_fire_firebrand *p = &m->brands->list[n];
        double at[2];
        if (!has_landed(p))
            continue;
        across(p->position, at);
        int i = (int)floor((m->at[0] + at[0] - m->corner[0]) / m->width);
        int j = (int)floor((m->at[1] + at[1] - m->corner[1]) / m->width);
        i = i < 0 ? 0 : i >= m->nx ? m->nx - 1 : i; /* on the edge */
        j = j < 0 ? 0 : j >= m->ny ? m->ny - 1 : j;
        size_t c = (size_t)j * (size_t)m->nx + (size_t)i;
        m->landed[c] += 1;
        m->mass[c] +=
            (float)(fire_brand_mass(p, (double)m->scene->brands.density) / (m->width * m->width));
    }
}

static void look_at_ground(landing_map *m)
{
    for (int j = 0; j < m->ny && m->scene->ground; j++)
        for (int i = 0; i < m->nx; i++) {
            double x = m->corner[0] - m->at[0] + (i + 0.5) * m->width;
            double z = m->at[1] - m->corner[1] - (j + 0.5) * m->width;
            m->ground[(size_t)j * (size_t)m->nx + (size_t)i] =
                (float)(m->at[2] + fire_ground_height(m->scene->ground, x, z, m->width));
        }
}

int fire_landings_write(const fire_scene *s, const foehn_fire *fire, const fire_wind *wind,
                        const fire_brands *b, const char *path)
{
    const char *temporary;
    double velocity[3];
    foehn_fire_info info;
    landing_map m = {.scene = s, .brands = b};
    foehn_fire_get_info(fire, &info);
    if (s->ground) {
        fire_ground_place(s->ground, m.at);
        m.place = fire_ground_system(s->ground);
    }
    fire_wind_reference(wind, &m.wind_height, velocity);
    across(velocity, m.wind);
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    status = lay_out(&info, &m);
    if (status == STATUS_OK) {
        count(&m);
        look_at_ground(&m);
        status = kind_of(path)->write(&m, path, temporary);
    }
    free(m.landed);
    if (status == STATUS_OK)
        return file_commit(temporary);
    file_discard(temporary);
    return status;
}

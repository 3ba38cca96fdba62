/* SPDX-License-Identifier: MIT */
/* What drives the wind in time: its direction, the noise that drifts with it, gusts. */
#include "wind/state.h"

#include <foehn/profile.h>

#include <math.h>

/* Unit vector that the wind blows towards, for a direction it blows from. */
void foehn_wind_toward(float from, double *dx, double *dz)
{
    double angle = fmod((double)from, 360.0) * (M_PI / 180.0);
    *dx = -sin(angle); /* from the west (270): towards +x */
    *dz = cos(angle);  /* from the north (0): towards +z */
}

/* Corner of the box in lattice units of one octave: cell and fraction. */
static void lattice_place(double x, double wavelength, i32 *cell, f32 *fraction)
{
    double lattice = fmod(x / wavelength, (double)4096);
    double whole = floor(lattice);
    *cell = (i32)whole;
    *fraction = (f32)(lattice - whole);
}

wind_forcing foehn_wind_forcing(const foehn_wind *w, float dt)
{
    const wind_clock *c = &w->clock;
    double origin[3], dx, dz;
    foehn_wind_origin(w, origin);
    foehn_wind_toward(c->state.from, &dx, &dz);
    wind_forcing f = {
        .u10 = c->state.u10,
        .dx = (f32)dx,
        .dz = (f32)dz,
        .z0 = w->params.z0,
        .profile_scale = 1 / foehn_log(FOEHN_REFERENCE_HEIGHT / w->params.z0),
        .gain = (f32)-expm1(-(double)w->params.relaxation * (double)dt),
        .floor_y = (f32)origin[1],
        .curl_amplitude = (f32)c->curl_amplitude,
        .ramp = w->params.noise_wavelength / 8, /* 4 m at the default of 32 m; one cell at least */
    };
    for (int o = 0; o < WIND_OCTAVES; o++) {
        double wavelength = (double)w->params.noise_wavelength / (1 << o);
        f.wavelength[o] = (f32)wavelength;
        lattice_place(origin[0] - c->drift[0], wavelength, &f.cell[o][0], &f.fraction[o][0]);
        lattice_place(origin[1], wavelength, &f.cell[o][1], &f.fraction[o][1]);
        lattice_place(origin[2] - c->drift[1], wavelength, &f.cell[o][2], &f.fraction[o][2]);
        for (int p = 0; p < 3; p++) {
            f.offset_x[o][p] = w->noise_offsets[o][p][0];
            f.offset_y[o][p] = w->noise_offsets[o][p][1];
            f.offset_z[o][p] = w->noise_offsets[o][p][2];
        }
    }
    for (int n = 0; n < c->gusts.count; n++) {
        const struct foehn_band *b = &c->gusts.bands[n];
        f.gust[n] = (wind_gust){
            .position = (f32)(b->position - (origin[0] * b->dx + origin[2] * b->dz)),
            .strength = (f32)b->strength,
            .inverse = (f32)(2 / b->width),
            .dx = (f32)b->dx,
            .dz = (f32)b->dz,
        };
    }
    return f;
}

/* Gusts travel, the noise drifts with the wind, its amplitude follows the state. */
void foehn_wind_advance_clock(foehn_wind *w, double dt)
{
    wind_clock *c = &w->clock;
    double origin[3], dx, dz, u10 = (double)c->state.u10;
    foehn_wind_origin(w, origin);
    foehn_wind_toward(c->state.from, &dx, &dz);
    double width = w->g.whole_x * (double)w->g.hx, depth = w->g.whole_z * (double)w->g.hz;
    double reach = 0.5 * (hypot(width, depth) + FOEHN_GUST_WIDTH); /* a band is half a width deep */
    foehn_gusts_step(&c->gusts, dt, u10, (double)c->state.gustiness, dx, dz,
                     origin[0] + 0.5 * width, origin[2] + 0.5 * depth,
                     reach > FOEHN_GUST_DISTANCE ? reach : FOEHN_GUST_DISTANCE);
    double period = 4096 * (double)w->params.noise_wavelength;
    c->drift[0] = fmod(c->drift[0] + dx * u10 * dt, period);
    c->drift[1] = fmod(c->drift[1] + dz * u10 * dt, period);
    double wanted = (double)w->params.noise_amplitude * (double)c->state.gustiness * u10;
    c->curl_amplitude -= expm1(-(double)w->params.relaxation * dt) * (wanted - c->curl_amplitude);
    c->time += dt;
    c->step++;
}

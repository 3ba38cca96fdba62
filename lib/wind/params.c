/* SPDX-License-Identifier: MIT */
/* Parameters of the wind: defaults, named qualities, ranges. */
#include "wind/state.h"

#include <math.h>
#include <string.h>

void foehn_wind_params_init(foehn_wind_params *params, size_t size)
{
    const foehn_wind_params defaults = {
        .nx = 64,
        .ny = 16,
        .nz = 64,
        .spacing_horizontal = 4,
        .spacing_vertical = 4,
        .center = {0, NAN, 0},
        .scheme = FOEHN_WIND_STAGGERED,
        .sides = FOEHN_WIND_SIDES_OPEN,
        .sweeps = 12,
        .cycles = 1,
        .z0 = 0.03f,
        .relaxation = 0.5f,
        .noise_amplitude = 0.35f,
        .seed = 1,
        .spin_up = 600,
        .subgrid = FOEHN_WIND_MINIMUM_DISSIPATION,
        .state = {.u10 = 10, .from = 270, .gustiness = 0.3f},
    };
    foehn_params_fill(params, size, &defaults, sizeof defaults);
}

foehn_status foehn_wind_params_set_quality(foehn_wind_params *params, const char *quality)
{
    static const struct {
        const char *name;
        int nx, ny, nz, sweeps;
    } qualities[] = {
        {"low", 32, 8, 32, 10},
        {"medium", 48, 12, 48, 10},
        {"high", 64, 16, 64, 12},
        {"ultra", 96, 24, 96, 40},
    };
    for (size_t i = 0; i < sizeof qualities / sizeof qualities[0]; i++)
        if (strcmp(qualities[i].name, quality) == 0) {
            params->nx = qualities[i].nx;
            params->ny = qualities[i].ny;
            params->nz = qualities[i].nz;
            params->sweeps = qualities[i].sweeps;
            return FOEHN_OK;
        }
    return foehn_fail(FOEHN_ERROR_ARGUMENT, "quality \"%s\": use low, medium, high or ultra",
                      quality);
}

foehn_status foehn_wind_check_state(const foehn_wind_state *s)
{
    if (!(s->u10 >= 0 && s->u10 <= 200))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "u10 = %g m/s: 0 to 200", (double)s->u10);
    if (!isfinite(s->from))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "from = %g degrees: must be finite",
                          (double)s->from);
    if (!(s->gustiness >= 0 && s->gustiness <= 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "gustiness = %g: 0 to 1", (double)s->gustiness);
    return FOEHN_OK;
}

/* Origins are counted in cells: places and spacings that such a count holds, and far beyond any
 * ground. */
static const double farthest = 1e12, smallest_cell = 1e-6, largest_cell = 1e9; /* m */

foehn_status foehn_wind_check_center(const double center[3])
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(center[a]) <= farthest))
            return foehn_fail(FOEHN_ERROR_ARGUMENT, "center (%g, %g, %g) m: at most %g m away",
                              center[0], center[1], center[2], farthest);
    return FOEHN_OK;
}

static bool is_cell(float spacing)
{
    return (double)spacing >= smallest_cell && (double)spacing <= largest_cell;
}

static foehn_status check_box(const foehn_wind_params *p)
{
    enum { MOST = 4096 };
    if (p->nx < 1 || p->ny < 1 || p->nz < 1 || p->nx > MOST || p->ny > MOST || p->nz > MOST)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a wind of %d x %d x %d cells: 1 to %d on each axis", p->nx, p->ny, p->nz,
                          MOST);
    if (!is_cell(p->spacing_horizontal) || !is_cell(p->spacing_vertical))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "cells of %g x %g m: both %g to %g m",
                          (double)p->spacing_horizontal, (double)p->spacing_vertical, smallest_cell,
                          largest_cell);
    if (p->sides != FOEHN_WIND_SIDES_OPEN && p->sides != FOEHN_WIND_SIDES_PERIODIC)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "sides %d are unknown", (int)p->sides);
    double on_the_ground[3] = {p->center[0], isnan(p->center[1]) ? 0 : p->center[1], p->center[2]};
    return foehn_wind_check_center(on_the_ground);
}

/* Scheme, advection, solids, and how the pressure is solved. */
static foehn_status check_method(const foehn_wind_params *p)
{
    if (p->scheme != FOEHN_WIND_COLLOCATED && p->scheme != FOEHN_WIND_STAGGERED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "scheme %d is unknown", (int)p->scheme);
    if ((unsigned)p->pressure > FOEHN_WIND_PRESSURE_MGCG)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "pressure method %d is unknown", (int)p->pressure);
    if (p->cycles < 1 || p->cycles > 1000)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d pressure cycles: 1 to 1000", p->cycles);
    if (p->sweeps < 1 || p->sweeps > 10000)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%d pressure sweeps: 1 to 10000", p->sweeps);
    if (!(p->divergence >= 0 && p->divergence <= 1))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "divergence = %g of u10 / spacing: 0 to 1",
                          (double)p->divergence);
    if ((unsigned)p->advection > FOEHN_WIND_MACCORMACK)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "advection %d is unknown", (int)p->advection);
    if (p->advection == FOEHN_WIND_MACCORMACK && p->scheme != FOEHN_WIND_STAGGERED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "MacCormack advection needs the staggered scheme");
    if ((unsigned)p->solids > FOEHN_WIND_SOLIDS_BINARY)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "solids %d are unknown", (int)p->solids);
    return FOEHN_OK;
}

static foehn_status check_model(const foehn_wind_params *p)
{
    const bool les = p->model == FOEHN_WIND_LES, momentum = p->model == FOEHN_WIND_MOMENTUM;
    if ((unsigned)p->model > FOEHN_WIND_LES || (unsigned)p->closure > FOEHN_WIND_K_LENGTH)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "model %d with closure %d is unknown",
                          (int)p->model, (int)p->closure);
    if (les && p->scheme != FOEHN_WIND_STAGGERED)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "the LES needs the staggered scheme");
    if (momentum && (p->scheme != FOEHN_WIND_STAGGERED || p->sides != FOEHN_WIND_SIDES_OPEN))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the momentum model needs the staggered scheme and open sides");
    if ((les || momentum) && (p->nx < 4 || p->ny < 4 || p->nz < 4))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "the %s in %d x %d x %d cells: 4 or more on each "
                          "axis",
                          les ? "LES" : "momentum model", p->nx, p->ny, p->nz);
    if ((unsigned)p->subgrid > FOEHN_WIND_MINIMUM_DISSIPATION)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "subgrid model %d is unknown", (int)p->subgrid);
    if ((unsigned)p->inflow > FOEHN_WIND_INFLOW_NOISE)
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "inflow %d is unknown", (int)p->inflow);
    if (!(p->spin_up >= 0 && p->spin_up <= 1e5f))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "spin_up = %g s: 0 to 100000", (double)p->spin_up);
    return FOEHN_OK;
}

/* What blows: roughness, stability, forcing and its noise. */
static foehn_status check_air(const foehn_wind_params *p)
{
    const bool is_neutral = !(p->obukhov < 0 || p->obukhov > 0);
    if (!(p->z0 > 0 && p->z0 < 10))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "z0 = %g m: more than 0 and less than 10",
                          (double)p->z0);
    if (!(p->relaxation >= 0 && isfinite(p->relaxation)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "relaxation = %g 1/s: must be >= 0",
                          (double)p->relaxation);
    if (!(p->noise_amplitude >= 0 && isfinite(p->noise_amplitude)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "noise_amplitude = %g: must be >= 0",
                          (double)p->noise_amplitude);
    if (!(p->noise_wavelength >= 0 && isfinite(p->noise_wavelength)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "noise_wavelength = %g m: must be >= 0",
                          (double)p->noise_wavelength);
    if (!(p->max_speed >= 0 && isfinite(p->max_speed)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "max_speed = %g m/s: must be >= 0",
                          (double)p->max_speed);
    if (!(fabsf(p->obukhov) >= 5 || is_neutral) || !isfinite(p->obukhov))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "Monin-Obukhov length %g m: 0 (neutral), or 5 and more in size",
                          (double)p->obukhov);
    if (!is_neutral && p->model == FOEHN_WIND_LES)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "a Monin-Obukhov length of %g m: the air of the LES is neutral",
                          (double)p->obukhov);
    return FOEHN_OK;
}

foehn_status foehn_wind_take_params(const foehn_wind_params *given, foehn_wind_params *p)
{
    *p = foehn_wind_params_default();
    TRY(foehn_params_take(p, given, "foehn_wind_params"));
    TRY(check_box(p));
    TRY(check_method(p));
    TRY(check_model(p));
    TRY(check_air(p));
    if (p->noise_wavelength == 0)
        p->noise_wavelength = 8 * p->spacing_horizontal;
    return foehn_wind_check_state(&p->state);
}

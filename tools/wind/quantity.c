/* SPDX-License-Identifier: MIT */
/* The table of quantities, and their values. */
#include "config.h"

#include "wind/quantity.h"

#include <math.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)
#define AIR_DENSITY 1.225 /* kg/m3: the standard atmosphere at sea level (ISO 2533) */

/* ---- values ---- */

static double true_east(const scene *s, const place_value *v)
{
    double east = v->east, north = v->north;
    place_turn(&s->place, v->easting, v->northing, &east, &north);
    return east;
}

static double true_north(const scene *s, const place_value *v)
{
    double east = v->east, north = v->north;
    place_turn(&s->place, v->easting, v->northing, &east, &north);
    return north;
}

static double upward(const scene *s, const place_value *v)
{
    (void)s;
    return v->up;
}

static double grid_east(const scene *s, const place_value *v)
{
    (void)s;
    return v->east;
}

static double grid_north(const scene *s, const place_value *v)
{
    (void)s;
    return v->north;
}

static double speed(const scene *s, const place_value *v)
{
    (void)s;
    return hypot(v->east, v->north);
}

static double direction(const scene *s, const place_value *v)
{
    return place_direction(&s->place, v->easting, v->northing, v->east, v->north);
}

static double inflow_angle(const scene *s, const place_value *v)
{
    (void)s;
    return DEGREES * atan2(v->up, hypot(v->east, v->north));
}

static double intensity(const scene *s, const place_value *v)
{
    (void)s;
    return v->intensity;
}

static double energy(const scene *s, const place_value *v)
{
    (void)s;
    return v->k;
}

static double viscosity(const scene *s, const place_value *v)
{
    (void)s;
    return v->viscosity;
}

static double friction(const scene *s, const place_value *v)
{
    (void)s;
    return v->friction;
}

static double stress(const scene *s, const place_value *v)
{
    (void)s;
    return AIR_DENSITY * v->friction * v->friction;
}

static double stress_east(const scene *s, const place_value *v)
{
    double east = v->stress[0], north = v->stress[1];
    place_turn(&s->place, v->easting, v->northing, &east, &north);
    return AIR_DENSITY * east;
}

static double stress_north(const scene *s, const place_value *v)
{
    double east = v->stress[0], north = v->stress[1];
    place_turn(&s->place, v->easting, v->northing, &east, &north);
    return AIR_DENSITY * north;
}

/* Along the input wind, a quarter of a cell above the ground. */
static double near_ground(const scene *s, const place_value *v)
{
    const double from = s->from_grid / DEGREES;
    return -(v->near_east * sin(from) + v->near_north * cos(from));
}

static double separated(const scene *s, const place_value *v)
{
    return near_ground(s, v) < 0;
}

static double covariance_xx(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[0];
}

static double covariance_yy(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[1];
}

static double covariance_zz(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[2];
}

static double covariance_xy(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[3];
}

static double covariance_xz(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[4];
}

static double covariance_yz(const scene *s, const place_value *v)
{
    (void)s;
    return v->covariances[5];
}

static double resolved_energy(const scene *s, const place_value *v)
{
    (void)s;
    return 0.5 * (v->covariances[0] + v->covariances[1] + v->covariances[2]);
}

/* ---- the table ---- */

const quantity quantities[QUANTITIES] = {
    {"eastward", "eastward_wind", NULL, "eastward_wind", "m s-1", "m/s", "wind towards true east",
     NULL, NULL, "wind towards true east @", NEEDS_NOTHING, false, true_east},
    {"northward", "northward_wind", NULL, "northward_wind", "m s-1", "m/s",
     "wind towards true north", NULL, NULL, "wind towards true north @", NEEDS_NOTHING, false,
     true_north},
    {"upward", "upward_air_velocity", NULL, "upward_air_velocity", "m s-1", "m/s", NULL, NULL, NULL,
     "upward wind @", NEEDS_NOTHING, false, upward},
    {"x-wind", "x_wind", NULL, "x_wind", "m s-1", "m/s", "wind along the grid's x axis", NULL, NULL,
     "wind along the grid's x axis @", NEEDS_PROJECTION, false, grid_east},
    {"y-wind", "y_wind", NULL, "y_wind", "m s-1", "m/s", "wind along the grid's y axis", NULL, NULL,
     "wind along the grid's y axis @", NEEDS_PROJECTION, false, grid_north},
    {"speed", NULL, "wind_speed", "wind_speed", "m s-1", "m/s", "horizontal wind speed",
     "speed of the mean horizontal wind", NULL, "horizontal wind speed @", NEEDS_NOTHING, false,
     speed},
    {"direction", NULL, "wind_from_direction", "wind_from_direction", "degree", "degree",
     "clockwise from true north", NULL, NULL, "wind from direction @, clockwise from true north",
     NEEDS_NOTHING, false, direction},
    {"inflow-angle", NULL, "inflow_angle_at_height", NULL, "degree", "degree",
     "angle of the wind above the horizontal", NULL, NULL,
     "angle of the wind above the horizontal @", NEEDS_NOTHING, false, inflow_angle},
    {"ti", "turbulence_intensity", "turbulence_intensity_at_height", NULL, "1", "1",
     "speed of the turbulence that is put in over the speed",
     "standard deviation of the speed over its mean", "sqrt(2 k / 3) over the speed",
     "turbulence intensity @", NEEDS_NOTHING, false, intensity},
    {"k", "turbulent_kinetic_energy", "turbulent_kinetic_energy_at_height",
     "specific_turbulent_kinetic_energy_of_air", "m2 s-2", "m2/s2", "turbulent kinetic energy",
     NULL, NULL, "turbulent kinetic energy @", NEEDS_CLOSURE, false, energy},
    {"viscosity", "eddy_viscosity", "eddy_viscosity_at_height", "atmosphere_momentum_diffusivity",
     "m2 s-1", "m2/s", "eddy viscosity", NULL, NULL, "eddy viscosity @", NEEDS_CLOSURE, false,
     viscosity},
    {"ustar", NULL, "friction_velocity", NULL, "m s-1", "m/s", "friction velocity of the ground",
     NULL, NULL, "friction velocity of the ground", NEEDS_CLOSURE, true, friction},
    {"stress", NULL, NULL, NULL, "Pa", "Pa", "stress on the ground, for air of 1.225 kg m-3", NULL,
     NULL, "stress on the ground, for air of 1.225 kg/m3", NEEDS_CLOSURE, true, stress},
    {"stress-eastward", NULL, "surface_downward_eastward_stress",
     "surface_downward_eastward_stress", "Pa", "Pa",
     "stress on the ground towards true east, for air of 1.225 kg m-3", NULL, NULL,
     "stress on the ground towards true east, for air of 1.225 kg/m3", NEEDS_CLOSURE, true,
     stress_east},
    {"stress-northward", NULL, "surface_downward_northward_stress",
     "surface_downward_northward_stress", "Pa", "Pa",
     "stress on the ground towards true north, for air of 1.225 kg m-3", NULL, NULL,
     "stress on the ground towards true north, for air of 1.225 kg/m3", NEEDS_CLOSURE, true,
     stress_north},
    {"near-ground", NULL, "along_input_wind_near_ground", NULL, "m s-1", "m/s",
     "wind a quarter of a cell above the ground along the input wind: below 0 it has separated",
     NULL, NULL, "wind a quarter of a cell above the ground along the input wind", NEEDS_CLOSURE,
     true, near_ground},
    {"separated", NULL, NULL, NULL, "1", "1",
     "1 where the air near the ground goes against the input wind", NULL, NULL,
     "1 where the air near the ground goes against the input wind", NEEDS_CLOSURE, true, separated},
    {"cov-xx", "covariance_xx", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind along x", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_xx},
    {"cov-yy", "covariance_yy", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind along y", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_yy},
    {"cov-zz", "covariance_zz", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind upward", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_zz},
    {"cov-xy", "covariance_xy", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind along x and y", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_xy},
    {"cov-xz", "covariance_xz", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind along x and upward", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_xz},
    {"cov-yz", "covariance_yz", NULL, NULL, "m2 s-2", "m2/s2",
     "resolved covariance of the wind along y and upward", NULL, NULL, NULL, NEEDS_EDDIES, false,
     covariance_yz},
    {"k-resolved", "resolved_turbulent_kinetic_energy", NULL, NULL, "m2 s-2", "m2/s2",
     "turbulent kinetic energy of the resolved eddies", NULL, NULL, NULL, NEEDS_EDDIES, false,
     resolved_energy},
};

const quantity *quantity_find(const char *name)
{
    for (int i = 0; i < QUANTITIES; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

void quantity_names(const char *names[QUANTITIES])
{
    for (int i = 0; i < QUANTITIES; i++)
        names[i] = quantities[i].name;
}

bool quantity_is_there(const quantity *q, const scene *s)
{
    const bool eddies = s->les && s->averages;
    switch (q->need) {
    case NEEDS_PROJECTION: return s->place.projected;
    case NEEDS_CLOSURE: return s->momentum || eddies;
    case NEEDS_EDDIES: return eddies;
    default: return true;
    }
}

bool quantity_is_of_means(const quantity *q, const scene *s)
{
    return s->les && (q->need == NEEDS_CLOSURE || q->need == NEEDS_EDDIES);
}

const char *quantity_long_name(const quantity *q, const scene *s, bool mean)
{
    return s->momentum && q->of_closure ? q->of_closure : mean && q->of_mean ? q->of_mean : q->what;
}

void quantity_describe(const quantity *q, const scene *s, size_t size, char *text)
{
    const char *at = strchr(q->band, '@');
    if (at)
        snprintf(text, size, "%.*s%g m above ground%s", (int)(at - q->band), q->band, s->height,
                 at + 1);
    else
        snprintf(text, size, "%s", q->band);
}

static double or_nan(const float *values, size_t i)
{
    return values ? (double)values[i] : NAN;
}

static place_value in_column(const scene *s, size_t column)
{
    return (place_value){
        .easting = s->origin[0] + ((double)(column % (size_t)s->nx) + 0.5) * s->spacing[0],
        .northing = s->origin[1] + ((double)(column / (size_t)s->nx) + 0.5) * s->spacing[1]};
}

double quantity_of_cell(const quantity *q, const scene *s, const field *f, size_t cell)
{
    place_value v = in_column(s, cell % ((size_t)s->nx * (size_t)s->ny));
    v.east = (double)f->east[cell];
    v.north = (double)f->north[cell];
    v.up = (double)f->up[cell];
    v.intensity = (double)f->intensity[cell];
    v.k = or_nan(f->k, cell);
    for (int i = 0; i < 6; i++)
        v.covariances[i] = or_nan(f->covariances[i], cell);
    v.viscosity = or_nan(f->viscosity, cell);
    return q->value(s, &v);
}

double quantity_of_column(const quantity *q, const scene *s, const field *f, size_t column)
{
    place_value v = in_column(s, column);
    v.east = (double)f->east_2d[column];
    v.north = (double)f->north_2d[column];
    v.up = (double)f->up_2d[column];
    v.intensity = (double)f->intensity_2d[column];
    v.k = or_nan(f->k_2d, column);
    v.viscosity = or_nan(f->viscosity_2d, column);
    v.stress[0] = or_nan(f->stress_east, column);
    v.stress[1] = or_nan(f->stress_north, column);
    v.friction = or_nan(f->friction, column);
    v.near_east = or_nan(f->near_east, column);
    v.near_north = or_nan(f->near_north, column);
    return q->value(s, &v);
}

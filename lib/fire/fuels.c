/* SPDX-License-Identifier: MIT */
/* The table of fuels. */
#include "fire/state.h"

/* Heat, soot yield and radiative share after Tewarson's table of the SFPE handbook (3rd edition,
 * 3-4.16), air by stoichiometry; see doc/fire.md.  flame_soot, albedo and blue are for the
 * picture's sake. */
static const struct {
    const char *name;
    foehn_fire_fuel fuel;
} fuels[] = {
    /*                 heat   air   yield  flame   chi_r albedo blue */
    {"methane", {50.0f, 17.2f, 0.000f, 0.010f, 0.15f, 0.25f, 1}},
    {"propane", {46.3f, 15.7f, 0.024f, 0.080f, 0.29f, 0.25f, 0.2f}},
    {"heptane", {44.6f, 15.1f, 0.037f, 0.120f, 0.33f, 0.20f, 0.05f}},
    {"gasoline", {43.7f, 14.7f, 0.038f, 0.140f, 0.33f, 0.20f, 0.05f}},
    {"ethanol", {26.8f, 9.0f, 0.008f, 0.020f, 0.26f, 0.25f, 1}},
    {"methanol", {19.9f, 6.5f, 0.001f, 0.001f, 0.22f, 0.25f, 1}},
    {"wax", {43.0f, 14.7f, 0.000f, 0.100f, 0.20f, 0.25f, 1}},
    {"wood", {14.0f, 5.0f, 0.015f, 0.060f, 0.30f, 0.25f, 0.05f}},
    {"polystyrene", {39.2f, 13.2f, 0.164f, 0.250f, 0.40f, 0.20f, 0}},
    {"smoulder", {14.0f, 5.0f, 0.150f, 0.150f, 0.50f, 0.90f, 0}},
};
enum { FUELS = sizeof fuels / sizeof fuels[0], PROPANE = 1 };

const char *foehn_fire_fuel_get(int index, foehn_fire_fuel *fuel)
{
    if (index < 0 || index >= FUELS)
        return NULL;
    if (fuel)
        *fuel = fuels[index].fuel;
    return fuels[index].name;
}

foehn_fire_fuel foehn_fire_default_fuel(void)
{
    return fuels[PROPANE].fuel;
}

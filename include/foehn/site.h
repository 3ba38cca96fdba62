/* SPDX-License-Identifier: MIT */
/** A wind in its place: box, ground and step over a terrain, by the rules of `foehn wind
 *  --terrain`.
 *
 *  The order of things: spacings, nx, nz and the centre's x and z as you like; foehn_site_get_lid()
 *  and foehn_site_set_levels(); foehn_site_get_samples(), and the heights of the terrain there;
 *  foehn_site_ease(); foehn_wind_create(), foehn_wind_set_terrain().  No device is asked. */
#ifndef FOEHN_SITE_H
#define FOEHN_SITE_H

#include <foehn/wind.h>

#ifdef __cplusplus
extern "C" {
#endif

/** World y of a lid that does not slow the wind over hilltops: four heights of the hill, and at
 *  least 200 m, above the summit.  lowest, summit: of the ground, world y, m. */
FOEHN_API double foehn_site_get_lid(double lowest, double summit);

/** Set ny and center[1]: from the cell that holds the lowest ground up to a lid, world y, m, in
 *  whole cells of spacing_vertical.
 *  FOEHN_ERROR_ARGUMENT: not finite, or not 4 to 4096 layers; params are unchanged. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_site_set_levels(foehn_wind_params *params,
                                                              double lowest, double lid);

/** Samples that such a wind knows its ground by: the middles of its columns; of the momentum model
 *  and the LES, whose cut cells live by them, the corners, one more along x and z.  Sets all but
 *  heights and z0, which are NULL; arrays below are [nz][nx] of these.
 *  FOEHN_ERROR_ARGUMENT: a parameter out of its range. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_site_get_samples(const foehn_wind_params *params,
                                                               foehn_terrain *samples);

/** What flows in at sample (i, k) of a wind from there, degrees clockwise from -Z: a share of what
 *  would at right angles to the side; 0 within the box and where it flows out.  from NaN: 1 all
 *  along the sides.  samples: of foehn_site_get_samples(). */
FOEHN_API double foehn_site_get_inflow(const foehn_terrain *samples, double from, int i, int k);

/** Let values fall to 0 over a band along the sides; the outermost cells have none.
 *
 *  band     width, m; at least two cells are taken
 *  values   in and out
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_site_fade(const foehn_wind_params *params,
                                                        double band, float *values);

/** Bring the ground along the sides to one height, as there is one wind that comes in: the mean
 *  height of the border, or, of the models that know the ground by corners, of where a wind from
 *  there comes in (NaN: of all).  `foehn wind` takes a tenth of the shorter side for the band.
 *
 *  band     as in foehn_site_fade(), m
 *  heights  of the terrain, m; all finite
 *  raised   what is added to the eased ground, m: what stands on it, faded; NULL: nothing
 *  eased    the ground to set; may be `heights`
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_site_ease(const foehn_wind_params *params,
                                                        double from, double band,
                                                        const float *heights, const float *raised,
                                                        float *eased);

/** A step that suits the forcing model and the LES, s: half a cell at 1.5 times the wind, at 10 m,
 *  of 1 m/s and more; two digits. */
FOEHN_API double foehn_site_get_step(double spacing_horizontal, double u10);

#ifdef __cplusplus
}
#endif

#endif

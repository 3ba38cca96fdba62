/* SPDX-License-Identifier: MIT */
/** What is published: a 3-D volume of four half floats a voxel, and where it lies in the world.
 *
 *  Wind: (ux, uy, uz, I), I = turbulence intensity.  It repeats: world voxel (floor(x/hx),
 *  floor(y/hy), floor(z/hz)) is stored at those numbers modulo (nx, ny, nz), so a renderer samples
 *  uvw = world / extent with repeat addressing and linear filtering, whatever the origin is.
 *  Outside [origin, origin + extent) it falls back to the profile.
 *
 *  Fire, (density, temperature, age, tint) or (u, v, w, distance to solids), and layers of the flow
 *  lab, which have one layer of voxels, do not repeat: uvw = (position - origin) / extent, clamped.
 *
 *  gl.h and vulkan.h make textures of it.
 *
 *  A volume has two slots: writing step n + 1 does not touch what a reader of step n still has. */
#ifndef FOEHN_VOLUME_H
#define FOEHN_VOLUME_H

#include <foehn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct foehn_volume foehn_volume;

typedef struct foehn_volume_info {
    int nx, ny, nz;    /**< voxels */
    double origin[3];  /**< lower corner of the box in the world, m */
    double extent[3];  /**< size of the box, m */
    double spacing[3]; /**< size of a voxel, m */
    uint64_t step;     /**< steps that led to this content */
    double time;       /**< simulated seconds that led to this content */
    int repeats;       /**< 1: sampled at world / extent with repeat addressing (wind); 0: at
                            (position - origin) / extent, clamped to the edge */
} foehn_volume_info;

/** The last copy that reached the host without a wait. */
typedef struct foehn_snapshot {
    foehn_volume_info info;
    const uint16_t *halves; /**< [nz][ny][nx][4], wrapped as above; the volume's, until the next
                                 foehn_volume_get_snapshot() or destroy; NULL: none yet */
} foehn_snapshot;

/** Make a volume of nx x ny x nz voxels, 1 to 4096 each.  8 bytes a voxel and slot.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT, FOEHN_ERROR_MEMORY, FOEHN_ERROR_BUILD,
 *           FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_volume_create(foehn_context *ctx, int nx, int ny,
                                                            int nz, foehn_volume **out);

FOEHN_API void foehn_volume_destroy(foehn_volume *volume);

/** What the newest content is; step 0 and extent 0 before the first write. */
FOEHN_API void foehn_volume_get_info(const foehn_volume *volume, foehn_volume_info *info);

/** Read the newest content: [nz][ny][nx][4] halves, wrapped.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_volume_read_halves(foehn_volume *volume,
                                                                 uint16_t *halves);

/** The same as floats: each half converted, exactly.  Waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_volume_read_floats(foehn_volume *volume,
                                                                 float *floats);

/** Copy to the host in the background, at most once in this many seconds of wall-clock time.
 *  seconds  >= 0; negative (the default) never. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_volume_set_snapshots(foehn_volume *volume,
                                                                   double seconds);

/** The newest background copy that has arrived.  Never waits. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_volume_get_snapshot(foehn_volume *volume,
                                                                  foehn_snapshot *snapshot);

/** One half float as a float; exact. */
FOEHN_API float foehn_half_to_float(uint16_t half);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/** Firebrands of a fire that burns (foehn/fire.h): bits of burning char that it lets go where heat
 *  is released and that air carries, drag against weight, until they land, burn out or leave the
 *  box. One way: they take nothing from air and heat nothing.  doc/fire.md has the formulas. */
#ifndef FOEHN_FIREBRANDS_H
#define FOEHN_FIREBRANDS_H

#include <foehn/fire.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many break off, how large, of what. */
typedef struct foehn_fire_firebrands {
    float rate;        /**< that break off, 1/s of the fire's time; > 0; default 100 */
    float diameter[2]; /**< of a ball of their drag over weight, least and largest, evenly spread up
                            to what air lifts where it breaks off, m; > 0 to 1; a disk counts for
                            1.5 times its thickness, a cylinder for 1.18 diameters; default 0.002,
                            0.008 */
    float density;     /**< of the char, kg/m3; > 0 to 2000; default 300 */
    float drag;        /**< coefficient; 0.1 to 10; default 1.2: 5 mm fall with 3.7 m/s */
    float shrinking;   /**< of the diameter as it burns, m/s; >= 0; default 1e-4 */
    int most;          /**< room for so many; 1 to 4194304; none break off beyond; default 65536 */
    int seed;          /**< of places and diameters; 0 to 500; default 0 */
} foehn_fire_firebrands;

FOEHN_API foehn_fire_firebrands foehn_fire_firebrands_default(void);

/** Let firebrands break off from now on, each at rest where heat is released, a voxel as often as
 *  its share of the heat, and where air lifts it; one for which there is no such place falls.  NULL:
 *  none.  Those that there were are gone.
 *
 *  Returns  FOEHN_OK, FOEHN_ERROR_ARGUMENT (also: the preset burns nothing), FOEHN_ERROR_MEMORY,
 *           FOEHN_ERROR_OPENCL */
FOEHN_API FOEHN_MUST_CHECK foehn_status
foehn_fire_set_firebrands(foehn_fire *fire, const foehn_fire_firebrands *firebrands);

typedef enum foehn_fire_firebrand_state {
    FOEHN_FIRE_BRAND_NONE = 0,   /**< nothing burned when its time came */
    FOEHN_FIRE_BRAND_FLIES = 1,  /**< on its way */
    FOEHN_FIRE_BRAND_LANDED = 2, /**< on ground or a collider */
    FOEHN_FIRE_BRAND_BURNT = 3,  /**< burnt out in the air */
    FOEHN_FIRE_BRAND_LEFT = 4    /**< through a side of the box */
} foehn_fire_firebrand_state;

typedef struct foehn_fire_firebrand {
    foehn_fire_firebrand_state state;
    double position[3], from[3]; /**< in the world, now or last, and where it broke off, m */
    float velocity[3];           /**< in the world, m/s */
    float diameter;              /**< m; its mass is that of a ball */
    float age;                   /**< time flown, s */
} foehn_fire_firebrand;

/** How many have broken off. */
FOEHN_API size_t foehn_fire_get_firebrand_count(const foehn_fire *fire);

/** Copy `count` of them out, in the order in which they broke off.  Waits.
 *  FOEHN_ERROR_ARGUMENT: more than there are. */
FOEHN_API FOEHN_MUST_CHECK foehn_status foehn_fire_read_firebrands(foehn_fire *fire, size_t first,
                                                                   size_t count,
                                                                   foehn_fire_firebrand *out);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* The periodic curl noise that stirs the fire.  Launched by lib/fire/fire.c, once. */
#include "fire/structs.h"
#include "fire/simplex.h"

#define BLENDED 0.25f /* share of the period over which noise passes into its own beginning */

/* Where a place is within the period of an axis (noise units), and the weights of the noise there
 * and of that one period before: over the last part of an axis the one fades into the other, and
 * the weights' squares sum to 1. */
typedef struct fading {
    float place, weight[2];
} fading;

FOEHN_INLINE fading fade(float p, float period)
{
    fading f;
    float share = p / period;
    share -= floor(share);
    f.place = share * period;
    float t = M_PI_2_F * smoothstep(1.0f - BLENDED, 1.0f, share);
    f.weight[0] = cos(t);
    f.weight[1] = sin(t);
    return f;
}

/* Simplex noise with a period on each axis. */
FOEHN_INLINE float periodic(const fading f[3], const float period[3], int seed)
{
    float sum = 0.0f;
    for (int n = 0; n < 8; n++) {
        int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        float w = f[0].weight[x] * f[1].weight[y] * f[2].weight[z];
        if (w > 0.0f)
            sum += w * simplex(f[0].place - (float)x * period[0], f[1].place - (float)y * period[1],
                               f[2].place - (float)z * period[2], seed);
    }
    return sum;
}

/* multiplier * curl of three potentials by central differences of 0.1 noise units, not divided by
 * twice that. period: of the box's axes in noise units. */
kernel void curl_noise(float period_x, float period_y, float period_z, float multiplier, int seed,
                       global float *out)
{
    const int n = FIRE_NOISE;
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= n || j >= n || k >= n)
        return;
    const float period[3] = {period_x, period_y, period_z};
    const float scale = 1.0f / (float)n;
    const float p[3] = {(float)i * scale * period_x, (float)j * scale * period_y,
                        (float)k * scale * period_z};
    fading at_p[3];
    for (int a = 0; a < 3; a++)
        at_p[a] = fade(p[a], period[a]);
    /* slope[a][b]: difference of potential b along axis a. */
    float slope[3][3];
    for (int a = 0; a < 3; a++) {
        fading up[3] = {at_p[0], at_p[1], at_p[2]}, down[3] = {at_p[0], at_p[1], at_p[2]};
        up[a] = fade(p[a] + 0.1f, period[a]);
        down[a] = fade(p[a] - 0.1f, period[a]);
        for (int b = 0; b < 3; b++)
            slope[a][b] =
                a == b ? 0.0f
                       : periodic(up, period, 3 * seed + b) - periodic(down, period, 3 * seed + b);
    }
    int c = i + n * (j + n * k), plane = n * n * n;
    out[c] = multiplier * (slope[1][2] - slope[2][1]);
    out[c + plane] = multiplier * (slope[2][0] - slope[0][2]);
    out[c + 2 * plane] = multiplier * (slope[0][1] - slope[1][0]);
}

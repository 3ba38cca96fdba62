/* SPDX-License-Identifier: MIT */
/* The periodic curl noise that stirs the fire.  Launched by lib/fire/fire.c, once. */
#include "fire/structs.h"
#include "fire/simplex.h"

#define BLENDED 0.25f /* share of the period over which noise passes into its own beginning */

/* Simplex noise with a period on each axis (noise units): over the last part of an axis the noise
 * fades into that of one period before, with weights whose squares sum to 1. */
FOEHN_INLINE float periodic(const float p[3], const float period[3], int seed)
{
    float place[3], weight[3][2];
    for (int a = 0; a < 3; a++) {
        float share = p[a] / period[a];
        share -= floor(share);
        place[a] = share * period[a];
        float t = M_PI_2_F * smoothstep(1.0f - BLENDED, 1.0f, share);
        weight[a][0] = cos(t);
        weight[a][1] = sin(t);
    }
    float sum = 0.0f;
    for (int n = 0; n < 8; n++) {
        int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        float w = weight[0][x] * weight[1][y] * weight[2][z];
        if (w > 0.0f)
            sum += w * simplex(place[0] - (float)x * period[0], place[1] - (float)y * period[1],
                               place[2] - (float)z * period[2], seed);
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
    /* slope[a][b]: difference of potential b along axis a. */
    float slope[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            float up[3] = {p[0], p[1], p[2]}, down[3] = {p[0], p[1], p[2]};
            up[a] += 0.1f;
            down[a] -= 0.1f;
            slope[a][b] =
                a == b ? 0.0f
                       : periodic(up, period, 3 * seed + b) - periodic(down, period, 3 * seed + b);
        }
    int c = i + n * (j + n * k), plane = n * n * n;
    out[c] = multiplier * (slope[1][2] - slope[2][1]);
    out[c + plane] = multiplier * (slope[2][0] - slope[0][2]);
    out[c + 2 * plane] = multiplier * (slope[0][1] - slope[1][0]);
}

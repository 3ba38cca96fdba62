/* SPDX-License-Identifier: MIT */
/* Arithmetic on LANES floats at a time, in loops that compilers turn into vectors: no branches,
 * nothing but
 * +, -, *, /, sqrt and bits, so that any processor gives the same bits. */
#ifndef LANES_H
#define LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16 };
#define EACH_LANE for (int l = 0; l < LANES; l++)

/* Wider vectors where the processor has them; without FMA, so that the bits stay. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) &&                              \
    !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define WIDE_LANES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE_LANES
#endif
/* Inlined into each of these. */
#define LANE_INLINE static inline __attribute__((always_inline))

LANE_INLINE float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

LANE_INLINE uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* log2 of a normal x > 0, to 1e-7 of max(1, |log2 x|): the exponent, and 2 atanh(f) / ln 2 of a
 * mantissa m between sqrt(1/2) and sqrt(2), f = (m - 1) / (m + 1). */
LANE_INLINE float lane_log2(float x)
{
    uint32_t bits = bits_of(x);
    int32_t e = (int32_t)(bits - 0x3f3504f3u) >> 23;
    float m = float_of(bits - ((uint32_t)e << 23));
    float f = (m - 1) / (m + 1), s = f * f;
    float series = 2.885390082f +
                   s * (0.961796694f + s * (0.577078016f + s * (0.412198583f + s * 0.320598898f)));
    return (float)e + f * series;
}

/* 2^x, -126 < x < 126, to 2e-7 of it. */
LANE_INLINE float lane_exp2(float x)
{
    float whole = (x + 12582912.0f) - 12582912.0f; /* 1.5 x 2^23: rounds to whole numbers */
    float t = (x - whole) * 0.69314718f;
    float e =
        1 + t * (1 + t * (1 / 2.0f +
                          t * (1 / 6.0f + t * (1 / 24.0f + t * (1 / 120.0f + t * (1 / 720.0f))))));
    return float_of(bits_of(e) + ((uint32_t)(int32_t)whole << 23));
}

/* x^y, x > 0 */
LANE_INLINE float lane_pow(float x, float y)
{
    return lane_exp2(y * lane_log2(x));
}

/* The angle of (x, y), -pi to pi, to 5e-7. */
LANE_INLINE float lane_atan2(float y, float x)
{
    float ax = fabsf(x), ay = fabsf(y);
    float small = ay < ax ? ay : ax, large = ay < ax ? ax : ay;
    float t = small / (large + 1e-38f);
    float folded = (t - 1) / (t + 1); /* atan t = pi/4 + atan((t - 1) / (t + 1)) */
    float base = t > 0.41421356f ? 0.78539816f : 0;
    t = t > 0.41421356f ? folded : t;
    float s = t * t;
    float angle =
        base +
        t * (1 - s * (1 / 3.0f -
                      s * (1 / 5.0f -
                           s * (1 / 7.0f - s * (1 / 9.0f - s * (1 / 11.0f - s * (1 / 13.0f)))))));
    angle = ay > ax ? 1.57079633f - angle : angle;
    angle = x < 0 ? 3.14159265f - angle : angle;
    return y < 0 ? -angle : angle;
}

/* Random numbers: xoshiro128++ (Blackman and Vigna 2021), a generator a lane. */
typedef struct lane_random {
    uint32_t s[4][LANES];
} lane_random;

/* splitmix64, which gives the generators their first states. */
static inline uint64_t lane_split(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A stream of its own for each pair of numbers. */
static inline void lane_seed(lane_random *r, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = lane_split(&state) ^ (stream * UINT64_C(0xd1342543de82ef95));
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 4; i += 2) {
            uint64_t word = lane_split(&state);
            r->s[i][l] = (uint32_t)word | 1; /* never all zeros */
            r->s[i + 1][l] = (uint32_t)(word >> 32);
        }
}

LANE_INLINE void lane_next(lane_random *restrict r, uint32_t *restrict out)
{
    EACH_LANE
    {
        uint32_t s0 = r->s[0][l], s1 = r->s[1][l], s2 = r->s[2][l], s3 = r->s[3][l];
        uint32_t sum = s0 + s3;
        out[l] = ((sum << 7) | (sum >> 25)) + s0;
        uint32_t t = s1 << 9;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = (s3 << 11) | (s3 >> 21);
        r->s[0][l] = s0, r->s[1][l] = s1, r->s[2][l] = s2, r->s[3][l] = s3;
    }
}

/* Real and imaginary parts of complex normal numbers, E|z|^2 = 1 (Box and Muller 1958).  The angle
 * is folded to an eighth of the circle, where the series of sine and cosine are good to 3e-7. */
LANE_INLINE void lane_normal(lane_random *r, float *restrict re, float *restrict im)
{
    uint32_t a[LANES], b[LANES];
    lane_next(r, a);
    lane_next(r, b);
    EACH_LANE
    {
        float u = ((float)(int32_t)(a[l] >> 8) + 0.5f) * (1 / 16777216.0f);
        float radius = sqrtf(-0.69314718f * lane_log2(u));
        int32_t turn = (int32_t)(b[l] >> 8); /* of 2^24 */
        int32_t quarter = (turn + (1 << 21)) >> 22;
        float t = (float)(turn - quarter * (1 << 22)) * (6.28318531f / 16777216.0f), s = t * t;
        float sine = t * (1 - s * (1 / 6.0f - s * (1 / 120.0f - s * (1 / 5040.0f))));
        float cosine = 1 - s * (1 / 2.0f - s * (1 / 24.0f - s * (1 / 720.0f - s * (1 / 40320.0f))));
        float x = quarter & 1 ? sine : cosine, y = quarter & 1 ? cosine : sine;
        x = (quarter + 1) & 2 ? -x : x; /* quarters 1 and 2 */
        y = quarter & 2 ? -y : y;       /* quarters 2 and 3 */
        re[l] = radius * x;
        im[l] = radius * y;
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* The spectral tensor of Mann (1994). */
#include "box/tensor.h"

#define PI 3.14159265358979323846

/* The time that an eddy lives, as shear times time: beta = gamma / k / sqrt(2/3 int_k^inf E), which
 * is gamma k^(-2/3) for small eddies.  Over gamma (1 + k^2)^(1/6) / k it is a polynomial of 1 / (1
 * + k^2), fitted to the integral (2.5e-6). */
LANE_INLINE float lifetime(float k_square, float gamma)
{
    float s = 1 / (1 + k_square);
    float fit = 1.00000079f +
                s * (0.18740721f +
                     s * (0.02771176f +
                          s * (-0.01418529f +
                               s * (0.0386403f +
                                    s * (-0.07395023f + s * (0.06152387f + s * -0.02184012f))))));
    return gamma * fit * lane_pow(1 + k_square, 1 / 6.0f) / sqrtf(k_square);
}

/* An isotropic mode of the wave vector k0 = (k1, k2, k3 + beta k1) has two directions across k0:
 * e1, which is horizontal, and e2.  Shear for a time beta turns them into a and b (Mann's eqs. 3.13
 * to 3.17); the tensor is a a + b b times E(k0) / (4 pi k0^2), E that of von Karman. */
WIDE_LANES
void tensor_at(const float *restrict wave1, const float *restrict wave2,
               const float *restrict wave3, float gamma, float (*restrict out)[LANES])
{
    EACH_LANE
    {
        float k1 = fabsf(wave1[l]) < LEAST_K1 ? LEAST_K1 : wave1[l], k2 = wave2[l], k3 = wave3[l];
        float level = k1 * k1 + k2 * k2, height = sqrtf(level); /* of the horizontal wave vector */
        float k = level + k3 * k3, beta = lifetime(k, gamma);
        float k30 = k3 + beta * k1, k0 = level + k30 * k30; /* squares k and k0 */
        float c1 = beta * k1 * k1 * (k0 - 2 * k30 * k30 + beta * k1 * k30) / (k * level);
        float c2 =
            k2 * k0 / (level * height) * lane_atan2(beta * k1 * height, k0 - k30 * k1 * beta);
        float zeta1 = c1 - k2 / k1 * c2, zeta2 = k2 / k1 * c1 + c2;
        float scale = lane_pow(1 + k0, -17 / 12.0f) * 0.28209479f; /* 1 / sqrt(4 pi) */
        float a = scale * sqrtf(k0) / height;
        float a1 = -a * k2, a2 = a * k1;
        float b1 = scale * (zeta1 * height - k30 * k1 / height);
        float b2 = scale * (zeta2 * height - k30 * k2 / height);
        float b3 = scale * k0 * height / k;
        out[UU][l] = a1 * a1 + b1 * b1;
        out[VV][l] = a2 * a2 + b2 * b2;
        out[WW][l] = b3 * b3;
        out[UV][l] = a1 * a2 + b1 * b2;
        out[UW][l] = b1 * b3;
        out[VW][l] = b2 * b3;
    }
}

/* Polar coordinates: radius on a logarithmic scale around k1 and 1, angle by the midpoint rule,
 * which is exact for what is smooth and periodic. */
void tensor_integral(double k1, double gamma, double y, double z, double out[PAIRS])
{
    enum { RADII = 192, ANGLES = 96 };
    const double low = log(1e-3 * fmin(fabs(k1), 1) + 1e-9), high = log(300 * fmax(fabs(k1), 1));
    const double step = (high - low) / RADII;
    double sum[PAIRS] = {0};
    for (int i = 0; i < RADII; i++) {
        double radius = exp(low + (i + 0.5) * step),
               weight = radius * radius * step * 2 * PI / ANGLES;
        for (int a = 0; a < ANGLES; a += LANES) {
            float a1[LANES], a2[LANES], a3[LANES], value[PAIRS][LANES];
            for (int l = 0; l < LANES; l++) {
                double angle = 2 * PI * (a + l + 0.5) / ANGLES;
                a1[l] = (float)k1;
                a2[l] = (float)(radius * cos(angle));
                a3[l] = (float)(radius * sin(angle));
            }
            tensor_at(a1, a2, a3, (float)gamma, value);
            for (int l = 0; l < LANES; l++) {
                double phase = y == 0 && z == 0 ? 1 : cos((double)a2[l] * y + (double)a3[l] * z);
                for (int p = 0; p < PAIRS; p++)
                    sum[p] += (double)value[p][l] * weight * phase;
            }
        }
    }
    for (int p = 0; p < PAIRS; p++)
        out[p] = sum[p];
}

void tensor_variance(double gamma, double low, double high, double out[PAIRS])
{
    enum { STEPS = 96 };
    double step = log(high / low) / STEPS, sum[PAIRS] = {0};
    for (int i = 0; i < STEPS; i++) {
        double k1 = low * exp((i + 0.5) * step), at[PAIRS];
        tensor_integral(k1, gamma, 0, 0, at);
        for (int p = 0; p < PAIRS; p++)
            sum[p] += 2 * at[p] * k1 * step;
    }
    for (int p = 0; p < PAIRS; p++)
        out[p] = sum[p];
}

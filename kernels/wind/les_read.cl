/* SPDX-License-Identifier: MIT */
/* What is read of the LES, and its means beside those of velocity.  Launched by
 * lib/wind/les_read.c. */
#include "grid.h"
#include "wind/les.h"

/* k of what is not resolved, of which nu = 0.1 D sqrt(k) (Deardorff 1980), D = (hx hy hz)^(1/3):
 * m2/s2; or as a speed, sqrt(2/3 k). */
kernel void unresolved(foehn_grid g, float width, int as_speed, global const float *nu,
                       global float *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    const idx c = at(g, i, j, k);
    const float root = nu[c] / (0.1f * width);
    out[c] = as_speed ? 0.8164966f * root : root * root;
}

/* The mean square of the speed has been taken up for n samples: two thirds of k for the last. */
kernel void average_unresolved(foehn_grid g, float n, global const float *k_field,
                               global float *mean_square)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    const idx c = at(g, i, j, k);
    mean_square[c] += (2.0f / 3.0f) * k_field[c] / n;
}

/* Running mean of the ground's stress under columns, along x, y and z in rows 0, 1, 2. */
kernel void average_stress(les l, float n, global const float *columns, global const float *walls,
                           foehn_grid to, global float *mean)
{
    const momentum m = l.m;
    int i = (int)get_global_id(0), k = (int)get_global_id(1);
    if (i >= m.g.nx || k >= m.g.nz)
        return;
    const idx q = column(m.g, i, k), c = at(to, i, 0, k);
    global const float *x = walls + SAMPLE_X * m.plane, *z = walls + SAMPLE_Z * m.plane;
    const float drag = 0.5f * walls[q + DRAG * m.plane];
    const float along_x = drag * (x[q] + x[q + 1]), along_z = drag * (z[q] + z[q + m.g.sy]);
    const float up =
        along_x * columns[q + SLOPE_X * m.plane] + along_z * columns[q + SLOPE_Z * m.plane];
    mean[c] += (along_x - mean[c]) / n;
    mean[c + to.sy] += (up - mean[c + to.sy]) / n;
    mean[c + 2 * to.sy] += (along_z - mean[c + 2 * to.sy]) / n;
}

/* k of the means: half of what the products' means have more than the square of the mean, and what
 * is not resolved, two thirds of which the mean square of the speed has more than the products.
 * m2/s2. */
kernel void total_energy(foehn_grid g, global const float *u, global const float *v,
                         global const float *w, global const float *uu, global const float *vv,
                         global const float *ww, global const float *mean_square, global float *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (!inside(g, i, j, k))
        return;
    const idx c = at(g, i, j, k);
    const float products = uu[c] + vv[c] + ww[c],
                resolved = products - (u[c] * u[c] + v[c] * v[c] + w[c] * w[c]);
    out[c] = max(0.5f * resolved, 0.0f) + max(1.5f * (mean_square[c] - products), 0.0f);
}

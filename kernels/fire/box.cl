/* SPDX-License-Identifier: MIT */
/* A box that moves by whole cells.  Launched by lib/fire/box.c. */
#include "fire/sample.h"

/* Plane `to_plane` of a field in the box that has gone by (x, y, z) cells: each cell, and `more`
 * faces beyond the last one, takes over what was at its place in the world, bit for bit; what comes
 * in is 0, or the wind's component of that plane number.  Over cells and those faces. */
kernel void shift(foehn_grid g, int x, int y, int z, int more_x, int more_y, int more_z,
                  int from_plane, int to_plane, int component, global const float *wind,
                  global const float *from, global float *to)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    const idx plane = plane_of(g);
    if (i >= g.nx + more_x || j >= g.ny + more_y || k >= g.nz + more_z)
        return;
    int a = i + x, b = j + y, e = k + z;
    bool held =
        a >= 0 && b >= 0 && e >= 0 && a < g.nx + more_x && b < g.ny + more_y && e < g.nz + more_z;
    float value = 0.0f;
    if (held)
        value = from[at(g, a, b, e) + from_plane * plane];
    if (!held && component >= 0)
        value = wind[at(g, i, j, k) + component * plane];
    to[at(g, i, j, k) + to_plane * plane] = value;
}

/* SPDX-License-Identifier: MIT */
/* The costly stages of the flow lab for CPUs, sixteen faces or cells of a row a work-item, without
 * rings.  Launched by lib/flow/step.c instead of their namesakes in flow.cl, which say what they
 * compute. */
#include "flow/sixteen.h"

kernel void advect_back_wide(foehn_grid g, flow_motion m, global const uchar *mask,
                             global const float *u, global const float *v, global const float *of_u,
                             global const float *of_v, global float *hat_u, global float *hat_v,
                             global float *low_u, global float *high_u, global float *low_v,
                             global float *high_v)
{
    int i = 16 * (int)get_global_id(0), j = (int)get_global_id(1), count = g.nx + 1 - i;
    if (count <= 0 || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    float16 dx, dy, low, high;
    trace16_u(g, -m.cells, i, j, u, v, &dx, &dy);
    float16 value = sample_range16(g, of_u, i, j, places_x(g, dx, (float)i + LANES, 0.0f),
                                   places_y(g, dy, (float)j + 0.5f, 0.0f), &low, &high);
    put16(hat_u + c, has_bit(mask + c, FLOW_U_FREE) ? value : get16(of_u + c), count);
    put16(low_u + c, low, count);
    put16(high_u + c, high, count);
    trace16_v(g, -m.cells, i, j, u, v, &dx, &dy);
    value = sample_range16(g, of_v, i, j, places_x(g, dx, (float)i + 0.5f + LANES, 0.0f),
                           places_y(g, dy, (float)j, 0.0f), &low, &high);
    put16(hat_v + c, has_bit(mask + c, FLOW_V_FREE) ? value : get16(of_v + c), count);
    put16(low_v + c, low, count);
    put16(high_v + c, high, count);
}

/* hat + (old - back) / 2 where that stays in the range and the face is free. */
FOEHN_INLINE float16 corrected(float16 old, float16 hat, float16 back, float16 low, float16 high,
                               int16 is_free)
{
    float16 value = hat + 0.5f * (old - back);
    int16 within = (value >= low) & (value <= high);
    value = within ? value : hat;
    return is_free ? value : old;
}

kernel void advect_correct_wide(foehn_grid g, flow_motion m, global const uchar *mask,
                                global const float *u, global const float *v,
                                global const float *of_u, global const float *of_v,
                                global const float *hat_u, global const float *hat_v,
                                global const float *low_u, global const float *high_u,
                                global const float *low_v, global const float *high_v,
                                global float *next_u, global float *next_v)
{
    int i = 16 * (int)get_global_id(0), j = (int)get_global_id(1), count = g.nx + 1 - i;
    if (count <= 0 || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    float16 dx, dy;
    trace16_u(g, m.cells, i, j, u, v, &dx, &dy);
    float16 back = sample16(g, hat_u, i, j, places_x(g, dx, (float)i + LANES, 0.0f),
                            places_y(g, dy, (float)j + 0.5f, 0.0f));
    put16(next_u + c,
          corrected(get16(of_u + c), get16(hat_u + c), back, get16(low_u + c), get16(high_u + c),
                    has_bit(mask + c, FLOW_U_FREE)),
          count);
    trace16_v(g, m.cells, i, j, u, v, &dx, &dy);
    back = sample16(g, hat_v, i, j, places_x(g, dx, (float)i + 0.5f + LANES, 0.0f),
                    places_y(g, dy, (float)j, 0.0f));
    put16(next_v + c,
          corrected(get16(of_v + c), get16(hat_v + c), back, get16(low_v + c), get16(high_v + c),
                    has_bit(mask + c, FLOW_V_FREE)),
          count);
}

/* ---- viscosity ---- */

/* Where nothing but free faces one cell apart is near, all weights are a; the bits of relax16(). */
FOEHN_INLINE float16 relax_plain(foehn_grid g, float a, float omega, global const float *b,
                                 global const float *before, global const float *now)
{
    float diagonal = 1.0f + ((a + a) + (a + a));
    float16 sum =
        (a * get16(now - 1) + a * get16(now + 1)) + (a * get16(now - g.sy) + a * get16(now + g.sy));
    float16 old = get16(before);
    return old + omega * ((get16(b) + sum) / diagonal - old);
}

FOEHN_INLINE float16 weights(float k, global const ushort *link)
{
    return k * convert_float16(*(global const any_ushort16 *)link);
}

FOEHN_INLINE float16 relax16(float omega, global const float *b, float16 old, float16 west,
                             float16 east, float16 south, float16 north, float16 kw, float16 ke,
                             float16 ks, float16 kn)
{
    float16 diagonal = 1.0f + ((kw + ke) + (ks + kn));
    float16 sum = (kw * west + ke * east) + (ks * south + kn * north);
    return old + omega * ((get16(b) + sum) / diagonal - old);
}

/* plain: a byte for each group of sixteen, 1 where relax_plain() holds. */
kernel void viscosity_wide(foehn_grid g, flow_sides s, float a, float omega,
                           global const uchar *plain, global const uchar *mask,
                           global const ushort *link_ux, global const ushort *link_uy,
                           global const ushort *link_vx, global const ushort *link_vy,
                           global const float *b_u, global const float *b_v,
                           global const float *before_u, global const float *before_v,
                           global const float *now_u, global const float *now_v,
                           global float *next_u, global float *next_v)
{
    int group = (int)get_global_id(0), i = 16 * group, j = (int)get_global_id(1);
    int count = g.nx + 1 - i;
    if (count <= 0 || j > g.ny)
        return;
    idx c = at(g, i, j, 0);
    if (plain[j * ((g.nx + 16) / 16) + group]) {
        put16(next_u + c, relax_plain(g, a, omega, b_u + c, before_u + c, now_u + c), 16);
        put16(next_v + c, relax_plain(g, a, omega, b_v + c, before_v + c, now_v + c), 16);
        return;
    }
    float k = a / (float)FLOW_LINK;
    int16 on_x0 = i + convert_int16(LANES) == 0, on_x1 = i + convert_int16(LANES) == g.nx - 1;
    float16 value = relax16(
        omega, b_u + c, get_first(before_u + c, count), get16(now_u + c - 1), get16(now_u + c + 1),
        j == 0 ? (float16)s.y0.along : get16(now_u + c - g.sy),
        j == g.ny - 1 ? (float16)s.y1.along : get16(now_u + c + g.sy), weights(k, link_ux + c),
        weights(k, link_ux + c + 1), weights(k, link_uy + c), weights(k, link_uy + c + g.sy));
    put16(next_u + c, has_bit(mask + c, FLOW_U_FREE) ? value : get16(now_u + c), count);
    value = relax16(omega, b_v + c, get_first(before_v + c, count),
                    on_x0 ? (float16)s.x0.along : get16(now_v + c - 1),
                    on_x1 ? (float16)s.x1.along : get16(now_v + c + 1), get16(now_v + c - g.sy),
                    get16(now_v + c + g.sy), weights(k, link_vx + c), weights(k, link_vx + c + 1),
                    weights(k, link_vy + c), weights(k, link_vy + c + g.sy));
    put16(next_v + c, has_bit(mask + c, FLOW_V_FREE) ? value : get16(now_v + c), count);
}

/* ---- ink ---- */

kernel void ink_back_wide(foehn_grid g, flow_motion m, int plane, global const uchar *mask,
                          global const float *u, global const float *v, global const float *ink,
                          global float *hat, global float *low, global float *high)
{
    int i = 16 * (int)get_global_id(0), j = (int)get_global_id(1), count = g.nx - i;
    if (count <= 0 || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    int16 solid = has_bit(mask + c, FLOW_SOLID);
    float16 dx, dy;
    trace16_c(g, -m.cells, i, j, u, v, &dx, &dy);
    float16 x = places_x(g, dx, (float)i + 0.5f + LANES, 0.0f);
    float16 y = places_y(g, dy, (float)j + 0.5f, 0.0f);
    for (int k = 0; k < FLOW_CHANNELS; k++) {
        float16 least, most, value = sample_range16(g, ink + k * plane, i, j, x, y, &least, &most);
        put16(hat + c + k * plane, solid ? (float16)0.0f : value, count);
        put16(low + c + k * plane, least, count);
        put16(high + c + k * plane, most, count);
    }
}

/* low and next may be the same field. */
kernel void ink_correct_wide(foehn_grid g, flow_motion m, int plane, global const uchar *mask,
                             global const float *u, global const float *v, global const float *ink,
                             global const float *hat, global const float *low,
                             global const float *high, global float *next)
{
    int i = 16 * (int)get_global_id(0), j = (int)get_global_id(1), count = g.nx - i;
    if (count <= 0 || j >= g.ny)
        return;
    idx c = at(g, i, j, 0);
    int16 solid = has_bit(mask + c, FLOW_SOLID);
    float16 dx, dy;
    trace16_c(g, m.cells, i, j, u, v, &dx, &dy);
    float16 x = places_x(g, dx, (float)i + 0.5f + LANES, 0.0f);
    float16 y = places_y(g, dy, (float)j + 0.5f, 0.0f);
    for (int k = 0; k < FLOW_CHANNELS; k++) {
        idx q = c + k * plane;
        float16 back = sample16(g, hat + k * plane, i, j, x, y);
        float16 value = get16(hat + q) + 0.5f * (get16(ink + q) - back);
        value = min(max(value, get_first(low + q, count)), get16(high + q));
        put16(next + q, solid ? (float16)0.0f : value, count);
    }
}

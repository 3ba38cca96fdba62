/* SPDX-License-Identifier: MIT */
/* What a picture of a fire that burns is made of: what voxels send and stop, which blocks have any
 * of it, the parts that light the rest.  Launched by lib/fire/light.c, which says what optics is.
 */
#include "fire/sample.h"
#include "fire/blackbody.h"

/* Flames are sheets that voxels do not resolve, and light grows with the 13th power of temperature:
 * the mean of a voxel is dark where its sheets shine.  A sheet gives off 200 kW/m2 (FDS), is taken
 * as 10 mm thick and 1750 K hot and holds the soot that its fuel leaves in it; a voxel's heat says
 * what share of it is sheet. */
#define SHEET 1750.0f                /* K */
#define SHEET_SHARE (0.01f / 200.0f) /* of a voxel, for a kW/m3 */

/* sheet: what the soot of a sheet stops, 1/m. */
kernel void optics(foehn_grid r, float blue, float sheet, global const float *dye,
                   global const float *burnt, global float4 *out)
{
    CELL_OF(r);
    const idx plane = plane_of(r);
    float temperature = FIRE_AMBIENT + dye[c + plane],
          heat = fmax(burnt[c + BURNT_HEAT * plane], 0.0f);
    float mean = fmax(dye[c], 0.0f) * FIRE_EXTINCTION * FIRE_RHO_T / temperature;
    float sheets = sheet * fmin(heat * SHEET_SHARE, 1.0f), all = mean + sheets, glow = temperature;
    if (sheets > 0.0f) /* so that all B(glow) = mean B(temperature) + sheets B(SHEET) */
        glow = SHEET * powr((mean * powr(temperature / SHEET, 13.0f) + sheets) / all, 1.0f / 13.0f);
    out[c] = (float4)(all, glow, heat * blue, 0.0f);
}

/* Means over 27 voxels, with the weights 1, 2, 1 along each axis, of temperature those of its 4th
 * power.  Flames are a voxel thick and light is steep: without this its trilinear interpolation
 * falls to nothing between two bright voxels, and pictures show stripes as wide as a voxel. */
kernel void soften(foehn_grid r, global const float4 *sharp, global float4 *out)
{
    CELL_OF(r);
    float4 sum = 0.0f;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++) {
            idx row = at(r, 0, min(max(j + y, 0), r.ny - 1), min(max(k + z, 0), r.nz - 1));
            float4 three[3] = {sharp[row + max(i - 1, 0)], sharp[row + i],
                               sharp[row + min(i + 1, r.nx - 1)]};
            for (int x = 0; x < 3; x++) {
                three[x].y *= three[x].y;
                three[x].y *= three[x].y;
            }
            sum += (float)((2 - abs(y)) * (2 - abs(z))) * (three[0] + 2.0f * three[1] + three[2]);
        }
    sum *= 0.015625f;
    sum.y = sqrt(sqrt(sum.y));
    out[c] = sum;
}

/* The same as the preset's dye, for its palette and for views: 10 is white, about 1800 K. */
kernel void as_preset(foehn_grid r, global const float *dye, global float *out)
{
    CELL_OF(r);
    const idx plane = plane_of(r);
    float stops = dye[c] * FIRE_EXTINCTION * FIRE_RHO_T / (FIRE_AMBIENT + dye[c + plane]);
    out[c] = 1.0f - exp(-0.2f * stops);
    out[c + plane] = dye[c + plane] / 150.0f;
    out[c + 2 * plane] = out[c + 3 * plane] = 0.0f;
}

/* 1 for blocks of 4^3 voxels that hold, or touch, anything to see. */
kernel void occupy(foehn_grid r, int nx, int ny, int nz, global const float4 *optics,
                   global uchar *blocks)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= nx || j >= ny || k >= nz)
        return;
    float most = 0.0f;
    for (int z = max(4 * k - 1, 0); z < min(4 * k + 5, r.nz); z++)
        for (int y = max(4 * j - 1, 0); y < min(4 * j + 5, r.ny); y++)
            for (int x = max(4 * i - 1, 0); x < min(4 * i + 5, r.nx); x++) {
                float4 s = optics[at(r, x, y, z)];
                most = fmax(most, fmax(s.x * 200.0f, s.z * 1e3f));
            }
    blocks[i + nx * (j + ny * k)] = most > 1.0f;
}

/* What voxels send, and where from, in voxels, weighted by it. */
typedef struct part_sum {
    float4 sent;
    float place[3], weight, thick;
} part_sum;

FOEHN_INLINE void add_voxel(fire_light q, global const float4 *table, float4 s, int x, int y, int z,
                            part_sum *p)
{
    float4 glow =
        (1.0f - q.albedo) * s.x * blackbody(table, s.y) + s.z * (float4)(0.05f, 0.25f, 1.0f, 0.0f);
    float own = glow.x + glow.y + glow.z;
    p->sent += glow;
    p->weight += own;
    p->thick += own * s.x;
    p->place[0] += own * ((float)x + 0.5f);
    p->place[1] += own * ((float)y + 0.5f);
    p->place[2] += own * ((float)z + 0.5f);
}

/* Sums over the slices of the parts of the fire, a plane of voxels each, of blocks with anything to
 * see: FIRE_SLICE floats each.  Over parts along x and y, and planes. */
kernel void slices(foehn_grid r, fire_light q, global const uchar *blocks,
                   global const float4 *table, global const float4 *optics, global float *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), z = (int)get_global_id(2);
    if (i >= q.px || j >= q.py || z >= r.nz)
        return;
    const int x0 = r.nx * i / q.px, x1 = r.nx * (i + 1) / q.px;
    const int y0 = r.ny * j / q.py, y1 = r.ny * (j + 1) / q.py;
    part_sum p = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    for (int b = y0 / 4; 4 * b < y1; b++)
        for (int a = x0 / 4; 4 * a < x1; a++) {
            if (!blocks[a + q.bx * (b + q.by * (z / 4))])
                continue;
            for (int y = max(y0, 4 * b); y < min(y1, 4 * b + 4); y++)
                for (int x = max(x0, 4 * a); x < min(x1, 4 * a + 4); x++)
                    add_voxel(q, table, optics[at(r, x, y, z)], x, y, z, &p);
        }
    global float *to = out + FIRE_SLICE * (i + q.px * (j + q.py * z));
    vstore3(p.sent.xyz, 0, to);
    for (int n = 0; n < 3; n++)
        to[3 + n] = p.place[n];
    to[6] = p.weight;
    to[7] = p.thick;
}

/* The fire in parts that light smoke and ground: 4 pi times the integral of emission, and the
 * middle of it, m in the box.  Over parts. */
kernel void parts(foehn_grid r, fire_light q, global const float *slices, global float *out)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= q.px || j >= q.py || k >= q.pz)
        return;
    float sum[FIRE_SLICE] = {0.0f};
    for (int z = r.nz * k / q.pz; z < r.nz * (k + 1) / q.pz; z++)
        for (int n = 0; n < FIRE_SLICE; n++)
            sum[n] += slices[FIRE_SLICE * (i + q.px * (j + q.py * z)) + n];
    float scale = sum[6] > 0.0f ? 1.0f / sum[6] : 0.0f;
    float thick = sum[7] * scale * q.width; /* what the part itself stops of it */
    float volume = 12.56637f * r.hx * r.hy * r.hz;
    volume *= thick > 1e-3f ? (1.0f - exp(-thick)) / thick : 1.0f;
    global float *to = out + FIRE_PART * (i + q.px * (j + q.py * k));
    for (int n = 0; n < 3; n++)
        to[n] = volume * sum[n];
    to[3] = sum[3] * scale * r.hx;
    to[4] = sum[4] * scale * r.hy;
    to[5] = sum[5] * scale * r.hz;
}

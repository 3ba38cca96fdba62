/* SPDX-License-Identifier: MIT */
/* The picture of a fire that burns: soot that glows, hides and is lit.  Launched by
 * lib/fire/light.c.
 *
 * Radiance is in kcd/m2, illuminance in klx, both as linear sRGB.  Optics is a padded field of the
 * render grid's voxels: what soot stops (1/m), temperature that it glows with (K), light of the
 * reaction (kcd/m2 a metre).  The light volume has half its resolution, unpadded: what fire
 * scatters in (rgb) and the sun (w), a metre of scattering. */
#include "fire/sample.h"
#include "fire/rays.h"
#include "fire/blackbody.h"
#include "fire/simplex.h"
#include "fire/land.h"

FOEHN_INLINE float4 optics_at(foehn_grid r, global const float4 *optics, float x, float y, float z)
{
    corner t; /* to the sides it is as in the last voxel */
    x = fmin(fmax(x, 0.5f), (float)r.nx - 0.5f);
    y = fmin(fmax(y, 0.5f), (float)r.ny - 0.5f);
    z = fmin(fmax(z, 0.5f), (float)r.nz - 0.5f);
    locate(r, x, y, z, 0.5f, 0.5f, 0.5f, &t);
    global const float4 *p = optics + t.c;
    float4 near = mix(mix(p[0], p[1], t.a), mix(p[r.sy], p[r.sy + 1], t.a), t.b);
    p += r.sz;
    return mix(near, mix(mix(p[0], p[1], t.a), mix(p[r.sy], p[r.sy + 1], t.a), t.b), t.d);
}

/* The light volume at a place in voxels of the dye. */
FOEHN_INLINE float4 light_at(fire_light q, global const float4 *light, float x, float y, float z)
{
    float gx = fmin(fmax(0.5f * x - 0.5f, 0.0f), (float)(q.nx - 1));
    float gy = fmin(fmax(0.5f * y - 0.5f, 0.0f), (float)(q.ny - 1));
    float gz = fmin(fmax(0.5f * z - 0.5f, 0.0f), (float)(q.nz - 1));
    int i = (int)gx, j = (int)gy, k = (int)gz;
    int i1 = min(i + 1, q.nx - 1) - i, j1 = (min(j + 1, q.ny - 1) - j) * q.nx;
    int k1 = (min(k + 1, q.nz - 1) - k) * q.nx * q.ny;
    float a = gx - (float)i, b = gy - (float)j, d = gz - (float)k;
    global const float4 *p = light + i + q.nx * (j + q.ny * k);
    float4 near = mix(mix(p[0], p[i1], a), mix(p[j1], p[j1 + i1], a), b);
    p += k1;
    return mix(near, mix(mix(p[0], p[i1], a), mix(p[j1], p[j1 + i1], a), b), d);
}

/* Depth of soot from a place in voxels towards the sun. */
FOEHN_INLINE float depth_to_sun(foehn_grid r, fire_light q, global const float4 *optics, float x,
                                float y, float z)
{
    float depth = 0.0f, length = 1.5f * fmin(fmin(r.hx, r.hy), r.hz), far = INFINITY;
    float dx = q.sun_from[0] * length * r.per_x, dy = q.sun_from[1] * length * r.per_y;
    float dz = q.sun_from[2] * length * r.per_z;
    far = fmin(far, dx > 0.0f ? ((float)r.nx - x) / dx : dx < 0.0f ? -x / dx : INFINITY);
    far = fmin(far, dy > 0.0f ? ((float)r.ny - y) / dy : dy < 0.0f ? -y / dy : INFINITY);
    far = fmin(far, dz > 0.0f ? ((float)r.nz - z) / dz : dz < 0.0f ? -z / dz : INFINITY);
    float from = 0.0f, part = 1.0f; /* steps of 1.5 voxels, longer and longer */
    for (int n = 0; n < 48 && from < far; n++) {
        float step = fmin(part, far - from), along = from + 0.5f * step;
        depth +=
            step * length * optics_at(r, optics, x + along * dx, y + along * dy, z + along * dz).x;
        from += step;
        part *= 1.05f;
    }
    return depth;
}

/* Single scattering and three octaves of more (Wrenninge 2013): half the depth, half the strength
 * each. */
FOEHN_INLINE float octaves(float depth)
{
    return exp(-depth) + 0.5f * exp(-0.5f * depth) + 0.25f * exp(-0.25f * depth) +
           0.125f * exp(-0.125f * depth);
}

/* Sunlight and firelight that a metre of scattering soot sends anywhere.  Over the light volume. */
kernel void illuminate(foehn_grid r, fire_light q, global const float4 *optics,
                       global const float *sources, global float4 *light)
{
    int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
    if (i >= q.nx || j >= q.ny || k >= q.nz)
        return;
    float x = 2.0f * (float)i + 1.0f, y = 2.0f * (float)j + 1.0f, z = 2.0f * (float)k + 1.0f;
    float4 sum = 0.0f;
    if (q.has_sun)
        sum.w = octaves(depth_to_sun(r, q, optics, x, y, z)) * 0.0795775f;
    for (int n = 0; n < q.sources; n++) {
        global const float *p = sources + FIRE_PART * n;
        float dx = p[3] - x * r.hx, dy = p[4] - y * r.hy, dz = p[5] - z * r.hz;
        float fall = 0.0795775f * 0.0795775f / (dx * dx + dy * dy + dz * dz + q.blur);
        sum.x += fall * p[0];
        sum.y += fall * p[1];
        sum.z += fall * p[2];
    }
    light[i + q.nx * (j + q.ny * k)] = sum;
}

/* ---- sky ---- */

FOEHN_INLINE float4 colour_of(const float c[3])
{
    return (float4)(c[0], c[1], c[2], 0.0f);
}

/* Radiance of the sky along a direction of length 1: from overhead to the horizon as the CIE's
 * clear sky grades (S 011, type 12: 1 - exp(-0.32 / sin elevation)), and more around the sun. */
FOEHN_INLINE float4 sky_at(fire_light q, const float dir[3])
{
    float4 sky = colour_of(q.sky);
    if (!q.outdoors)
        return sky;
    float rise = dir[0] * q.up[0] + dir[1] * q.up[1] + dir[2] * q.up[2];
    float near =
        0.5f + 0.5f * (dir[0] * q.sun_from[0] + dir[1] * q.sun_from[1] + dir[2] * q.sun_from[2]);
    near *= near;
    near *= near;
    float low = (0.726149f - exp(-0.32f / fmax(rise, 0.01f))) / 0.726149f; /* 0 overhead */
    return sky + low * (colour_of(q.horizon) + low * near * near * colour_of(q.glow));
}

/* What a surface gets from the sky, and the lower half of the world, klx. */
FOEHN_INLINE float4 skylight(fire_light q, const float n[3])
{
    if (!q.outdoors)
        return colour_of(q.sky) * (3.14159265f * (0.6f + 0.4f * n[1]));
    float up = 0.5f + 0.5f * (n[0] * q.up[0] + n[1] * q.up[1] + n[2] * q.up[2]);
    return 3.14159265f * mix(colour_of(q.below), colour_of(q.dome), up);
}

/* ---- surfaces ---- */

/* How much a place sees past colliders of what lies in a direction `away`, so far off, softly; only
 * the box knows of colliders. */
FOEHN_INLINE float unhidden(foehn_grid g, global const float *sdf, const float p[3],
                            const float n[3], const float away[3], float far)
{
    fire_camera here;
    float seen = 1.0f, enter, leave;
    const float h = fmax(fmax(g.hx, g.hy), g.hz);
    for (int a = 0; a < 3; a++)
        here.eye[a] = p[a];
    if (!cross_box(g, here, away, &enter, &leave))
        return 1.0f;
    far = fmin(far, leave);
    float t = fmax(enter, h);
    for (int i = 0; i < 24 && t < far - h; i++) {
        float at_p[3], d[4];
        for (int a = 0; a < 3; a++)
            at_p[a] = p[a] + 0.7f * h * n[a] + away[a] * t;
        sample_planes(g, sdf, 4, at_p[0] * g.per_x, at_p[1] * g.per_y, at_p[2] * g.per_z, d);
        seen = fmin(seen, fmax(0.5f + 4.0f * d[DISTANCE] / (t + 0.2f * far), 0.0f));
        t += fmax(d[DISTANCE], 0.5f * h);
    }
    return seen;
}

FOEHN_INLINE float sees_fire(foehn_grid g, fire_light q, global const float *sdf, const float p[3],
                             const float n[3])
{
    float away[3], far = 0.0f;
    for (int a = 0; a < 3; a++) {
        away[a] = q.middle[a] - p[a];
        far += away[a] * away[a];
    }
    far = sqrt(far);
    for (int a = 0; a < 3; a++)
        away[a] /= far;
    return unhidden(g, sdf, p, n, away, far);
}

/* Light that a surface sends back: fire, sun and sky. */
FOEHN_INLINE float4 surface_light(foehn_grid g, foehn_grid r, fire_light q, global const float *sdf,
                                  global const float *sources, global const float4 *light,
                                  const float p[3], const float n[3], float4 albedo)
{
    float4 sum = 0.0f;
    float seen = q.has_solids ? sees_fire(g, q, sdf, p, n) : 1.0f;
    for (int i = 0; i < q.sources; i++) {
        global const float *s = sources + FIRE_PART * i;
        float d[3] = {s[3] - p[0], s[4] - p[1], s[5] - p[2]};
        float far2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + q.blur;
        float facing = (d[0] * n[0] + d[1] * n[1] + d[2] * n[2]) * rsqrt(far2);
        float fall = 0.0795775f / far2 * fmax(0.75f * facing + 0.25f, 0.0f); /* parts are wide */
        sum += fall * (float4)(s[0], s[1], s[2], 0.0f);
    }
    sum *= seen;
    if (q.has_sun) {
        float facing = q.sun_from[0] * n[0] + q.sun_from[1] * n[1] + q.sun_from[2] * n[2];
        float smoke = light_at(q, light, p[0] * r.per_x, p[1] * r.per_y, p[2] * r.per_z).w;
        if (q.has_solids && facing > 0.0f)
            smoke *= unhidden(g, sdf, p, n, q.sun_from, INFINITY);
        sum += (float4)(q.sun[0], q.sun[1], q.sun[2], 0.0f) *
               (fmax(facing, 0.0f) * fmin(smoke * 6.7f, 1.0f));
    }
    sum += skylight(q, n);
    return albedo * sum * 0.31830989f;
}

/* Noise of a surface, about 0 to 1. */
FOEHN_INLINE float grain(fire_light q, const float p[3], float scale)
{
    float s = scale / q.unit, x = p[0] * s, y = p[1] * s, z = p[2] * s;
    float sum = simplex(x, y, z, 0) + 0.5f * simplex(2.1f * x, 2.1f * y, 2.1f * z, 1) +
                0.25f * simplex(4.3f * x, 4.3f * y, 4.3f * z, 2);
    return 0.5f + 0.4f * sum;
}

/* The first surface on a ray before `far`: 0 none, 1 ground, 2 collider, 3 land; where and its
 * normal. */
FOEHN_INLINE int meet(foehn_grid g, fire_camera q, fire_light l, const float dir[3], float length,
                      global const float *sdf, global const float *land, float *far, float p[3],
                      float n[3])
{
    int kind = 0;
    float t0, t1, fall = -(dir[0] * l.up[0] + dir[1] * l.up[1] + dir[2] * l.up[2]);
    if (l.has_ground && fall > 0.0f && l.above > 0.0f && l.above / fall < *far) {
        *far = l.above / fall;
        kind = 1;
        for (int a = 0; a < 3; a++)
            n[a] = l.up[a];
    }
    if (l.land_x > 0 && meet_land(g, q, l, land, dir, far, n))
        kind = 3;
    if (q.draws_colliders && cross_box(g, q, dir, &t0, &t1)) {
        float least = 0.05f * fmin(fmin(g.hx, g.hy), g.hz);
        t1 = fmin(t1, *far);
        for (int i = 0; i < 200 && t0 < t1; i++) {
            float d[4];
            sample_planes(g, sdf, 4, (q.eye[0] + t0 * dir[0]) * g.per_x,
                          (q.eye[1] + t0 * dir[1]) * g.per_y, (q.eye[2] + t0 * dir[2]) * g.per_z,
                          d);
            if (d[DISTANCE] < least) {
                float scale = rsqrt(fmax(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1e-12f));
                for (int a = 0; a < 3; a++)
                    n[a] = d[a] * scale;
                *far = t0;
                kind = 2;
                break;
            }
            t0 += fmax(0.9f * d[DISTANCE], least) / length;
        }
    }
    for (int a = 0; a < 3; a++)
        p[a] = q.eye[a] + *far * dir[a];
    return kind;
}

FOEHN_INLINE float4 shade(foehn_grid g, foehn_grid r, fire_light q, int kind,
                          global const float *sdf, global const float4 *table,
                          global const float *sources, global const float4 *optics,
                          global const float4 *light, const float p[3], const float n[3])
{
    float rough = grain(q, p, kind == 1 ? 5.0f : 22.0f);
    float fine = grain(q, p, 60.0f);
    float tone = 0.45f + 0.6f * rough + 0.35f * (fine - 0.5f);
    tone = kind == 1 ? 0.55f + 0.4f * rough + 0.45f * (fine - 0.5f) : mix(0.75f, tone, q.grain);
    float4 albedo = kind == 1 ? (float4)(q.ground[0], q.ground[1], q.ground[2], 0.0f)
                              : (float4)(q.solid[0], q.solid[1], q.solid[2], 0.0f);
    float4 sum = surface_light(g, r, q, sdf, sources, light, p, n, albedo * fmax(tone, 0.1f));
    const bool in_box =
        p[0] > 0.0f && p[0] * r.per_x < (float)r.nx && p[2] > 0.0f && p[2] * r.per_z < (float)r.nz;
    if (q.embers > 0.0f && in_box &&
        kind != 3) { /* where gas is hot, the surface glows in places */
        float out = 1.5f * fmax(fmax(r.hx, r.hy), r.hz);
        float hot = optics_at(r, optics, (p[0] + out * n[0]) * r.per_x,
                              (p[1] + out * n[1]) * r.per_y, (p[2] + out * n[2]) * r.per_z)
                        .y;
        float glow = fmax(1.6f * fine - 0.55f, 0.0f);
        sum += q.embers * glow * glow * blackbody(table, fmin(0.62f * hot + 250.0f, 1250.0f));
    }
    return sum;
}

/* ---- march ---- */

/* Henyey and Greenstein's phase function over the isotropic one; cosine between sunlight and sight.
 */
FOEHN_INLINE float phase(float cosine, float g)
{
    float b = 1.0f + g * g - 2.0f * g * cosine;
    return (1.0f - g * g) / (b * sqrt(b));
}

/* Radiance along a ray from t0 to t1 through the box, front to back; what gets through goes to
 * *through. */
FOEHN_INLINE float4 through_smoke(foehn_grid g, foehn_grid r, fire_camera q, fire_light l,
                                  const float dir[3], float length, float t0, float t1,
                                  float jitter, float shift, global const uchar *blocks,
                                  global const float4 *table, global const float4 *optics,
                                  global const float4 *light, global const float *u,
                                  global const float *v, global const float *w, float *through)
{
    const float per[3] = {r.per_x, r.per_y, r.per_z};
    const int size[3] = {r.nx, r.ny, r.nz};
    float fastest = 0.0f, clear = 1.0f, cosine = 0.0f;
    float4 sum = 0.0f;
    for (int a = 0; a < 3; a++) {
        fastest = fmax(fastest, fabs(dir[a]) * per[a]);
        cosine += l.sun_from[a] * dir[a] / length;
    }
    const float step = 1.0f / (fastest * l.steps), ds = step * length;
    const float4 sun = (float4)(l.sun[0], l.sun[1], l.sun[2], 0.0f) *
                       (0.7f * phase(cosine, 0.5f) + 0.3f * phase(cosine, -0.2f));
    const float4 sky = 0.5f * (colour_of(l.dome) + colour_of(l.below));
    float t = t0 + jitter * step;
    while (t < t1 && clear > 0.004f) {
        float p[3];
        int b[3];
        for (int a = 0; a < 3; a++) {
            p[a] = (q.eye[a] + t * dir[a]) * per[a];
            b[a] = min(max((int)p[a], 0), size[a] - 1) / 4;
        }
        if (!blocks[b[0] +
                    l.bx * (b[1] + l.by * b[2])]) { /* to the first sample beyond the block */
            float leave = INFINITY;
            for (int a = 0; a < 3; a++) {
                float speed = dir[a] * per[a];
                float wall = speed > 0.0f ? 4.0f * (float)(b[a] + 1) : 4.0f * (float)b[a];
                if (speed != 0.0f)
                    leave = fmin(leave, (wall - p[a]) / speed);
            }
            t += step * fmax(ceil(leave / step), 1.0f);
            continue;
        }
        if (shift != 0.0f) {
            float s[3];
            sample_velocity(g, u, v, w, p[0] * r.hx * g.per_x, p[1] * r.hy * g.per_y,
                            p[2] * r.hz * g.per_z, s);
            for (int a = 0; a < 3; a++)
                p[a] -= shift * s[a] * per[a];
        }
        float4 s = optics_at(r, optics, p[0], p[1], p[2]);
        if (s.x > 1e-4f || s.z > 0.0f) {
            float pass = exp(-s.x * ds), stopped = s.x > 1e-4f ? (1.0f - pass) / s.x : ds;
            float4 lit = light_at(l, light, p[0], p[1], p[2]);
            float4 source = (1.0f - l.albedo) * s.x * blackbody(table, s.y) +
                            s.z * (float4)(0.05f, 0.25f, 1.0f, 0.0f);
            if (!l.only_emission)
                source +=
                    l.albedo * s.x * (sun * lit.w + sky + (float4)(lit.x, lit.y, lit.z, 0.0f));
            sum += clear * stopped * source;
            clear *= pass;
        }
        t += step;
    }
    *through = clear > 0.004f ? clear : 0.0f;
    return sum;
}

/* Some rays a pixel: smoke before what stands behind; w is how much of the background it hides. */
kernel void look(foehn_grid g, foehn_grid r, fire_camera q, fire_light l, global const float *sdf,
                 global const uchar *blocks, global const float4 *table,
                 global const float4 *optics, global const float *sources,
                 global const float4 *light, global const float *land, global const float *u,
                 global const float *v, global const float *w, global const float *depth,
                 global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.width || y >= q.height)
        return;
    float4 total = 0.0f;
    float noise = gradient_noise((float)x, (float)y) + q.jitter;
    for (int n = 0; n < l.samples;
         n++) { /* places of the plastic number's sequence (Roberts 2018) */
        float a = 0.7548777f * (float)n + 0.5f, b = 0.5698403f * (float)n + 0.5f;
        float dir[3], t0, t1, far = INFINITY, p[3], normal[3], through = 1.0f;
        ray_through(q, (float)x + a - floor(a), (float)y + b - floor(b), q.width, q.height, dir);
        float length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        if (l.has_depth)
            far = depth[x + y * q.width];
        float limit = far;
        const float toward[3] = {dir[0] / length, dir[1] / length, dir[2] / length};
        int kind = meet(g, q, l, dir, length, sdf, land, &far, p, normal);
        float4 c = 0.0f, behind = 0.0f;
        if (cross_box(g, q, dir, &t0, &t1)) {
            float jitter = noise + 0.618034f * (float)n, moment = noise + 0.381966f * (float)n;
            jitter -= floor(jitter);
            moment -= floor(moment);
            c = through_smoke(g, r, q, l, dir, length, t0, fmin(t1, far), jitter,
                              l.shutter * (moment - 0.5f), blocks, table, optics, light, u, v, w,
                              &through);
        }
        float hidden = 1.0f - through;
        if (kind) {
            behind = shade(g, r, l, kind, sdf, table, sources, optics, light, p, normal);
            if (l.outdoors && kind == 1) /* far ground fades into the horizon */
                behind = mix(
                    behind, sky_at(l, toward),
                    exp(60.0f * (toward[0] * l.up[0] + toward[1] * l.up[1] + toward[2] * l.up[2])));
            if (kind == 3) /* air over land */
                behind = mix(sky_at(l, toward), behind, exp(-far * length / FIRE_HAZE));
            hidden = 1.0f;
        } else if (l.has_backdrop && !(limit < INFINITY)) {
            behind = sky_at(l, toward);
            hidden = 1.0f;
        }
        if (!l.only_emission)
            c += through * behind;
        c.w = hidden;
        total += c;
    }
    out[x + y * q.width] = total / (float)l.samples;
}

/* ---- depth and motion ---- */

/* What a pixel shows on average, by its light and by what it hides: distance along the view axis, m
 * (infinite where there is nothing), and how it moves, pixels a second to the right and downwards.
 */
kernel void follow(foehn_grid g, foehn_grid r, fire_camera q, fire_light l, global const float *sdf,
                   global const float4 *table, global const float4 *optics,
                   global const float *land, global const float *u, global const float *v,
                   global const float *w, global const float *depth, global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.width || y >= q.height)
        return;
    float dir[3], t0, t1, far = INFINITY, place[3], normal[3], clear = 1.0f, weights = 0.0f,
                          way = 0.0f;
    float moves[2] = {0.0f, 0.0f}, size[2] = {0.0f, 0.0f};
    ray_of(q, x, y, q.width, q.height, dir);
    for (int a = 0; a < 3; a++) {
        size[0] += q.right[a] * q.right[a];
        size[1] += q.up[a] * q.up[a];
    }
    if (l.has_depth)
        far = depth[x + y * q.width];
    int kind = meet(g, q, l, dir, sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]), sdf,
                    land, &far, place, normal);
    if (cross_box(g, q, dir, &t0, &t1)) {
        float fastest = 0.0f, length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        for (int a = 0; a < 3; a++)
            fastest = fmax(fastest, fabs(dir[a]) * (a == 0 ? r.per_x : a == 1 ? r.per_y : r.per_z));
        const float step = 1.0f / (fastest * l.steps);
        for (float t = t0 + 0.5f * step; t < fmin(t1, far) && clear > 0.004f; t += step) {
            float p[3] = {q.eye[0] + t * dir[0], q.eye[1] + t * dir[1], q.eye[2] + t * dir[2]},
                  speed[3];
            float4 s = optics_at(r, optics, p[0] * r.per_x, p[1] * r.per_y, p[2] * r.per_z);
            if (!(s.x > 1e-4f || s.z > 0.0f))
                continue;
            float pass = exp(-s.x * step * length),
                  stopped = s.x > 1e-4f ? (1.0f - pass) / s.x : step * length;
            float4 glow = (1.0f - l.albedo) * s.x * blackbody(table, s.y) +
                          s.z * (float4)(0.05f, 0.25f, 1.0f, 0.0f);
            float weight = clear * (stopped * (glow.x + glow.y + glow.z) + 0.01f * (1.0f - pass));
            sample_velocity(g, u, v, w, p[0] * g.per_x, p[1] * g.per_y, p[2] * g.per_z, speed);
            float right = 0.0f, up = 0.0f, away = 0.0f, a_right = 0.0f, a_up = 0.0f;
            for (int a = 0; a < 3; a++) {
                right += speed[a] * q.right[a];
                up += speed[a] * q.up[a];
                away += speed[a] * q.forward[a];
                a_right += dir[a] * q.right[a];
                a_up += dir[a] * q.up[a];
            }
            /* of x = (place . right) / (right^2 depth), and of y */
            moves[0] += weight * (right - a_right * away) / (size[0] * t);
            moves[1] -= weight * (up - a_up * away) / (size[1] * t);
            weights += weight;
            way += weight * t;
            clear *= pass;
        }
    }
    if (kind && clear > 0.004f) { /* what stands behind is at rest */
        weights += 0.01f * clear;
        way += 0.01f * clear * far;
    }
    float scale = weights > 1e-7f ? 1.0f / weights : 0.0f;
    out[x + y * q.width] =
        (float4)(scale > 0.0f ? way * scale : INFINITY, 0.5f * (float)q.width * moves[0] * scale,
                 0.5f * (float)q.height * moves[1] * scale, 1.0f - clear);
}

/* ---- development ---- */

/* A film's curve a channel: reds of a flame run into yellow and white as they are overexposed. */
FOEHN_INLINE float4 film(float4 c)
{
    return 1.0f - exp(-c);
}

/* Sobotka's AgX: channels are mixed, logarithms from 10 stops below to 6.5 above middle grey put
 * through a sigmoid, and unmixed; fades to white without a turn of hue.  Result is linear. */
FOEHN_INLINE float4 agx(float4 c)
{
    float4 m = (float4)(0.8424791f * c.x + 0.0784336f * c.y + 0.0792237f * c.z,
                        0.0423303f * c.x + 0.8784686f * c.y + 0.0791661f * c.z,
                        0.0423757f * c.x + 0.0784336f * c.y + 0.8791430f * c.z, 0.0f);
    m = (log2(fmax(m, 1e-7f)) + 12.47393f) * (1.0f / 16.5f);
    m = fmin(fmax(m, 0.0f), 1.0f);
    /* a sigmoid of slope 2.4 through middle grey, about the published one */
    float4 s = 1.0f / (1.0f + exp(-10.0f * (m - 0.606f)));
    s = (s - 0.002329f) / (0.98092f - 0.002329f);
    s = powr(fmin(fmax(s, 0.0f), 1.0f), 2.2f);
    return (float4)(1.1968790f * s.x - 0.0980209f * s.y - 0.0990297f * s.z,
                    -0.0528969f * s.x + 1.1519031f * s.y - 0.0989612f * s.z,
                    -0.0529716f * s.x - 0.0980435f * s.y + 1.1510737f * s.z, 0.0f);
}

/* Exposed radiance and its bloom through the curve, over the background, into pixels. */
kernel void develop(fire_camera q, int bloom_width, int bloom_height, float exposure,
                    float strength, int curve, int format, int has_background,
                    global const float4 *pass, global const float4 *bloom,
                    global const float4 *background, global uint *words, global float4 *floats)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.full_width || y >= q.full_height)
        return;
    int pixel = x + y * q.full_width;
    float4 light = pass[pixel], under = has_background ? background[pixel] : (float4)(0.0f);
    float hidden = light.w;
    light *= exposure;
    if (strength > 0.0f)
        light += strength * read_picture(bloom, bloom_width, bloom_height,
                                         ((float)x + 0.5f) / (float)q.full_width,
                                         ((float)y + 0.5f) / (float)q.full_height);
    light = fmax(light, 0.0f);
    light.w = 0.0f;
    float4 c = light;
    if (format != 0) {
        c = curve == 0 ? film(light) : curve == 1 ? agx(light) : light;
        c = fmin(fmax(c, 0.0f), 1.0f);
        c = c + under * (1.0f - hidden) * (1.0f - c);
        c = (float4)(encoded(c.x), encoded(c.y), encoded(c.z), 0.0f);
    } else
        c += under * (1.0f - hidden);
    float brightest =
        format == 0 ? 0.0f : fmin(fmax(fmax(c.x, c.y), c.z), 1.0f); /* straight colours end at 1 */
    c.w = fmax(fmax(brightest, hidden), under.w);
    put_pixel(c, format, pixel, words, floats);
}

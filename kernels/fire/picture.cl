/* SPDX-License-Identifier: MIT */
/* The picture of the fire.  Launched by lib/fire/picture.c.
 *
 * A ray is eye + t dir, where dir has the length 1 along the view axis: t is the depth of a
 * picture.  Colours are linear; pictures are float4, rows from the top. */
#include "fire/rays.h"
#include "fire/sample.h"
#include "fire/simplex.h"

/* ---- colliders ---- */

/* Colliders into a picture's background and depth: the ray goes on by the distance that is
 * baked. */
kernel void solids(foehn_grid g, fire_camera q, int clear_background, int clear_depth,
                   global const float *sdf, global float4 *background, global float *depth)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.full_width || y >= q.full_height)
        return;
    int pixel = x + y * q.full_width;
    float dir[3], t0, t1;
    if (clear_background)
        background[pixel] = 0.0f;
    if (clear_depth)
        depth[pixel] = INFINITY;
    ray_of(q, x, y, q.full_width, q.full_height, dir);
    if (!cross_box(g, q, dir, &t0, &t1))
        return;
    t1 = fmin(t1, depth[pixel]);
    float length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
    float least = 0.1f * fmin(fmin(g.hx, g.hy), g.hz);
    for (int n = 0; n < 256 && t0 < t1; n++) {
        float c[3] = {(q.eye[0] + t0 * dir[0]) * g.per_x, (q.eye[1] + t0 * dir[1]) * g.per_y,
                      (q.eye[2] + t0 * dir[2]) * g.per_z};
        float d[4];
        sample_planes(g, sdf, 4, c[0], c[1], c[2], d);
        if (d[DISTANCE] < 0.2f * least) {
            float scale = rsqrt(fmax(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1e-12f));
            float lit = scale * (d[0] * q.light[0] + d[1] * q.light[1] + d[2] * q.light[2]);
            float shade = 0.05f + 0.16f * fmax(lit, 0.0f) + 0.05f * fabs(lit);
            background[pixel] = (float4)(shade, shade, shade, 1.0f);
            depth[pixel] = t0;
            return;
        }
        t0 += fmax(0.9f * d[DISTANCE], least) / length;
    }
}

/* ---- march ---- */

/* Colour of a temperature over that of the palette's white end. */
FOEHN_INLINE float4 palette(float t)
{
    const float4 orange = (float4)(1.0f, 0.0998987f, 0.0f, 0.0f); /* #ff5900, linear */
    const float4 yellow = (float4)(1.0f, 1.0f, 0.1499598f, 0.0f); /* #ffff6c */
    const float4 white = (float4)(1.0f, 1.0f, 1.0f, 0.0f);
    float4 c = orange * smoothstep(0.01f, 0.10f, t);
    c = mix(c, yellow, smoothstep(0.30f, 0.50f, t));
    return mix(c, white, smoothstep(0.70f, 0.80f, t));
}

/* Light that smoke of a density sends out a metre of the ray. */
FOEHN_INLINE float4 emission(fire_camera q, float density, float temperature, float tint)
{
    float crisp = density * sqrt(density);
    float radiance = temperature * temperature * temperature * q.radiance + 1.0f;
    float cold = 1.0f - smoothstep(0.0f, 0.2f, temperature);
    float absorbed = mix(1.0f, exp(-2.0f * crisp), cold);
    float4 c = palette(temperature * q.palette) * (radiance * crisp * absorbed);
    if (tint > 0.1f)
        c = sqrt(c.x * c.x + c.y * c.y + c.z * c.z) * (float4)(0.0f, 1.0f, 1.0f, 0.0f);
    return c;
}

/* Density with detail, and thinned near the box's sides, which velocity bends. */
FOEHN_INLINE float detailed(foehn_grid g, fire_camera q, const float s[4], const float p[3],
                            global const float *u, global const float *v, global const float *w)
{
    const float size[3] = {(float)g.nx * g.hx, (float)g.ny * g.hy, (float)g.nz * g.hz};
    float speed[3], near = 1.0f;
    sample_velocity(g, u, v, w, p[0] * g.per_x, p[1] * g.per_y, p[2] * g.per_z, speed);
    for (int a = 0; a < 3; a++) {
        float warped = (p[a] + speed[a] * 0.35f * q.turbulence) / size[a];
        near = fmin(near, fmin(warped, 1.0f - warped));
    }
    float edge = smoothstep(0.0f, 0.03f, near);
    if (edge <= 0.0f)
        return 0.0f;
    float detail = q.turbulence * simplex((p[0] - 0.5f * size[0]) * 5.5f,
                                          (p[1] - 0.5f * size[1]) * 5.5f - 0.8f * s[2],
                                          (p[2] - 0.5f * size[2]) * 5.5f, 0);
    return fmax(s[0] * (detail * 0.35f + 0.85f), 0.0f) * edge;
}

/* One ray a pixel of the pass: the sum of emission over its length, or the view's largest value. */
kernel void march(foehn_grid g, foehn_grid r, fire_camera q, global const float *dye,
                  global const float *u, global const float *v, global const float *w,
                  global const float *sdf, global const float *depth, global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.width || y >= q.height)
        return;
    float dir[3], t0, t1;
    float4 sum = 0.0f;
    ray_of(q, x, y, q.width, q.height, dir);
    if (cross_box(g, q, dir, &t0, &t1)) {
        float far = INFINITY;
        if (q.has_depth) {
            int px = min((int)(((float)x + 0.5f) * (float)q.full_width / (float)q.width),
                         q.full_width - 1);
            int py = min((int)(((float)y + 0.5f) * (float)q.full_height / (float)q.height),
                         q.full_height - 1);
            far = depth[px + py * q.full_width];
        }
        float length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        float step = (t1 - t0) / (float)q.steps;
        float jitter = gradient_noise((float)x, (float)y) + q.jitter;
        jitter -= floor(jitter);
        for (int n = 0; n < q.steps; n++) {
            float t = t0 + ((float)n + jitter) * step;
            if (t > far)
                break;
            float p[3] = {q.eye[0] + t * dir[0], q.eye[1] + t * dir[1], q.eye[2] + t * dir[2]};
            if (q.view == FIRE_VIEW_VELOCITY) {
                float s[3];
                sample_velocity(g, u, v, w, p[0] * g.per_x, p[1] * g.per_y, p[2] * g.per_z, s);
                sum = fmax(sum, fabs((float4)(s[0], s[1], s[2], 0.0f)) * 0.2f);
                continue;
            }
            if (q.view == FIRE_VIEW_COLLIDERS) {
                corner at_wall;
                locate(g, p[0] * g.per_x, p[1] * g.per_y, p[2] * g.per_z, 0.5f, 0.5f, 0.5f,
                       &at_wall);
                float d = sample_at(g, sdf + DISTANCE * plane_of(g), &at_wall);
                sum.x = d < 0.0f ? 1.0f : sum.x;
                continue;
            }
            corner around;
            float s[4];
            const idx plane = plane_of(r);
            locate(r, p[0] / r.hx, p[1] / r.hy, p[2] / r.hz, 0.5f, 0.5f, 0.5f, &around);
            s[1] = sample_at(r, dye + plane, &around);
            if (q.view == FIRE_VIEW_TEMPERATURE) {
                sum = fmax(sum, (float4)(s[1] * q.palette));
                continue;
            }
            s[0] = sample_at(r, dye, &around);
            if (s[0] < 1e-4f)
                continue;
            s[2] = sample_at(r, dye + 2 * plane, &around);
            s[3] = sample_at(r, dye + 3 * plane, &around);
            float density = detailed(g, q, s, p, u, v, w);
            if (q.view == FIRE_VIEW_DENSITY)
                sum = fmax(sum, (float4)(density));
            else
                sum += emission(q, density, s[1], s[3]) * (step * length);
        }
    }
    sum.w = 0.0f;
    out[x + y * q.width] = sum;
}

/* ---- bloom ---- */

/* What is brighter than the threshold, in the resolution of the bloom. */
kernel void bright(int width, int height, int pass_width, int pass_height, float exposure,
                   float threshold, global const float4 *pass, global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= width || y >= height)
        return;
    float4 c =
        exposure * read_picture(pass, pass_width, pass_height, ((float)x + 0.5f) / (float)width,
                                ((float)y + 0.5f) / (float)height);
    float most = fmax(fmax(c.x, c.y), c.z);
    out[x + y * width] = most > threshold ? c * ((most - threshold) / most) : (float4)(0.0f);
}

/* Gaussian of standard deviation sigma pixels along one axis, to 3 sigma. */
kernel void blur(int width, int height, int along_y, float sigma, global const float4 *in,
                 global float4 *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= width || y >= height)
        return;
    int reach = (int)ceil(3.0f * sigma);
    float4 sum = 0.0f;
    float weights = 0.0f;
    for (int n = -reach; n <= reach; n++) {
        float w = exp(-0.5f * (float)(n * n) / (sigma * sigma));
        int i = clamp(along_y ? x : x + n, 0, width - 1);
        int j = clamp(along_y ? y + n : y, 0, height - 1);
        sum += w * in[i + j * width];
        weights += w;
    }
    out[x + y * width] = sum / weights;
}

/* ---- composition ---- */

/* Pass and bloom over the background.  Light adds before the tone curve 1 - exp(-L); the background
 * has been through it. format 0: floats, 1: bytes, 2: words. */
kernel void compose(fire_camera q, int bloom_width, int bloom_height, float exposure,
                    float strength, int format, int has_background, global const float4 *pass,
                    global const float4 *bloom, global const float4 *background, global uint *words,
                    global float4 *floats)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= q.full_width || y >= q.full_height)
        return;
    int pixel = x + y * q.full_width;
    float fx = ((float)x + 0.5f) / (float)q.full_width;
    float fy = ((float)y + 0.5f) / (float)q.full_height;
    float4 light = read_picture(pass, q.width, q.height, fx, fy), under = 0.0f, c;
    if (has_background)
        under = background[pixel];
    if (q.view <= FIRE_VIEW_NO_BLOOM) {
        light *= exposure;
        if (strength > 0.0f)
            light += strength * read_picture(bloom, bloom_width, bloom_height, fx, fy);
        c = format == 0 ? light + under : 1.0f - (1.0f - under) * exp(-light);
        if (format != 0)
            c = (float4)(encoded(c.x), encoded(c.y), encoded(c.z), 0.0f);
        float brightest = fmax(fmax(c.x, c.y), c.z);
        c.w = fmax(fmin(brightest, 1.0f), under.w);
    } else {
        c = light;
        c.w = 1.0f;
    }
    put_pixel(c, format, pixel, words, floats);
}

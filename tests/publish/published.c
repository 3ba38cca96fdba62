/* SPDX-License-Identifier: MIT */
#include "publish/published.h"

static void open_wind(published *p, foehn_context *ctx)
{
    foehn_wind_params params = foehn_wind_params_default();
    memcpy(p->n, (int[]){20, 6, 12}, sizeof p->n);
    params.nx = p->n[0];
    params.ny = p->n[1];
    params.nz = p->n[2];
    params.state.gustiness = 1;
    OK(foehn_wind_create(ctx, &params, &p->wind));
}

static void open_flow(published *p, foehn_context *ctx)
{
    foehn_flow_params params = foehn_flow_params_default();
    memcpy(p->n, (int[]){30, 18, 1}, sizeof p->n);
    params.nx = p->n[0];
    params.ny = p->n[1];
    OK(foehn_flow_create(ctx, &params, &p->flow));
}

static void open_fire(published *p, foehn_context *ctx)
{
    foehn_fire_params params = foehn_fire_params_default();
    const int voxels[3] = {12, 10, 8};
    const float points[2][3] = {{-0.1f, -0.2f, 0}, {0.1f, -0.2f, 0.1f}};
    const foehn_fire_emitter emitter = {.count = 2, .points = points, .max_count = 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    foehn_fire_info info;
    int index;
    for (int a = 0; a < 3; a++) {
        params.size[a] = voxels[a] * params.render_voxel;
        proxy.pose.position[a] = params.pose.position[a];
    }
    proxy.brush_radius = 0.2f;
    proxy.tint = 0.5f;
    OK(foehn_fire_create(ctx, &params, &p->fire));
    OK(foehn_fire_add_emitter(p->fire, &emitter, &index));
    OK(foehn_fire_set_proxy(p->fire, index, 0, &proxy));
    foehn_fire_get_info(p->fire, &info);
    memcpy(p->n, info.render_cells, sizeof p->n);
}

published open_published(foehn_context *ctx, published_kind kind)
{
    published p = {0};
    (kind == PUBLISHED_WIND ? open_wind : kind == PUBLISHED_FLOW ? open_flow : open_fire)(&p, ctx);
    OK(foehn_volume_create(ctx, p.n[0], p.n[1], p.n[2], &p.volume));
    p.halves = 4 * (size_t)p.n[0] * (size_t)p.n[1] * (size_t)p.n[2];
    return p;
}

void step_published(published *p, int number)
{
    const double center[3] = {37.0 * number, 20, -23.0 * number};
    const foehn_flow_stir stir = {.from = {0.4f, 0.5f},
                                  .to = {0.9f, 0.6f},
                                  .radius = 0.2f,
                                  .velocity = {1, 0.3f},
                                  .ink = {0.7f, 0.2f, 0.1f, 0.8f}};
    if (p->wind) {
        OK(foehn_wind_set_center(p->wind, center));
        if (number % 2) {
            OK(foehn_wind_step_and_write_volume(p->wind, 0.05f, p->volume));
        } else {
            OK(foehn_wind_step(p->wind, 0.05f));
            OK(foehn_wind_write_volume(p->wind, p->volume));
        }
        return;
    }
    if (p->fire) {
        OK(foehn_fire_step(p->fire));
        OK(foehn_fire_write_volume(p->fire, FOEHN_FIRE_LAYER_DYE, p->volume));
        return;
    }
    OK(foehn_flow_add_stir(p->flow, &stir));
    OK(foehn_flow_step(p->flow, 0.01f));
    OK(foehn_flow_write_volume(p->flow, (foehn_flow_layer)(number % 2), p->volume));
}

void close_published(published *p)
{
    foehn_volume_destroy(p->volume);
    foehn_wind_destroy(p->wind);
    foehn_flow_destroy(p->flow);
    foehn_fire_destroy(p->fire);
}

uint16_t *host_halves(const published *p)
{
    uint16_t *halves = testing_alloc(p->halves * sizeof *halves);
    OK(foehn_volume_read_halves(p->volume, halves));
    return halves;
}

int count_nonzero(const uint16_t *halves, size_t count)
{
    int nonzero = 0;
    for (size_t i = 0; i < count; i++)
        nonzero += (halves[i] & 0x7fff) != 0;
    return nonzero;
}

void expect_published(const published *p, int step, const uint16_t *texels,
                      const foehn_volume_info *content)
{
    foehn_volume_info newest;
    uint16_t *halves = host_halves(p);
    ck_assert_int_gt(count_nonzero(halves, p->halves), 10);
    ck_assert_msg(memcmp(texels, halves, p->halves * sizeof *halves) == 0, "step %d: other texels",
                  step);
    free(halves);
    foehn_volume_get_info(p->volume, &newest);
    ck_assert_mem_eq(content, &newest, sizeof newest);
}

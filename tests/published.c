/* SPDX-License-Identifier: MIT */
#include "published.h"

published open_published(foehn_context *ctx, bool flat)
{
    published p = {0};
    foehn_flow_params flow = foehn_flow_params_default();
    foehn_wind_params wind = foehn_wind_params_default();
    memcpy(p.n, flat ? (int[]){30, 18, 1} : (int[]){20, 6, 12}, sizeof p.n);
    flow.nx = wind.nx = p.n[0];
    flow.ny = wind.ny = p.n[1];
    wind.nz = p.n[2];
    wind.state.gustiness = 1;
    if (flat)
        OK(foehn_flow_create(ctx, &flow, &p.flow));
    else
        OK(foehn_wind_create(ctx, &wind, &p.wind));
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
    OK(foehn_flow_add_stir(p->flow, &stir));
    OK(foehn_flow_step(p->flow, 0.01f));
    OK(foehn_flow_write_volume(p->flow, (foehn_flow_layer)(number % 2), p->volume));
}

void close_published(published *p)
{
    foehn_volume_destroy(p->volume);
    foehn_wind_destroy(p->wind);
    foehn_flow_destroy(p->flow);
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

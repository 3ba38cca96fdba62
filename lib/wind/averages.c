/* SPDX-License-Identifier: MIT */
/* Running means of velocity and speed. */
#include "wind/model.h"

foehn_status foehn_wind_average(foehn_wind *w)
{
    if (!w->means[0])
        return FOEHN_OK;
    cl_mem velocity[3];
    float n = (float)++w->clock.samples;
    TRY(w->model->centers(w, velocity));
    TRY(LAUNCH(w->ctx, w->kernel.average, foehn_wind_cells(w), ARG(w->g), ARG(n), ARG(velocity[0]),
               ARG(velocity[1]), ARG(velocity[2]), ARG(w->means[0]), ARG(w->means[1]),
               ARG(w->means[2]), ARG(w->means[3]), ARG(w->means[4])));
    if (!w->model->has_products)
        return FOEHN_OK;
    TRY(LAUNCH(w->ctx, w->kernel.average_products, foehn_wind_cells(w), ARG(w->g), ARG(n),
               ARG(velocity[0]), ARG(velocity[1]), ARG(velocity[2]), ARG(w->means[5]),
               ARG(w->means[6]), ARG(w->means[7]), ARG(w->means[8]), ARG(w->means[9]),
               ARG(w->means[10])));
    return w->model->average ? w->model->average(w, n) : FOEHN_OK;
}

static void destroy_means(foehn_wind *w)
{
    for (int i = 0; i < WIND_MEANS; i++)
        foehn_buffer_destroy(w->ctx, &w->means[i]);
}

foehn_status foehn_wind_set_averaging(foehn_wind *w, int on)
{
    TRY(foehn_context_wait(w->ctx));
    destroy_means(w);
    w->clock.samples = 0;
    if (!on)
        return FOEHN_OK;
    uint64_t bytes = foehn_grid_elements(&w->g) * sizeof(float);
    TRY(foehn_memory_check(w->ctx, "a running mean", (uint64_t)foehn_wind_means(w) * bytes, bytes));
    for (int i = 0; i < foehn_wind_means(w); i++) {
        foehn_status status = foehn_field_create(w->ctx, &w->g, sizeof(float), &w->means[i]);
        if (status != FOEHN_OK) {
            destroy_means(w);
            return status;
        }
    }
    return FOEHN_OK;
}

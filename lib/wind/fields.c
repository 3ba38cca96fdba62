/* SPDX-License-Identifier: MIT */
/* The list of a wind's fields.  A new field of every wind is a line here; one of a model alone
 * comes with its model. */
#include "wind/fields.h"
#include "wind/model.h"

int foehn_wind_fields(const foehn_wind *w, wind_field fields[WIND_FIELDS])
{
    const cl_mem *u = w->velocity[w->now];
    const wind_field list[] = {
        {FOEHN_WIND_U, u[0], true, true, NULL},
        {FOEHN_WIND_V, u[1], true, true, NULL},
        {FOEHN_WIND_W, u[2], true, true, NULL},
        {FOEHN_WIND_PRESSURE, w->model->pressure(w), true, true, NULL},
        {FOEHN_WIND_CURL, w->curl, true, false, NULL},
    };
    const wind_field means[] = {
        {FOEHN_WIND_MEAN_U, w->means[0], false, false, NULL},
        {FOEHN_WIND_MEAN_V, w->means[1], false, false, NULL},
        {FOEHN_WIND_MEAN_W, w->means[2], false, false, NULL},
        {FOEHN_WIND_MEAN_SPEED, w->means[3], false, false, NULL},
        {WIND_MEAN_SQUARE, w->means[4], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[5], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[6], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[7], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[8], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[9], false, false, NULL},
        {WIND_MEAN_PRODUCT, w->means[10], false, false, NULL},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        fields[count++] = list[i];
    if (w->model->fields)
        count += w->model->fields(w, fields + count);
    for (int i = 0; w->means[0] && i < foehn_wind_means(w); i++)
        fields[count++] = means[i];
    return count;
}

/* SPDX-License-Identifier: MIT */
/* The list of a wind's fields.  A new field of every wind is a line here; one of a model alone comes
 * with its model. */
#include "wind/fields.h"
#include "wind/model.h"

int foehn_wind_fields(const foehn_wind *w, wind_field fields[WIND_FIELDS])
{
    const cl_mem *u = w->velocity[w->now];
    const wind_field list[] = {
        {FOEHN_WIND_U, u[0], true, true},
        {FOEHN_WIND_V, u[1], true, true},
        {FOEHN_WIND_W, u[2], true, true},
        {FOEHN_WIND_PRESSURE, w->model->pressure(w), true, true},
        {FOEHN_WIND_CURL, w->curl, true, false},
    };
    const wind_field means[] = {
        {FOEHN_WIND_MEAN_U, w->means[0], false, false},
        {FOEHN_WIND_MEAN_V, w->means[1], false, false},
        {FOEHN_WIND_MEAN_W, w->means[2], false, false},
        {FOEHN_WIND_MEAN_SPEED, w->means[3], false, false},
        {WIND_MEAN_SQUARE, w->means[4], false, false},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        fields[count++] = list[i];
    if (w->model->fields)
        count += w->model->fields(w, fields + count);
    for (size_t i = 0; w->means[0] && i < sizeof means / sizeof means[0]; i++)
        fields[count++] = means[i];
    return count;
}

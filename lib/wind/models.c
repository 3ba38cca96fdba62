/* SPDX-License-Identifier: MIT */
/* The models there are, one a line. */
#include "wind/model.h"

extern const wind_model foehn_model_collocated, foehn_model_forcing, foehn_model_momentum,
    foehn_model_les;

static const wind_model *const models[] = {
    &foehn_model_momentum,
    &foehn_model_les,
    &foehn_model_collocated,
    &foehn_model_forcing,
};

const wind_model *foehn_wind_model_of(const foehn_wind_params *p)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (models[i]->takes(p))
            return models[i];
    return NULL;
}

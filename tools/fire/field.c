/* SPDX-License-Identifier: MIT */
/* Fields of a fire as files hold them: read, placed in the world, laid with Z up. */
#include "config.h"

#include "fire/fire.h"

#include <stdlib.h>

/* A field as floats; vectors along the axes of the world, in m/s of the film. */
int fire_read_field(const fire_files *f, foehn_fire_field field, foehn_fire_field_info *info,
                    float **out)
{
    foehn_fire *fire = f->fires[f->scene->panel_count - 1];
    *out = NULL;
    int status = fail_library(foehn_fire_get_field(fire, field, info));
    if (status != STATUS_OK)
        return status;
    *out = malloc(info->floats * sizeof **out);
    if (!*out)
        return fail_memory();
    status = fail_library(foehn_fire_read(fire, field, *out));
    foehn_fire_info box;
    foehn_fire_get_info(fire, &box);
    for (size_t c = 0; c < info->floats && info->components == 3 && status == STATUS_OK; c += 3) {
        double v[3] = {(double)(*out)[c], (double)(*out)[c + 1], (double)(*out)[c + 2]};
        fire_rotate(box.pose.rotation, v, v);
        for (size_t k = 0; k < 3; k++)
            (*out)[c + k] = (float)((double)f->scene->params.speed * v[k]);
    }
    return status;
}

/* From Y up to Z up: x east, y north, z up. */
static void lay(double v[3])
{
    double up = v[1];
    v[1] = v[2] != 0 ? -v[2] : 0; /* no -0 */
    v[2] = up;
}

/* The axes of the cells are those of the box, which Z up takes in the order x, -z, y: a box that is
 * not turned lies along the axes of the world either way. */
void fire_place_of(const foehn_fire_info *box, const int cells[3], bool z_up, fire_place *out)
{
    double corner[3] = {-0.5 * box->size[0], -0.5 * box->size[1],
                        (z_up ? 0.5 : -0.5) * box->size[2]};
    fire_rotate(box->pose.rotation, corner, corner);
    for (int k = 0; k < 3; k++)
        out->corner[k] = corner[k] + box->pose.position[k];
    if (z_up)
        lay(out->corner);
    for (int axis = 0; axis < 3; axis++) {
        int of = z_up && axis > 0 ? 3 - axis : axis; /* of the box */
        double unit[3] = {of == 0, of == 1, of == 2 ? (z_up ? -1 : 1) : 0};
        fire_rotate(box->pose.rotation, unit, unit);
        if (z_up)
            lay(unit);
        for (int k = 0; k < 3; k++)
            out->axes[k][axis] = unit[k];
        out->cells[axis] = cells[of];
        out->spacing[axis] = box->size[of] / cells[of];
    }
}

int fire_lay(const int cells[3], int components, float **values)
{
    size_t nx = (size_t)cells[0], ny = (size_t)cells[1], nz = (size_t)cells[2];
    size_t each = (size_t)components;
    float *laid = malloc(nx * ny * nz * each * sizeof *laid), *to = laid;
    if (!laid)
        return fail_memory();
    for (size_t j = 0; j < ny; j++)
        for (size_t k = nz; k-- > 0;)
            for (size_t i = 0; i < nx; i++, to += each) {
                const float *from = *values + ((k * ny + j) * nx + i) * each;
                double v[3] = {0, 0, 0};
                for (size_t n = 0; n < each; n++)
                    v[n] = (double)from[n];
                if (each == 3)
                    lay(v);
                for (size_t n = 0; n < each; n++)
                    to[n] = (float)v[n];
            }
    free(*values);
    *values = laid;
    return STATUS_OK;
}

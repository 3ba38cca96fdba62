/* SPDX-License-Identifier: MIT */
/* Rigid motions of the fire's box, emitters and colliders. */
#include "fire/state.h"

#include <math.h>

foehn_status foehn_pose_matrix(const foehn_fire_pose *pose, const char *of, fire_matrix *out)
{
    const double *q = pose->rotation, *t = pose->position;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!isfinite(t[0]) || !isfinite(t[1]) || !isfinite(t[2]))
        return foehn_fail(FOEHN_ERROR_ARGUMENT, "%s: position (%g, %g, %g) must be finite", of,
                          t[0], t[1], t[2]);
    if (!(length > 0 && isfinite(length)))
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "%s: rotation (%g, %g, %g, %g) is no quaternion; (0, 0, 0, 1) turns "
                          "nothing",
                          of, q[0], q[1], q[2], q[3]);
    double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    *out = (fire_matrix){{
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), t[0]},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), t[1]},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), t[2]},
    }};
    return FOEHN_OK;
}

void foehn_matrix_vector(const fire_matrix *a, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a->m[i][0] * v[0] + a->m[i][1] * v[1] + a->m[i][2] * v[2];
}

void foehn_matrix_point(const fire_matrix *a, const double p[3], double out[3])
{
    foehn_matrix_vector(a, p, out);
    for (int i = 0; i < 3; i++)
        out[i] += a->m[i][3];
}

fire_matrix foehn_matrix_inverse(const fire_matrix *a)
{
    fire_matrix b;
    for (int i = 0; i < 3; i++) {
        b.m[i][3] = 0;
        for (int k = 0; k < 3; k++) {
            b.m[i][k] = a->m[k][i];
            b.m[i][3] -= a->m[k][i] * a->m[k][3];
        }
    }
    return b;
}

fire_matrix foehn_matrix_product(const fire_matrix *a, const fire_matrix *b)
{
    fire_matrix c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            c.m[i][k] = k == 3 ? a->m[i][3] : 0;
            for (int n = 0; n < 3; n++)
                c.m[i][k] += a->m[i][n] * b->m[n][k];
        }
    return c;
}

void foehn_fire_turn(const foehn_fire *f, const double v[3], double scale, f32 out[3])
{
    double turned[3];
    foehn_matrix_vector(&f->to_box, v, turned);
    for (int a = 0; a < 3; a++)
        out[a] = (f32)(scale * turned[a]);
}

/* SPDX-License-Identifier: MIT */
#include "wind/bed.h"

#include "wind/over.h"

const faces_case faces_cases[FACES_CASES] = {
    {"flat", {7, 5, 9}, {4, 3, 5}, false, false},
    {"hill", {13, 6, 10}, {3, 2, 4.5}, false, true},
    {"periodic", {9, 5, 7}, {4, 2.5, 3}, true, false},
    {"long rows", {37, 4, 5}, {2.5, 3.5, 4}, false, true},
    {"periodic hill", {11, 7, 6}, {2.5, 1.75, 4}, true, true},
    {"one cell", {1, 1, 1}, {4, 3, 5}, false, false},
    {"one periodic cell", {1, 1, 1}, {4, 3, 5}, true, false},
    {"a row", {18, 1, 1}, {3, 4, 5}, false, true},
};

void faces_open_bed(faces_bed *b, const faces_case *c)
{
    memset(b, 0, sizeof *b);
    b->name = c->name;
    b->random = 77;
    b->hilly = c->hilly;
    b->box = (faces_box){.floor_y = c->hilly ? 3.5 : 0, .periodic = c->periodic};
    memcpy(b->box.n, c->n, sizeof c->n);
    memcpy(b->box.h, c->h, sizeof c->h);
    b->g =
        foehn_grid_make(c->n[0], c->n[1], c->n[2], (float)c->h[0], (float)c->h[1], (float)c->h[2]);
    b->options = c->periodic ? "-DFOEHN_PERIODIC" : "";
    b->count = faces_count(&b->box);
    b->columns = (size_t)(c->n[0] + 1) * (size_t)(c->n[2] + 1);
}

void faces_close_bed(faces_bed *b)
{
    for (int i = 0; i < b->buffer_count; i++) {
        foehn_buffer_destroy(context, &b->buffers[i].buffer);
        free(b->buffers[i].whole);
    }
    for (int i = 0; i < b->array_count; i++)
        free(b->arrays[i]);
}

static void *array(faces_bed *b, size_t bytes)
{
    ck_assert_int_lt(b->array_count, FACES_MOST);
    return b->arrays[b->array_count++] = testing_alloc(bytes);
}

double *faces_wanted(faces_bed *b)
{
    return array(b, b->count * sizeof(double));
}

/* ---- packed arrays ---- */

/* The first of the places that are one in a periodic box. */
static size_t same_place(const faces_bed *b, const int at[3])
{
    int in[3] = {at[0], at[1], at[2]};
    for (int a = 0; a < 3; a += 2)
        in[a] = b->box.periodic ? at[a] % b->box.n[a] : at[a];
    return faces_index(&b->box, in);
}

float *faces_random(faces_bed *b, faces_kind kind, double low, double high)
{
    float *values = array(b, b->count * sizeof *values);
    EACH_OF(&b->box, kind, at)
    values[faces_index(&b->box, at)] = (float)testing_uniform(&b->random, low, high);
    EACH_OF(&b->box, kind, at)
    values[faces_index(&b->box, at)] = values[same_place(b, at)];
    return values;
}

uint8_t *faces_random_open(faces_bed *b, int axis)
{
    uint8_t *open = array(b, b->count);
    EACH_OF(&b->box, faces_across(axis), at)
    {
        uint64_t any = testing_random(&b->random) >> 16;
        bool shut = axis == 1 && (at[1] == 0 || at[1] == b->box.n[1]);
        open[faces_index(&b->box, at)] = (uint8_t)(shut || any % 4 == 0 ? 0
                                                   : any % 4 == 1       ? 255
                                                                        : 20 + any / 4 % 235);
    }
    EACH_OF(&b->box, faces_across(axis), at)
    open[faces_index(&b->box, at)] = open[same_place(b, at)];
    return open;
}

float *faces_corners(faces_bed *b)
{
    const int nx = b->box.n[0], nz = b->box.n[2];
    float *corner = array(b, b->columns * sizeof *corner);
    for (int k = 0; k <= nz; k++)
        for (int i = 0; i <= nx; i++) {
            double x = 2.0 * i / nx - 1, z = 2.0 * k / nz - 1;
            double hill = 0.7 * exp(-2 * (x * x + z * z)) + 0.1 * sin(5 * x + 2 * z);
            corner[faces_column(b, i, k)] =
                (float)(b->box.floor_y + (b->hilly ? hill * b->box.n[1] * b->box.h[1] : 0));
        }
    return corner;
}

/* ---- fields on the device ---- */

/* Element of a padded field; a place may be a ghost. */
static size_t element(const faces_bed *b, int i, int j, int k)
{
    foehn_box box = foehn_grid_box(&b->g, sizeof(float));
    return (size_t)((long)box.offset + k * (long)box.plane_pitch + j * (long)box.row_pitch + i);
}

static float anything(faces_bed *b)
{
    return (float)testing_uniform(&b->random, 500, 1000);
}

static cl_mem keep(faces_bed *b, float *whole, size_t bytes, const void *content)
{
    ck_assert_int_lt(b->buffer_count, FACES_MOST);
    cl_mem *buffer = &b->buffers[b->buffer_count].buffer;
    b->buffers[b->buffer_count++].whole = whole;
    OK(foehn_buffer_create(context, bytes, buffer));
    OK(foehn_buffer_write(context, *buffer, 0, bytes, content));
    return *buffer;
}

cl_mem faces_put(faces_bed *b, faces_kind kind, faces_beyond beyond, const float *values)
{
    const int *n = b->box.n;
    size_t elements = foehn_grid_elements(&b->g);
    float *whole = testing_alloc(elements * sizeof *whole);
    for (size_t i = 0; i < elements && beyond == FACES_ANYTHING; i++)
        whole[i] = anything(b);
    for (int k = -1; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = -1; i <= n[0]; i++) {
                int at[3] = {i, j, k};
                if (b->box.periodic && beyond == FACES_ANYTHING)
                    for (int a = 0; a < 3; a += 2)
                        at[a] = (at[a] + n[a]) % n[a];
                if (at[0] >= 0 && at[2] >= 0 && faces_exist(&b->box, kind, at))
                    whole[element(b, i, j, k)] = values[faces_index(&b->box, at)];
            }
    return keep(b, whole, elements * sizeof *whole, whole);
}

cl_mem faces_blank(faces_bed *b)
{
    size_t elements = foehn_grid_elements(&b->g);
    float *whole = testing_alloc(elements * sizeof *whole);
    for (size_t i = 0; i < elements; i++)
        whole[i] = anything(b);
    return keep(b, whole, elements * sizeof *whole, whole);
}

cl_mem faces_put_bytes(faces_bed *b, faces_kind kind, const uint8_t *values)
{
    size_t elements = foehn_grid_elements(&b->g);
    uint8_t *bytes = testing_alloc(elements);
    for (size_t i = 0; i < elements; i++)
        bytes[i] = (uint8_t)(testing_random(&b->random) >> 20);
    EACH_OF(&b->box, kind, at)
    bytes[element(b, at[0], at[1], at[2])] = values[faces_index(&b->box, at)];
    cl_mem buffer = keep(b, NULL, elements, bytes);
    free(bytes);
    return buffer;
}

/* Rows over the floor are as long as those of fields; there is one more than of corners, which
 * kernels may read and not use. */
static size_t column_elements(const faces_bed *b)
{
    return (size_t)b->g.sy * (size_t)(b->box.n[2] + 4);
}

static size_t column_element(const faces_bed *b, int i, int k)
{
    foehn_box box = foehn_grid_box(&b->g, sizeof(float));
    return (size_t)((long)(box.offset - box.plane_pitch) + k * (long)box.row_pitch + i);
}

static cl_mem put_columns(faces_bed *b, int first, const float *values)
{
    size_t elements = column_elements(b);
    float *whole = testing_alloc(elements * sizeof *whole);
    for (size_t i = 0; i < elements; i++)
        whole[i] = anything(b);
    for (int k = first; k <= b->box.n[2]; k++)
        for (int i = first; i <= b->box.n[0]; i++)
            whole[column_element(b, i, k)] = *values++;
    return keep(b, whole, elements * sizeof *whole, whole);
}

cl_mem faces_put_columns(faces_bed *b, const float *values)
{
    return put_columns(b, 0, values);
}

cl_mem faces_put_middles(faces_bed *b, const float *values)
{
    return put_columns(b, -1, values);
}

void faces_get_columns(faces_bed *b, cl_mem field, float *values)
{
    size_t elements = column_elements(b);
    float *whole = testing_alloc(elements * sizeof *whole);
    OK(foehn_buffer_read(context, field, 0, elements * sizeof *whole, whole));
    for (int k = 0; k <= b->box.n[2]; k++)
        for (int i = 0; i <= b->box.n[0]; i++)
            values[faces_column(b, i, k)] = whole[column_element(b, i, k)];
    free(whole);
}

static void get(faces_bed *b, faces_kind kind, cl_mem field, float *values, bool strictly)
{
    size_t elements = foehn_grid_elements(&b->g);
    float *whole = testing_alloc(elements * sizeof *whole);
    const float *before = NULL;
    for (int i = 0; i < b->buffer_count; i++)
        if (b->buffers[i].buffer == field)
            before = b->buffers[i].whole;
    OK(foehn_buffer_read(context, field, 0, elements * sizeof *whole, whole));
    EACH_OF(&b->box, kind, at)
    {
        size_t e = element(b, at[0], at[1], at[2]);
        values[faces_index(&b->box, at)] = whole[e];
        whole[e] = before ? before[e] : 0;
    }
    for (size_t e = 0; e < elements && strictly && before; e++)
        ck_assert_msg(memcmp(&whole[e], &before[e], sizeof(float)) == 0,
                      "%s: element %zu is no value of the field, and was written", b->name, e);
    free(whole);
}

void faces_get(faces_bed *b, faces_kind kind, cl_mem field, float *values)
{
    get(b, kind, field, values, true);
}

void faces_get_loosely(faces_bed *b, faces_kind kind, cl_mem field, float *values)
{
    get(b, kind, field, values, false);
}

void faces_check_same(faces_bed *b, faces_kind kind, cl_mem field, const double *want, double most,
                      const char *name, const char *file, int line)
{
    float *got = testing_alloc(b->count * sizeof *got);
    faces_get(b, kind, field, got);
    EACH_OF(&b->box, kind, at)
    {
        size_t c = faces_index(&b->box, at);
        ck_assert_msg(
            fabs((double)got[c] - want[c]) <= most,
            "%s:%d: %s: %s at (%d, %d, %d) is %.9g, not %.9g: apart by %.3g, at most %.3g", file,
            line, b->name, name, at[0], at[1], at[2], (double)got[c], want[c],
            fabs((double)got[c] - want[c]), most);
    }
    free(got);
}

/* ---- launches ---- */

foehn_size faces_cells(const faces_bed *b)
{
    return (foehn_size){(size_t)b->box.n[0], (size_t)b->box.n[1], (size_t)b->box.n[2]};
}

foehn_size faces_all(const faces_bed *b)
{
    foehn_size cells = faces_cells(b);
    return (foehn_size){cells.x + 1, cells.y + 1, cells.z + 1};
}

foehn_size faces_in_fours(const faces_bed *b)
{
    foehn_size all = faces_all(b);
    return (foehn_size){(all.x + 3) / 4, all.y, all.z};
}

wind_forcing faces_forcing(faces_bed *b)
{
    wind_forcing f = {.u10 = 9,
                      .dx = 0.6f,
                      .dz = -0.8f,
                      .z0 = 0.05f,
                      .profile_scale = (float)(1 / log(10 / 0.05)),
                      .gain = 0.3f,
                      .floor_y = (float)b->box.floor_y,
                      .curl_amplitude = 2.5f,
                      .ramp = 5};
    over_lattice(&b->random, 19, &f);
    for (int n = 0; n < 3; n++) /* the last from another direction */
        f.gust[n] = (wind_gust){(float)(7 * n - 9), n == 2 ? 0.28f : 0.6f, 4.5f,
                                n == 2 ? 0.96f : -0.8f, 2.0f / 30};
    return f;
}

int main(void)
{
    TCase *tests = testing_begin("wind_faces", TESTING_NEEDS_DEVICE);
    add_forcing_tests(tests);
    add_transport_tests(tests);
    add_projection_tests(tests);
    add_ground_tests(tests);
    add_step_tests(tests);
    add_momentum_tests(tests);
    return testing_end();
}

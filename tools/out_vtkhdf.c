/* SPDX-License-Identifier: MIT */
/* VTKHDF image data, for ParaView and VTK: values at cells, x east, y north, z up. */
#include "config.h"

#include "output.h"

#ifndef HAVE_HDF5

const output_format output_vtkhdf = {
    .extension = "vtkhdf", .what = "VTKHDF output", .package = "libhdf5-dev", .series = true};

#else

#include "attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VELOCITY, INTENSITY, HEIGHT, DATASETS };
static const char *const dataset_names[DATASETS] = {"velocity", "turbulence_intensity",
                                                    "height_above_ground"};

typedef struct vtkhdf_file {
    const char *path;
    hid_t file, group, cells, steps;
    hid_t datasets[DATASETS], values;
    bool series;
    hsize_t count; /* times written */
} vtkhdf_file;

static int failed(const vtkhdf_file *v)
{
    return fail(STATUS_FAILED, "%s: cannot be written: is the disk full?", v->path);
}

static bool put_integers(hid_t object, const char *name, hsize_t count, const int64_t *values)
{
    return attribute_put(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, count, values);
}

static bool put_numbers(hid_t object, const char *name, hsize_t count, const double *values)
{
    return attribute_put(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static hid_t make_group(hid_t parent, const char *name)
{
    /* Times of creation would make two equal runs write different bytes. */
    hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(plist, 0);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    return group;
}

/* A dataset that grows along its first dimension, a time at a time. */
static hid_t make_dataset(hid_t parent, const char *name, hid_t type, int rank, const hsize_t *dims,
                          const hsize_t *chunk, bool series)
{
    hsize_t most[5];
    memcpy(most, dims, (size_t)rank * sizeof *dims);
    if (series)
        most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(rank, dims, most);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, 0);
    H5Pset_chunk(plist, rank, chunk);
    if (rank > 1) {
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, 2);
    }
    hid_t dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return dataset;
}

static bool make_datasets(vtkhdf_file *v, const scene *s)
{
    bool done = true;
    int lead = v->series ? 1 : 0;
    for (int i = 0; i < DATASETS; i++) {
        hsize_t dims[5] = {0}, chunk[5] = {1, 1, 1, 1, 1};
        hsize_t cells[4] = {(hsize_t)s->nz, (hsize_t)s->ny, (hsize_t)s->nx, 3};
        int rank = i == VELOCITY ? 4 : 3;
        memcpy(dims + lead, cells, sizeof cells);
        chunk[lead + 1] = cells[1];
        chunk[lead + 2] = cells[2];
        chunk[lead + 3] = 3;
        v->datasets[i] = make_dataset(v->cells, dataset_names[i], H5T_IEEE_F32LE, rank + lead, dims,
                                      chunk, v->series);
        done = done && v->datasets[i] >= 0 &&
               attribute_put_text(v->datasets[i], "units",
                        i == VELOCITY ? "m/s"
                        : i == HEIGHT ? "m"
                                      : "1");
    }
    if (v->series) {
        hsize_t none = 0, chunk = 64;
        v->values = make_dataset(v->steps, "Values", H5T_IEEE_F64LE, 1, &none, &chunk, true);
        done = done && v->values >= 0;
    }
    return done;
}

static int vtkhdf_open(const char *path, const char *temporary, const scene *s, bool series,
                       void **file)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    vtkhdf_file *v = calloc(1, sizeof *v);
    *file = v;
    if (!v)
        return fail_memory();
    v->path = path;
    v->series = series;
    v->group = v->cells = v->steps = v->values = -1;
    for (int i = 0; i < DATASETS; i++)
        v->datasets[i] = -1;
    v->file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    v->group = v->file >= 0 ? make_group(v->file, "VTKHDF") : -1;
    v->cells = v->group >= 0 ? make_group(v->group, "CellData") : -1;
    v->steps = v->group >= 0 && series ? make_group(v->group, "Steps") : -1;
    if (v->cells < 0)
        return failed(v);

    const int64_t version[2] = {series ? 2 : 1, 0};
    const int64_t extent[6] = {0, s->nx, 0, s->ny, 0, s->nz};
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool done = put_integers(v->group, "Version", 2, version) &&
                attribute_put_text(v->group, "Type", "ImageData") &&
                put_integers(v->group, "WholeExtent", 6, extent) &&
                put_numbers(v->group, "Origin", 3, s->origin) &&
                put_numbers(v->group, "Spacing", 3, s->spacing) &&
                put_numbers(v->group, "Direction", 9, direction) && make_datasets(v, s);
    return done ? STATUS_OK : failed(v);
}

/* Put one time at the end. */
static bool append(const vtkhdf_file *v, hid_t dataset, int rank, const hsize_t *cells, hid_t type,
                   const void *values)
{
    if (!v->series)
        return H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    hsize_t size[5] = {v->count + 1}, start[5] = {v->count}, count[5] = {1};
    memcpy(size + 1, cells, (size_t)rank * sizeof *cells);
    memcpy(count + 1, cells, (size_t)rank * sizeof *cells);
    if (H5Dset_extent(dataset, size) < 0)
        return false;
    hid_t space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(rank + 1, count, NULL);
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

static int vtkhdf_write(void *file, const scene *s, const field *f)
{
    vtkhdf_file *v = file;
    size_t columns = (size_t)s->nx * (size_t)s->ny, n = columns * (size_t)s->nz;
    float *buffer = malloc(3 * n * sizeof *buffer);
    if (!buffer)
        return fail_memory();
    /* Filters of ParaView stumble over NaN: the air stands still under the ground. */
    for (size_t c = 0; c < n; c++) {
        buffer[3 * c] = isnan(f->east[c]) ? 0 : f->east[c];
        buffer[3 * c + 1] = isnan(f->north[c]) ? 0 : f->north[c];
        buffer[3 * c + 2] = isnan(f->up[c]) ? 0 : f->up[c];
    }
    hsize_t cells[4] = {(hsize_t)s->nz, (hsize_t)s->ny, (hsize_t)s->nx, 3};
    bool done = append(v, v->datasets[VELOCITY], 4, cells, H5T_NATIVE_FLOAT, buffer);
    for (size_t c = 0; c < n; c++)
        buffer[c] = isnan(f->intensity[c]) ? 0 : f->intensity[c];
    done = done && append(v, v->datasets[INTENSITY], 3, cells, H5T_NATIVE_FLOAT, buffer);
    /* Negative under the ground: a threshold at 0 cuts the ground away. */
    for (size_t c = 0; c < n; c++)
        buffer[c] = (float)(s->origin[2] + ((double)(c / columns) + 0.5) * s->spacing[2] -
                            (double)s->ground[c % columns]);
    done = done && append(v, v->datasets[HEIGHT], 3, cells, H5T_NATIVE_FLOAT, buffer);
    if (v->series)
        done = done && append(v, v->values, 0, cells, H5T_NATIVE_DOUBLE, &f->time);
    free(buffer);

    if (v->count == 0) {
        scene_fact facts[MOST_FACTS];
        int count = scene_facts(s, v->series ? NULL : f, facts);
        for (int i = 0; i < count; i++)
            done = done && attribute_put_text(v->file, facts[i].name, facts[i].value);
        if (s->place.wkt)
            done = done && attribute_put_text(v->file, "crs_wkt", s->place.wkt);
    }
    v->count++;
    return done ? STATUS_OK : failed(v);
}

static int vtkhdf_close(void *file, bool keep)
{
    vtkhdf_file *v = file;
    if (!v)
        return STATUS_OK;
    bool done = true;
    if (v->steps >= 0) {
        const int64_t steps = (int64_t)v->count;
        done = attribute_put(v->steps, "NSteps", H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &steps);
    }
    for (int i = 0; i < DATASETS; i++)
        if (v->datasets[i] >= 0)
            done = H5Dclose(v->datasets[i]) >= 0 && done;
    if (v->values >= 0)
        done = H5Dclose(v->values) >= 0 && done;
    const hid_t groups[3] = {v->cells, v->steps, v->group};
    for (int i = 0; i < 3; i++)
        if (groups[i] >= 0)
            H5Gclose(groups[i]);
    if (v->file >= 0)
        done = H5Fclose(v->file) >= 0 && done;
    int status = done || !keep ? STATUS_OK : failed(v);
    free(v);
    return status;
}

const output_format output_vtkhdf = {.extension = "vtkhdf",
                                     .what = "VTKHDF output",
                                     .series = true,
                                     .open = vtkhdf_open,
                                     .write = vtkhdf_write,
                                     .close = vtkhdf_close};

#endif

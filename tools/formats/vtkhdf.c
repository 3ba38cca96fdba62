/* SPDX-License-Identifier: MIT */
/* VTKHDF image data: named arrays of a box of cells, at one time or at many. */
#include "config.h"

#include "formats/vtkhdf.h"

#ifndef HAVE_HDF5

int vtkhdf_close(vtkhdf_file *file, bool keep)
{
    (void)file, (void)keep;
    return STATUS_OK;
}

#else

#include "formats/attribute.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

struct vtkhdf_file {
    const char *path;
    hid_t file, group, cells, steps;
    hid_t datasets[VTKHDF_MOST_ARRAYS], values;
    int array_count;
    vtkhdf_array arrays[VTKHDF_MOST_ARRAYS];
    int size[3];
    bool series;
    hsize_t count; /* times written */
};

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

/* Cells along z, y, x, and components where there are several.  Returns the rank. */
static int shape_of(const vtkhdf_file *v, int array, hsize_t dims[4])
{
    for (int k = 0; k < 3; k++)
        dims[k] = (hsize_t)v->size[2 - k];
    dims[3] = (hsize_t)v->arrays[array].components;
    return dims[3] > 1 ? 4 : 3;
}

static bool make_datasets(vtkhdf_file *v)
{
    bool done = true;
    int lead = v->series ? 1 : 0;
    for (int i = 0; i < v->array_count; i++) {
        hsize_t dims[5] = {0}, chunk[5] = {1, 1, 1, 1, 1}, cells[4];
        int rank = shape_of(v, i, cells);
        memcpy(dims + lead, cells, sizeof cells);
        memcpy(chunk + lead + 1, cells + 1, 3 * sizeof *cells); /* a level of one time */
        v->datasets[i] = make_dataset(v->cells, v->arrays[i].name, H5T_IEEE_F32LE, rank + lead,
                                      dims, chunk, v->series);
        done = done && v->datasets[i] >= 0 &&
               attribute_put_text(v->datasets[i], "units", v->arrays[i].units);
    }
    if (v->series) {
        hsize_t none = 0, chunk = 64;
        v->values = make_dataset(v->steps, "Values", H5T_IEEE_F64LE, 1, &none, &chunk, true);
        done = done && v->values >= 0;
    }
    return done;
}

int vtkhdf_create(const char *path, const char *temporary, const vtkhdf_box *box, int count,
                  const vtkhdf_array *arrays, bool series, vtkhdf_file **out)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    vtkhdf_file *v = calloc(1, sizeof *v);
    *out = v;
    if (!v)
        return fail_memory();
    v->path = path;
    v->series = series;
    v->array_count = count;
    memcpy(v->arrays, arrays, (size_t)count * sizeof *arrays);
    memcpy(v->size, box->cells, sizeof v->size);
    v->group = v->cells = v->steps = v->values = -1;
    for (int i = 0; i < VTKHDF_MOST_ARRAYS; i++)
        v->datasets[i] = -1;
    v->file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    v->group = v->file >= 0 ? make_group(v->file, "VTKHDF") : -1;
    v->cells = v->group >= 0 ? make_group(v->group, "CellData") : -1;
    v->steps = v->group >= 0 && series ? make_group(v->group, "Steps") : -1;
    if (v->cells < 0)
        return failed(v);

    const int64_t version[2] = {series ? 2 : 1, 0};
    const int64_t extent[6] = {0, box->cells[0], 0, box->cells[1], 0, box->cells[2]};
    bool done = put_integers(v->group, "Version", 2, version) &&
                attribute_put_text(v->group, "Type", "ImageData") &&
                put_integers(v->group, "WholeExtent", 6, extent) &&
                put_numbers(v->group, "Origin", 3, box->origin) &&
                put_numbers(v->group, "Spacing", 3, box->spacing) &&
                put_numbers(v->group, "Direction", 9, box->direction[0]) && make_datasets(v);
    return done ? STATUS_OK : failed(v);
}

/* Values of the present time, of so many cells of each axis; along the first one from `first` on.
 */
static bool put_at(const vtkhdf_file *v, hid_t dataset, int rank, const hsize_t *whole,
                   const hsize_t *cells, hsize_t first, hid_t type, const void *values)
{
    const int lead = v->series ? 1 : 0;
    hsize_t size[5] = {v->count + 1}, start[5] = {v->count}, count[5] = {1};
    memcpy(size + lead, whole, (size_t)rank * sizeof *whole);
    memcpy(count + lead, cells, (size_t)rank * sizeof *cells);
    if (rank > 0)
        start[lead] = first;
    if (v->series && H5Dset_extent(dataset, size) < 0)
        return false;
    hid_t space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(rank + lead, count, NULL);
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

int vtkhdf_write_levels(vtkhdf_file *v, int array, int first, int levels, const float *values)
{
    hsize_t whole[4], cells[4];
    int rank = shape_of(v, array, whole);
    memcpy(cells, whole, sizeof cells);
    cells[0] = (hsize_t)levels;
    bool done =
        put_at(v, v->datasets[array], rank, whole, cells, (hsize_t)first, H5T_NATIVE_FLOAT, values);
    return done ? STATUS_OK : failed(v);
}

int vtkhdf_write(vtkhdf_file *v, int array, const float *values)
{
    return vtkhdf_write_levels(v, array, 0, v->size[2], values);
}

int vtkhdf_note(vtkhdf_file *v, const char *name, const char *text)
{
    return attribute_put_text(v->file, name, text) ? STATUS_OK : failed(v);
}

int vtkhdf_end_time(vtkhdf_file *v, double time)
{
    const hsize_t none[4] = {0};
    bool done = !v->series || put_at(v, v->values, 0, none, none, 0, H5T_NATIVE_DOUBLE, &time);
    v->count++;
    return done ? STATUS_OK : failed(v);
}

int vtkhdf_close(vtkhdf_file *v, bool keep)
{
    if (!v)
        return STATUS_OK;
    bool done = true;
    if (v->steps >= 0) {
        const int64_t steps = (int64_t)v->count;
        done = attribute_put(v->steps, "NSteps", H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &steps);
    }
    for (int i = 0; i < VTKHDF_MOST_ARRAYS; i++)
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
    if (!done)
        leave_unclosed();
    int status = done || !keep ? STATUS_OK : failed(v);
    free(v);
    return status;
}

#endif

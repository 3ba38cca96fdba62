/* SPDX-License-Identifier: MIT */
/* Files of saved states (HDF5): the options that made them, and named arrays. */
#include "config.h"

#include "formats/state.h"

#include "file.h"
#include "guard.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint64_t state_hash(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * UINT64_C(1099511628211); /* FNV-1a */
    return h;
}

bool state_count(double number, double most, uint64_t *out)
{
    if (!(number >= 0 && number <= most && number == rint(number)))
        return false;
    *out = (uint64_t)number;
    return true;
}

int state_fail_library(const char *path, foehn_status status)
{
    return status == FOEHN_ERROR_ARGUMENT ? fail(STATUS_INPUT, "%s: %s", path, foehn_last_error())
                                          : fail_library(status);
}

int state_damaged(const char *path)
{
    return fail(STATUS_INPUT, "%s: is damaged: start anew", path);
}

void state_setting(setting *settings, int *count, const char *option, const char *format, ...)
{
    va_list arguments;
    setting *next = &settings[(*count)++];
    next->option = option;
    va_start(arguments, format);
    vsnprintf(next->value, sizeof next->value, format, arguments);
    va_end(arguments);
}

#ifndef HAVE_HDF5

static int without_hdf5(const char *path)
{
    return fail(STATUS_USAGE,
                "%s: this foehn was built without checkpoints: install libhdf5-dev, "
                "then configure and make again",
                path);
}

int state_check(const char *path)
{
    return without_hdf5(path);
}

int state_write(const char *path, const char *device, int setting_count, const setting *settings,
                int array_count, const state_array *arrays)
{
    (void)device, (void)setting_count, (void)settings, (void)array_count, (void)arrays;
    return without_hdf5(path);
}

int state_read(const char *path, const char *command, const char *device, int setting_count,
               const setting *settings, int array_count, state_array *arrays)
{
    (void)command, (void)device, (void)setting_count, (void)settings, (void)array_count;
    (void)arrays;
    return without_hdf5(path);
}

#else

#include "formats/attribute.h"

/* One text of a fixed length, as foehn writes it: H5Aread() fills as many elements as the file
 * says, whatever room there is. */
static bool get_text(hid_t object, const char *name, char text[SETTING_TEXT])
{
    text[0] = 0;
    if (H5Aexists(object, name) <= 0)
        return false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, SETTING_TEXT);
    bool done = H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(stored) == H5T_STRING &&
                H5Tis_variable_str(stored) == 0 && H5Aread(attribute, type, text) >= 0;
    text[SETTING_TEXT - 1] = 0;
    H5Tclose(type);
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
    return done;
}

static bool put_data(hid_t file, const char *name, hid_t type, size_t count, const void *data)
{
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plist, 0);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool done = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    done = dataset >= 0 && H5Dclose(dataset) >= 0 && done;
    H5Pclose(plist);
    H5Sclose(space);
    return done;
}

/* A dataset of this very file: no link that leads to another one. */
static hid_t open_data(hid_t file, const char *name)
{
    H5L_info_t link;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0 ||
        H5Lget_info(file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        return -1;
    return H5Dopen2(file, name, H5P_DEFAULT);
}

/* Elements of a dataset whose bytes lie in this file as they are; 0 when there is none, or when it
 * says more than the file holds (filters, fill values, other files). */
static size_t data_count(hid_t file, hid_t dataset)
{
    hsize_t size = 0;
    if (H5Fget_filesize(file, &size) < 0)
        return 0;
    hid_t plist = H5Dget_create_plist(dataset), space = H5Dget_space(dataset);
    hid_t type = H5Dget_type(dataset);
    size_t each = H5Tget_size(type);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    bool plain = H5Pget_layout(plist) == H5D_CONTIGUOUS && H5Pget_external_count(plist) == 0 &&
                 count > 0 && each > 0 && (hsize_t)count <= size / each;
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plist);
    return plain ? (size_t)count : 0;
}

static hid_t type_of(const state_array *a)
{
    return a->type == STATE_BYTES    ? H5T_NATIVE_UINT8
           : a->type == STATE_FLOATS ? H5T_NATIVE_FLOAT
                                     : H5T_NATIVE_DOUBLE;
}

static bool get_array(hid_t file, const state_array *a, size_t room, size_t *count)
{
    hid_t dataset = open_data(file, a->name);
    if (dataset < 0)
        return false;
    hid_t type = H5Dget_type(dataset);
    *count = data_count(file, dataset);
    bool done = H5Tequal(type, type_of(a)) > 0 && *count > 0 &&
                *count <= room / H5Tget_size(type_of(a)) &&
                H5Dread(dataset, type_of(a), H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data) >= 0;
    H5Tclose(type);
    H5Dclose(dataset);
    return done;
}

int state_check(const char *path)
{
    return file_check_writable(path);
}

int state_write(const char *path, const char *device, int setting_count, const setting *settings,
                int array_count, const state_array *arrays)
{
    const char *temporary;
    int status = file_begin(path, &temporary);
    if (status != STATUS_OK)
        return status;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool done = file >= 0 && attribute_put_text(file, "foehn", foehn_version()) &&
                attribute_put_text(file, "device", device);
    for (int i = 0; i < setting_count; i++)
        done = done && attribute_put_text(file, settings[i].option, settings[i].value);
    for (int i = 0; i < array_count; i++)
        done = done &&
               put_data(file, arrays[i].name, type_of(&arrays[i]), arrays[i].count, arrays[i].data);
    bool closed = file < 0 || H5Fclose(file) >= 0;
    if (!closed)
        leave_unclosed();
    done = file >= 0 && closed && done;
    if (done)
        return file_commit(temporary);
    file_discard(temporary);
    return fail(STATUS_FAILED, "%s: cannot be written: is the disk full?", path);
}

static int check_settings(const char *path, hid_t file, const char *command, const char *device,
                          int count, const setting *settings)
{
    char text[SETTING_TEXT];
    if (!get_text(file, "foehn", text) || H5Lexists(file, command, H5P_DEFAULT) <= 0)
        return fail(STATUS_INPUT, "%s: is no checkpoint of foehn %s", path, command);
    if (strcmp(text, foehn_version()) != 0)
        return fail(STATUS_INPUT, "%s: was written by foehn %s, this is %s: start anew", path, text,
                    foehn_version());
    for (int i = 0; i < count; i++) {
        if (!get_text(file, settings[i].option, text))
            snprintf(text, sizeof text, "something else");
        if (strcmp(text, settings[i].value) != 0)
            return fail(STATUS_INPUT,
                        "--resume %s: it was made with --%s %s, not %s: give the same "
                        "or start anew",
                        path, settings[i].option, text, settings[i].value);
    }
    if (device && get_text(file, "device", text) && strcmp(text, device) != 0)
        warn("--resume %s: it was made on %s: on %s the last bits may differ", path, text, device);
    return STATUS_OK;
}

/* A process of its own reads into shared memory: HDF5 takes what a file says for true. */
enum { MOST_ARRAYS = 8 };

typedef struct state_job {
    const char *path, *command, *device;
    int setting_count;
    const setting *settings;
    int array_count;
    state_array arrays[MOST_ARRAYS]; /* data: shared */
    size_t rooms[MOST_ARRAYS];       /* of these, bytes */
    size_t *counts;                  /* shared; what was read */
} state_job;

static int read_all(void *data)
{
    state_job *j = data;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(j->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return fail(STATUS_INPUT, "%s: cannot be read as a checkpoint (HDF5)", j->path);
    int status =
        check_settings(j->path, file, j->command, j->device, j->setting_count, j->settings);
    for (int i = 0; i < j->array_count && status == STATUS_OK; i++)
        if (!get_array(file, &j->arrays[i], j->rooms[i], &j->counts[i]))
            status = state_damaged(j->path);
    H5Fclose(file);
    return status;
}

/* What was read, out of shared memory. */
static int take_array(const char *path, const state_job *j, int i, state_array *a)
{
    size_t each = H5Tget_size(type_of(a)), count = j->counts[i];
    if (a->data && count != a->count)
        return state_damaged(path);
    if (!a->data) {
        a->count = count;
        a->data = malloc(count * each + 1);
    }
    if (!a->data)
        return fail_memory();
    memcpy(a->data, j->arrays[i].data, count * each);
    return STATUS_OK;
}

int state_read(const char *path, const char *command, const char *device, int setting_count,
               const setting *settings, int array_count, state_array *arrays)
{
    const size_t library = (size_t)1 << 28;
    state_job j = {path, command, device, setting_count, settings, array_count, {{0}}, {0}, NULL};
    size_t size;
    int status = file_check_readable(path, &size);
    if (status != STATUS_OK)
        return status;
    j.counts = guard_share(MOST_ARRAYS * sizeof *j.counts);
    bool made = j.counts != NULL;
    for (int i = 0; i < array_count && made; i++) {
        j.arrays[i] = arrays[i];
        j.rooms[i] = arrays[i].data ? arrays[i].count * H5Tget_size(type_of(&arrays[i])) : size;
        j.arrays[i].data = guard_share(j.rooms[i]);
        made = j.arrays[i].data != NULL;
    }
    status = made ? guard_run(path, library + 4 * size, read_all, &j) : fail_memory();
    for (int i = 0; i < array_count && status == STATUS_OK; i++)
        status = take_array(path, &j, i, &arrays[i]);
    for (int i = 0; i < array_count; i++)
        guard_unshare(j.arrays[i].data, j.rooms[i]);
    guard_unshare(j.counts, MOST_ARRAYS * sizeof *j.counts);
    return status;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Checkpoints: the wind's state as the library gives it, with the options that made it (HDF5). */
#include "config.h"

#include "file.h"
#include "wind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_HDF5

static int without_hdf5(const char *path)
{
    return fail(STATUS_USAGE,
                "%s: this foehn was built without checkpoints: install libhdf5-dev, "
                "then configure and make again",
                path);
}

int checkpoint_check(const char *path)
{
    return without_hdf5(path);
}

int checkpoint_write(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                     const run_state *state)
{
    (void)o;
    (void)s;
    (void)wind;
    (void)state;
    return without_hdf5(path);
}

int checkpoint_read(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                    run_state *state)
{
    (void)o;
    (void)s;
    (void)wind;
    (void)state;
    return without_hdf5(path);
}

#else

#include <hdf5.h>

/* Options that must be the same for the run to go on; the attribute has the option's name. */
enum { MOST_SETTINGS = 24, TEXT = 160 };
typedef struct setting {
    const char *option;
    char value[TEXT];
} setting;

static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * UINT64_C(1099511628211); /* FNV-1a */
    return h;
}

static int settings_of(const wind_options *o, const site *s, setting out[MOST_SETTINGS])
{
    const scene *sc = &s->scene;
    const uint64_t basis = UINT64_C(14695981039346656037);
    int n = 0;
#define SETTING(name, ...)                                                                         \
    do {                                                                                           \
        out[n].option = name;                                                                      \
        snprintf(out[n++].value, TEXT, __VA_ARGS__);                                               \
    } while (0)
    if (sc->has_terrain) {
        uint64_t ground =
            hash(basis, sc->ground, (size_t)sc->nx * (size_t)sc->ny * sizeof *sc->ground);
        SETTING("terrain", "%s (ground %016llx)", sc->terrain, (unsigned long long)ground);
    } else {
        SETTING("terrain", "none");
    }
    SETTING("cells", "%dx%dx%d", sc->nx, sc->nz, sc->ny);
    SETTING("spacing", "%.9gx%.9g", sc->spacing[0], sc->spacing[2]);
    SETTING("window", "%.10g,%.10g (south-west corner)", sc->origin[0], sc->origin[1]);
    SETTING("dt", "%.9g", sc->dt);
    SETTING("z0", "%.9g", sc->z0);
    SETTING("seed", "%llu", (unsigned long long)sc->seed);
    SETTING("scheme", "%s", sc->scheme);
    SETTING("pressure", "%s", sc->pressure);
    SETTING("sweeps", "%d", sc->sweeps);
    SETTING("advection", "%d", o->advection);
    SETTING("solids", "%d", o->solids);
    SETTING("relaxation", "%.9g", (double)s->params.relaxation);
    if (o->input) {
        input_series series;
        if (input_read(o->input, &series) != STATUS_OK)
            return -1;
        SETTING("input", "%zu rows (%016llx)", series.count,
                (unsigned long long)hash(basis, series.rows, series.count * sizeof *series.rows));
        input_destroy(&series);
    } else {
        SETTING("input", "none");
        SETTING("u10", "%.9g", sc->u10);
        SETTING("from", "%.17g", sc->from_true);
        SETTING("gustiness", "%.9g", sc->gustiness);
    }
    SETTING("height", "%.9g", sc->height);
    /* A run to a steady mean and one of a given length over terrain average differently. */
    if (sc->has_terrain)
        SETTING("duration", "%s",
                o->common.steps || o->common.duration > 0 ? "given" : "until steady");
#undef SETTING
    return n;
}

static bool put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, TEXT);
    char padded[TEXT] = "";
    snprintf(padded, sizeof padded, "%s", text);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, padded) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

static bool get_text(hid_t object, const char *name, char text[TEXT])
{
    text[0] = 0;
    if (H5Aexists(object, name) <= 0)
        return false;
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, TEXT);
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Aread(attribute, type, text) >= 0;
    text[TEXT - 1] = 0;
    H5Aclose(attribute);
    H5Tclose(type);
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

/* Elements of a dataset, 0 when there is none. */
static size_t data_count(hid_t file, const char *name)
{
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
        return 0;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return 0;
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(dataset);
    return count > 0 ? (size_t)count : 0;
}

static bool get_data(hid_t file, const char *name, hid_t type, size_t count, void *data)
{
    if (data_count(file, name) != count)
        return false;
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    bool done = dataset >= 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Dclose(dataset);
    return done;
}

/* The numbers of the steadiness test, in a fixed order. */
enum { STEADY_NUMBERS = 11 };

static void pack_steady(const steady *st, double numbers[STEADY_NUMBERS])
{
    const double all[STEADY_NUMBERS] = {
        st->averaging, st->spun_up,    (double)st->phase_start, (double)st->windows,
        st->sum,       st->previous,   (double)st->samples,     (double)st->next_check,
        st->change,    st->difference, st->average_start};
    memcpy(numbers, all, sizeof all);
}

static void unpack_steady(const double n[STEADY_NUMBERS], steady *st)
{
    st->averaging = n[0] != 0;
    st->spun_up = n[1] != 0;
    st->phase_start = (uint64_t)n[2];
    st->windows = (uint64_t)n[3];
    st->sum = n[4];
    st->previous = n[5];
    st->samples = (uint64_t)n[6];
    st->next_check = (uint64_t)n[7];
    st->change = n[8];
    st->difference = n[9];
    st->average_start = n[10];
}

static bool write_all(hid_t file, const site *s, const setting *settings, int count, size_t size,
                      const void *blob, const run_state *state)
{
    bool done =
        put_text(file, "foehn", foehn_version()) && put_text(file, "device", s->scene.device);
    for (int i = 0; i < count; i++)
        done = done && put_text(file, settings[i].option, settings[i].value);
    const double run[2] = {(double)state->outputs, state->average_start};
    done = done && put_data(file, "wind", H5T_NATIVE_UINT8, size, blob) &&
           put_data(file, "run", H5T_NATIVE_DOUBLE, 2, run);
    if (done && state->steady) {
        double numbers[STEADY_NUMBERS];
        pack_steady(state->steady, numbers);
        size_t columns = state->steady->columns;
        done = put_data(file, "steady", H5T_NATIVE_DOUBLE, STEADY_NUMBERS, numbers) &&
               put_data(file, "steady_east", H5T_NATIVE_FLOAT, columns, state->steady->east) &&
               put_data(file, "steady_north", H5T_NATIVE_FLOAT, columns, state->steady->north);
    }
    return done;
}

int checkpoint_check(const char *path)
{
    const char *temporary;
    int status = file_begin(path, &temporary);
    file_discard(temporary);
    return status;
}

int checkpoint_write(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                     const run_state *state)
{
    setting settings[MOST_SETTINGS];
    int count = settings_of(o, s, settings);
    if (count < 0)
        return STATUS_INPUT;
    size_t size = foehn_wind_get_checkpoint_size(wind);
    void *blob = malloc(size);
    if (!blob)
        return fail_memory();
    int status = fail_library(foehn_wind_read_checkpoint(wind, size, blob));
    const char *temporary = NULL;
    if (status == STATUS_OK)
        status = file_begin(path, &temporary);
    if (status == STATUS_OK) {
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        hid_t file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        bool done = file >= 0 && write_all(file, s, settings, count, size, blob, state);
        done = file >= 0 && H5Fclose(file) >= 0 && done;
        if (done) {
            status = file_commit(temporary);
        } else {
            file_discard(temporary);
            status = fail(STATUS_FAILED, "%s: cannot be written: is the disk full?", path);
        }
    }
    free(blob);
    return status;
}

static int check_settings(const char *path, hid_t file, const site *s, const setting *settings,
                          int count)
{
    char text[TEXT];
    if (!get_text(file, "foehn", text) || data_count(file, "wind") == 0)
        return fail(STATUS_INPUT, "%s: is no checkpoint of foehn wind", path);
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
    if (get_text(file, "device", text) && strcmp(text, s->scene.device) != 0)
        warn("--resume %s: it was made on %s: on %s the last bits may differ", path, text,
             s->scene.device);
    return STATUS_OK;
}

static int read_all(const char *path, hid_t file, foehn_wind *wind, run_state *state)
{
    size_t size = data_count(file, "wind");
    void *blob = malloc(size);
    if (!blob)
        return fail_memory();
    double run[2];
    bool done = get_data(file, "wind", H5T_NATIVE_UINT8, size, blob) &&
                get_data(file, "run", H5T_NATIVE_DOUBLE, 2, run);
    int status = done ? fail_library(foehn_wind_write_checkpoint(wind, size, blob)) : STATUS_INPUT;
    free(blob);
    if (done && state->steady) {
        double numbers[STEADY_NUMBERS];
        steady *st = state->steady;
        done = get_data(file, "steady", H5T_NATIVE_DOUBLE, STEADY_NUMBERS, numbers) &&
               get_data(file, "steady_east", H5T_NATIVE_FLOAT, st->columns, st->east) &&
               get_data(file, "steady_north", H5T_NATIVE_FLOAT, st->columns, st->north);
        if (done)
            unpack_steady(numbers, st);
    }
    if (!done)
        return fail(STATUS_INPUT, "%s: is damaged: start anew", path);
    state->outputs = (uint64_t)run[0];
    state->average_start = run[1];
    return status;
}

int checkpoint_read(const char *path, const wind_options *o, const site *s, foehn_wind *wind,
                    run_state *state)
{
    setting settings[MOST_SETTINGS];
    int count = settings_of(o, s, settings);
    if (count < 0)
        return STATUS_INPUT;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return fail(STATUS_INPUT, "%s: cannot be read as a checkpoint (HDF5)", path);
    int status = check_settings(path, file, s, settings, count);
    if (status == STATUS_OK)
        status = read_all(path, file, wind, state);
    H5Fclose(file);
    return status;
}

#endif

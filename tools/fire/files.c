/* SPDX-License-Identifier: MIT */
/* Files of a fire: pictures, OpenEXR, OpenVDB, VTKHDF, raw halves; of one time, or numbered. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "formats/vtkhdf.h"

#include <stdlib.h>
#include <string.h>

typedef enum file_kind { KIND_PNG, KIND_EXR, KIND_VDB, KIND_VTKHDF, KIND_RAW, KINDS } file_kind;
static const char *const extensions[KINDS] = {".png", ".exr", ".vdb", ".vtkhdf", ".raw"};

static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && dot != path && (!slash || dot > slash + 1) ? dot : "";
}

static file_kind kind_of(const char *path)
{
    int kind = 0;
    while (kind < KINDS && strcmp(extension_of(path), extensions[kind]) != 0)
        kind++;
    return (file_kind)kind;
}

int fire_files_check(const common_options *o)
{
    for (int i = 0; i < o->output_count; i++) {
        const char *path = o->outputs[i];
        const char *missing = NULL, *package = NULL;
        switch (kind_of(path)) {
        case KINDS:
            return fail(STATUS_USAGE,
                        "--out %s: unknown extension: known are .png, .exr, .vdb, .vtkhdf, .raw",
                        path);
        case KIND_PNG:
#ifndef HAVE_PNG
            missing = "pictures of fire", package = "libpng-dev";
#endif
            break;
        case KIND_EXR:
#ifndef HAVE_OPENEXR
            missing = "OpenEXR pictures", package = "libopenexr-dev";
#endif
            break;
        case KIND_VDB:
#ifndef HAVE_OPENVDB
            missing = "OpenVDB files", package = "libopenvdb-dev and a C++ compiler";
#endif
            break;
        case KIND_VTKHDF:
#ifndef HAVE_HDF5
            missing = "VTKHDF output", package = "libhdf5-dev";
#endif
            break;
        case KIND_RAW: break;
        }
        if (missing)
            return fail(STATUS_USAGE,
                        "--out %s: this foehn was built without %s: install %s, then "
                        "configure and make again",
                        path, missing, package);
    }
    return STATUS_OK;
}

int fire_files_check_scene(const common_options *o, const fire_scene *s)
{
    for (int i = 0; i < o->output_count; i++)
        if (kind_of(o->outputs[i]) == KIND_EXR &&
            (s->params.mode != FOEHN_FIRE_BURN || s->panel_count > 1))
            return fail(STATUS_USAGE,
                        "--out %s: OpenEXR has the light, depth and motion of one fire that burns: "
                        "give a scene with fire: {mode: burn}, or --out with .png",
                        o->outputs[i]);
        else if (kind_of(o->outputs[i]) == KIND_VTKHDF && s->follow[0])
            return fail(STATUS_USAGE,
                        "--out %s: has one place for the box at all times, and the scene's follows "
                        "its emitter: give a .vdb",
                        o->outputs[i]);
    return STATUS_OK;
}

int fire_files_open(fire_files *f)
{
    int status = STATUS_OK;
    for (int i = 0; i < f->options->output_count && status == STATUS_OK; i++) {
        if (kind_of(f->options->outputs[i]) != KIND_VTKHDF)
            continue;
        status = file_begin(f->options->outputs[i], &f->temporary[i]);
        if (status == STATUS_OK)
            status = fire_open_vtkhdf(f, i, f->options->every > 0);
    }
    return status;
}

static int write_one(fire_files *f, int output, const char *path, double time, uint32_t frame)
{
    const char *temporary;
    switch (kind_of(path)) {
    case KIND_PNG: return fire_painter_write(f->painter, f->fires, frame, path);
    case KIND_VTKHDF: return fire_write_vtkhdf(f, output, time);
    case KIND_RAW: return fire_write_raw(f, path);
    case KIND_EXR:
    case KIND_VDB: {
        int status = file_begin(path, &temporary);
        if (status == STATUS_OK)
            status = kind_of(path) == KIND_EXR ? fire_write_exr(f, temporary, path, frame)
                                               : fire_write_vdb(f, temporary, path, time);
        if (status == STATUS_OK)
            return file_commit(temporary);
        file_discard(temporary);
        return status;
    }
    case KINDS: break;
    }
    return STATUS_OK;
}

int fire_files_write(fire_files *f, bool sequence, double time, uint32_t frame)
{
    int status = STATUS_OK;
    if (sequence)
        f->written++;
    if (f->book)
        return fire_flipbook_add(f->book, f, frame);
    for (int i = 0; i < f->options->output_count && status == STATUS_OK; i++) {
        const char *path = f->options->outputs[i], *extension = extension_of(path);
        char name[1024];
        if (sequence && kind_of(path) != KIND_VTKHDF)
            snprintf(name, sizeof name, "%.*s_%0*d%s", (int)(extension - path), path, f->padding,
                     f->start + f->written - 1, extension);
        else
            snprintf(name, sizeof name, "%s", path);
        status = write_one(f, i, name, time, frame);
    }
    return status;
}

int fire_files_commit(fire_files *f)
{
    int status = f->book ? fire_flipbook_write(f->book, f) : STATUS_OK;
    for (int i = 0; i < f->options->output_count && status == STATUS_OK; i++) {
        if (!f->series[i])
            continue;
        status = vtkhdf_close(f->series[i], true);
        f->series[i] = NULL;
        if (status == STATUS_OK)
            status = file_commit(f->temporary[i]);
    }
    return status;
}

void fire_files_close(fire_files *f)
{
    for (int i = 0; i < f->options->output_count; i++) {
        vtkhdf_close(f->series[i], false);
        file_discard(f->temporary[i]);
    }
    fire_flipbook_destroy(f->book);
    foehn_volume_destroy(f->dye);
    foehn_volume_destroy(f->velocity);
}

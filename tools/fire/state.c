/* SPDX-License-Identifier: MIT */
/* Checkpoints of a fire. */
#include "config.h"

#include "fire/fire.h"
#include "formats/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What a file holds, ready to be written or read into. */
typedef struct fire_state {
    double run[2]; /* updates, pictures */
    setting settings[MOST_SETTINGS];
    state_array arrays[1 + MOST_PANELS];
    int setting_count, array_count;
} fire_state;

static int lay_out_settings(setting *settings, const fire_scene *s, const common_options *o)
{
    int n = 0;
    state_setting(settings, &n, "scene", "%.100s (%016llx)", s->name, (unsigned long long)s->hash);
    state_setting(settings, &n, "resolution", "%.9g", s->panels[0]);
    state_setting(settings, &n, "dt", "%.9g", s->dt);
    state_setting(settings, &n, "seed", "%llu", (unsigned long long)o->seed);
    state_setting(settings, &n, "points", "%d", s->sources[0].points);
    return n;
}

static int lay_out(fire_state *w, const fire_scene *s, const common_options *o,
                   foehn_fire *const *fires)
{
    static const char *const names[MOST_PANELS] = {"fire", "fire_2", "fire_3", "fire_4"};
    w->setting_count = lay_out_settings(w->settings, s, o);
    w->arrays[0] = (state_array){"run", STATE_DOUBLES, 2, w->run};
    w->array_count = 1;
    for (int n = 0; n < s->panel_count; n++) {
        size_t size = foehn_fire_get_checkpoint_size(fires[n]);
        void *blob = malloc(size);
        if (!blob)
            return fail_memory();
        w->arrays[w->array_count++] = (state_array){names[n], STATE_BYTES, size, blob};
    }
    return STATUS_OK;
}

static void let_go(fire_state *w)
{
    for (int n = 1; n < w->array_count; n++)
        free(w->arrays[n].data);
    free(w);
}

int fire_state_write(const char *path, const fire_scene *s, const common_options *o,
                     const char *device, foehn_fire *const *fires, const fire_progress *progress)
{
    fire_state *w = calloc(1, sizeof *w);
    if (!w)
        return fail_memory();
    int status = lay_out(w, s, o, fires);
    w->run[0] = (double)progress->updates;
    w->run[1] = progress->written;
    for (int n = 0; n < s->panel_count && status == STATUS_OK; n++)
        status = fail_library(
            foehn_fire_read_checkpoint(fires[n], w->arrays[1 + n].count, w->arrays[1 + n].data));
    if (status == STATUS_OK)
        status =
            state_write(path, device, w->setting_count, w->settings, w->array_count, w->arrays);
    let_go(w);
    return status;
}

int fire_state_check(const char *path, const fire_scene *s, const common_options *o,
                     uint64_t *updates)
{
    setting settings[MOST_SETTINGS];
    double run[2];
    state_array array = {"run", STATE_DOUBLES, 2, run};
    int count = lay_out_settings(settings, s, o);
    int status = state_read(path, "fire", NULL, count, settings, 1, &array);
    if (status == STATUS_OK && !state_count(run[0], 1e15, updates))
        status = state_damaged(path);
    return status;
}

int fire_state_read(const char *path, const fire_scene *s, const common_options *o,
                    const char *device, foehn_fire *const *fires, fire_progress *progress)
{
    fire_state *w = calloc(1, sizeof *w);
    if (!w)
        return fail_memory();
    int status = lay_out(w, s, o, fires);
    if (status == STATUS_OK)
        status = state_read(path, "fire", device, w->setting_count, w->settings, w->array_count,
                            w->arrays);
    for (int n = 0; n < s->panel_count && status == STATUS_OK; n++)
        status =
            state_fail_library(path, foehn_fire_write_checkpoint(fires[n], w->arrays[1 + n].count,
                                                                 w->arrays[1 + n].data));
    uint64_t written = 0;
    if (status == STATUS_OK && (!state_count(w->run[0], 1e15, &progress->updates) ||
                                !state_count(w->run[1], INT_MAX / 2, &written)))
        status = state_damaged(path);
    progress->written = (int)written;
    let_go(w);
    return status;
}

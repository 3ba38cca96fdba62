/* SPDX-License-Identifier: MIT */
/* The fire's page: opening scenes, the list of them, and what is saved of a fire. */
#include "config.h"

#include "view/overlay.h"
#include "view/page_fire.h"

#include <stdlib.h>
#include <string.h>

#define CPU_RESOLUTION 0.6 /* of the scene's, where a processor also draws */
enum { CPU_MARCH = 24 };   /* samples along a ray there, at most */

/* ---- opening ---- */

/* What a processor can do several times a second, unless told otherwise. */
static void choose_detail(fire_scene *s, const fire_changes *changes, foehn_context *ctx)
{
    foehn_device_info device = {.struct_size = sizeof device};
    if (foehn_context_get_device(ctx, &device) != FOEHN_OK || device.type != FOEHN_DEVICE_CPU)
        return;
    if (!(changes->resolution > 0)) {
        s->params.render_voxel /= CPU_RESOLUTION;
        s->params.physics_voxel /= CPU_RESOLUTION;
    }
    if (s->params.march_steps > CPU_MARCH)
        s->params.march_steps = CPU_MARCH;
    s->params.pass_scale = 1;
}

static int note_strengths(fire_page *p)
{
    size_t count = 0, n = 0;
    const fire_scene *s = p->scene;
    for (int i = 0; i < s->source_count; i++)
        count += (size_t)s->sources[i].proxy_count;
    p->strengths = malloc((count + 1) * sizeof *p->strengths);
    if (!p->strengths)
        return fail_memory();
    for (int i = 0; i < s->source_count; i++)
        for (int k = 0; k < s->sources[i].proxy_count; k++)
            p->strengths[n++] = *view_fire_strength_of(p, i, k);
    p->strength = 1;
    return STATUS_OK;
}

void view_fire_close(fire_page *p)
{
    fire_wind_close(p->wind);
    foehn_fire_destroy(p->fire);
    fire_scene_destroy(p->scene);
    free(p->strengths);
    p->wind = NULL;
    p->fire = NULL;
    p->scene = NULL;
    p->strengths = NULL;
}

int view_fire_open(fire_page *p, viewer *v, const char *scene, const fire_changes *changes)
{
    int status = fire_scene_read(scene, changes, &p->scene);
    if (status != STATUS_OK)
        return status;
    choose_detail(p->scene, changes, v->ctx);
    if (v->o->common.dt > 0)
        p->scene->dt = v->o->common.dt;
    p->view = (int)p->scene->picture.view;
    p->spec = p->scene->wind;
    view_fire_look_from_start(p);
    status = note_strengths(p);
    if (status == STATUS_OK)
        status = fire_wind_open(&p->spec, p->scene, &p->wind);
    if (status == STATUS_OK)
        status = fire_check(p->scene, v->o->common.seed);
    return status == STATUS_OK ? fire_create(p->scene, p->scene->panel_count - 1, v->o->common.seed,
                                             v->ctx, &p->fire)
                               : status;
}

/* ---- the list ---- */

static int count_scenes(void)
{
    int count = 0;
    while (fire_scenes[count].name)
        count++;
    return count;
}

void view_fire_list_begin(fire_page *p)
{
    p->listed = !p->listed;
    for (int n = 0; fire_scenes[n].name; n++)
        if (strcmp(fire_scenes[n].name, p->scene->name) == 0)
            p->chosen = n;
}

bool view_fire_list_key(fire_page *p, SDL_Keycode key)
{
    const int count = count_scenes();
    switch (key) {
    case SDLK_UP: p->chosen = (p->chosen + count - 1) % count; return true;
    case SDLK_DOWN: p->chosen = (p->chosen + 1) % count; return true;
    case SDLK_RETURN: p->asked = true; return true;
    default: return false;
    }
}

void view_fire_list_draw(fire_page *p, viewer *v)
{
    const double high = v->height - p->top - p->bottom, wide = 660;
    const int rows = count_scenes();
    const bool roomy = (rows + 1) * VIEW_ROW + 8 <= high && wide <= v->width;
    view_panel(&v->ui, 0, p->top, roomy ? wide : v->width, roomy ? (rows + 1) * VIEW_ROW + 8 : high,
               0x161b23f0);
    view_row(&v->ui, 10, p->top + 4, (roomy ? wide : v->width) - 20);
    view_label(&v->ui, "Scenes: Up, Down, Return, or a click; l: close", 0xf2d98cff);
    for (int n = 0; n < rows; n++) {
        char about[200];
        if (roomy || n == 0)
            view_row_break(&v->ui, 0);
        if (view_chip(&v->ui, fire_scenes[n].name, VIEW_BUTTON, n == p->chosen)) {
            p->chosen = n;
            p->asked = true;
        }
        builtin_about(&fire_scenes[n], sizeof about, about);
        if (roomy)
            view_label(&v->ui, about, 0x9aa3b0ff);
    }
}

/* ---- what is saved ---- */

void view_fire_export(fire_page *p, viewer *v)
{
    char path[300];
    common_options options;
    foehn_fire *fires[MOST_PANELS];
    fire_files files = p->files;
    view_free_name(v, "vdb", &p->exports, path);
    common_options_init(&options);
    options.outputs[options.output_count++] = path;
    for (int n = 0; n < MOST_PANELS; n++)
        fires[n] = p->fire;
    files.scene = p->scene;
    files.options = &options;
    files.fires = fires;
    files.ctx = v->ctx;
    int status = fire_files_check(&options);
    if (status == STATUS_OK)
        status = fire_files_write(&files, false, (double)p->done * p->scene->dt, 0);
    fire_files_close(&files);
    if (status == STATUS_OK)
        view_say(v, "saved %s", path);
    else
        view_say(v,
                 status == STATUS_USAGE ? "this foehn was built without OpenVDB"
                                        : "%s cannot be written",
                 path);
}

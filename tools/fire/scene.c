/* SPDX-License-Identifier: MIT */
/* Scenes of foehn fire: reading them with a schema. */
#include "config.h"

#include "file.h"
#include "fire/fire.h"
#include "formats/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR 1e5

const builtin_table fire_builtin = {"fire", fire_scenes};

/* ---- parameters ---- */

/* Numbers of the fire by their place in the parameters. */
static const struct {
    const char *key;
    size_t offset;
    double low, high;
} numbers[] = {
#define NUMBER(name, low, high)                                                                    \
    {                                                                                              \
#name, offsetof(foehn_fire_params, name), low, high                                        \
    }
    NUMBER(speed, 1e-3, 100),
    NUMBER(confinement, 0, 1e4),
    NUMBER(buoyancy, -1e4, 1e4),
    NUMBER(smoke_weight, -1e4, 1e4),
    NUMBER(damping, 0, 1e4),
    NUMBER(turbulence, 0, 1e3),
    NUMBER(noise_frequency, 1e-3, 1e3),
    NUMBER(noise_decay, 0, 1e3),
    NUMBER(curl_multiplier, 0, 1e4),
    NUMBER(dissipation, 0, 1e3),
    NUMBER(cooling, 0, 1e3),
    NUMBER(emit_density, 0, 1e3),
    NUMBER(emit_temperature, 0, 1e3),
    NUMBER(friction, 0, 1),
    NUMBER(angular_multiplier, -100, 100),
    NUMBER(collision_margin, 0, 0.999),
    NUMBER(pass_scale, 0.1, 1),
    NUMBER(radiance, 0, 1e6),
    NUMBER(palette_temperature, 1e-3, 1e4),
    NUMBER(ignition, 0, 2000),
    NUMBER(expansion, 0, 4),
    NUMBER(flame_length, 0.01, 100),
    NUMBER(cfl, 0.1, 20)
#undef NUMBER
};

/* And of a fuel of the scene's own. */
static const struct {
    const char *key;
    size_t offset;
    double low, high;
} fuel_numbers[] = {
#define NUMBER(name, low, high)                                                                    \
    {                                                                                              \
#name, offsetof(foehn_fire_fuel, name), low, high                                          \
    }
    NUMBER(heat, 0.1, 200),   NUMBER(air, 0.1, 100),   NUMBER(soot_yield, 0, 1),
    NUMBER(flame_soot, 0, 1), NUMBER(radiative, 0, 1), NUMBER(albedo, 0, 1),
    NUMBER(blue, 0, 100)
#undef NUMBER
};
enum { FUEL_NUMBERS = sizeof fuel_numbers / sizeof fuel_numbers[0] };
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static int read_methods(yaml_at at, foehn_fire_params *p)
{
    static const char *const transports[] = {"semi-lagrangian", "maccormack", NULL};
    static const char *const velocity_transports[] = {"semi-lagrangian", "maccormack", "central",
                                                      NULL};
    static const char *const solvers[] = {"jacobi", "multigrid", "wide", NULL};
    static const char *const layouts[] = {"collocated", "staggered", NULL};
    int velocity = (int)p->velocity_transport, dye = (int)p->dye_transport;
    int layout = (int)p->layout, pressure = (int)p->pressure;
    CHECK(yaml_choice(yaml_get(at, "velocity_transport"), "velocity_transport",
                      p->mode == FOEHN_FIRE_BURN ? velocity_transports : transports, &velocity));
    CHECK(yaml_choice(yaml_get(at, "dye_transport"), "dye_transport", transports, &dye));
    CHECK(yaml_choice(yaml_get(at, "layout"), "layout", layouts, &layout));
    CHECK(yaml_choice(yaml_get(at, "pressure"), "pressure", solvers, &pressure));
    p->velocity_transport = (foehn_fire_transport)velocity;
    p->dye_transport = (foehn_fire_transport)dye;
    p->layout = (foehn_fire_layout)layout;
    p->pressure = (foehn_fire_pressure)pressure;
    CHECK(yaml_whole(yaml_get(at, "sweeps"), "sweeps", 1, 1000, &p->sweeps));
    CHECK(yaml_whole(yaml_get(at, "cycles"), "cycles", 1, 100, &p->cycles));
    CHECK(yaml_whole(yaml_get(at, "max_steps"), "max_steps", 1, 1000, &p->max_steps));
    return yaml_whole(yaml_get(at, "march_steps"), "march_steps", 1, 1024, &p->march_steps);
}

/* A fuel of the table by its name, or one with some numbers of its own. */
static int read_fuel(yaml_at at, foehn_fire_fuel *fuel)
{
    enum { MOST_FUELS = 32 };
    const char *names[MOST_FUELS + 1] = {NULL}, *keys[FUEL_NUMBERS + 2] = {"like"};
    int row = -1;
    if (!at.node)
        return STATUS_OK;
    for (int n = 0; n < MOST_FUELS; n++)
        names[n] = foehn_fire_fuel_get(n, NULL);
    bool named = yaml_text(at) != NULL;
    CHECK(yaml_choice(named ? at : yaml_get(at, "like"), "fuel", names, &row));
    if (row >= 0)
        foehn_fire_fuel_get(row, fuel);
    if (named)
        return STATUS_OK;
    for (int n = 0; n < FUEL_NUMBERS; n++)
        keys[n + 1] = fuel_numbers[n].key;
    CHECK(yaml_check_keys(at, "fuel", keys));
    for (int n = 0; n < FUEL_NUMBERS; n++) {
        float *number = (float *)((char *)fuel + fuel_numbers[n].offset);
        double value = (double)*number;
        CHECK(yaml_number(yaml_get(at, fuel_numbers[n].key), fuel_numbers[n].key,
                          fuel_numbers[n].low, fuel_numbers[n].high, &value));
        *number = (float)value;
    }
    if (fuel->flame_soot < fuel->soot_yield)
        return yaml_fail(
            at, "fuel: flame_soot, %g, is less than soot_yield, %g, which leaves the flame",
            (double)fuel->flame_soot, (double)fuel->soot_yield);
    return STATUS_OK;
}

/* Burning has other defaults; the box and the seed stay. */
static int read_mode(yaml_at at, foehn_fire_params *p)
{
    static const char *const modes[] = {"preset", "burn", NULL};
    int mode = (int)p->mode;
    bool ground, active;
    CHECK(yaml_choice(yaml_get(at, "mode"), "mode", modes, &mode));
    if (mode == FOEHN_FIRE_BURN) {
        foehn_fire_params burning;
        foehn_fire_params_burn(&burning);
        memcpy(burning.size, p->size, sizeof burning.size);
        burning.pose = p->pose;
        burning.render_voxel = p->render_voxel;
        burning.physics_voxel = p->physics_voxel;
        *p = burning;
    } else if (yaml_get(at, "fuel").node || yaml_get(at, "ignition").node ||
               yaml_get(at, "expansion").node || yaml_get(at, "flame_length").node ||
               yaml_get(at, "cfl").node || yaml_get(at, "active").node)
        return yaml_fail(at,
                         "fire: fuel, ignition, expansion, flame_length, cfl and active are for "
                         "mode: burn");
    active = p->active != 0;
    CHECK(yaml_truth(yaml_get(at, "active"), "active", &active));
    p->active = active;
    ground = p->floor != 0;
    CHECK(yaml_truth(yaml_get(at, "floor"), "floor", &ground));
    p->floor = ground;
    return read_fuel(yaml_get(at, "fuel"), &p->fuel);
}

static int read_fire(yaml_at at, foehn_fire_params *p)
{
    static const char *const methods[] = {
        "velocity_transport", "dye_transport", "layout", "pressure", "sweeps", "cycles",
        "max_steps",          "march_steps",   "mode",   "fuel",     "floor",  "active"};
    enum { METHODS = sizeof methods / sizeof methods[0] };
    const char *keys[NUMBERS + METHODS + 1] = {NULL};
    if (!at.node)
        return STATUS_OK;
    for (int n = 0; n < NUMBERS; n++)
        keys[n] = numbers[n].key;
    for (int n = 0; n < METHODS; n++)
        keys[NUMBERS + n] = methods[n];
    CHECK(yaml_check_keys(at, "fire", keys));
    CHECK(read_mode(at, p));
    for (int n = 0; n < NUMBERS; n++) {
        float *number = (float *)((char *)p + numbers[n].offset);
        double value = (double)*number;
        CHECK(yaml_number(yaml_get(at, numbers[n].key), numbers[n].key, numbers[n].low,
                          numbers[n].high, &value));
        *number = (float)value;
    }
    return read_methods(at, p);
}

static int read_box(yaml_at at, fire_scene *s)
{
    static const char *const keys[] = {"size",          "center", "rotation", "voxel",
                                       "physics_voxel", "follow", NULL};
    foehn_fire_params *p = &s->params;
    double degrees[3];
    if (!at.node)
        return STATUS_OK;
    yaml_at size = yaml_get(at, "size"), center = yaml_get(at, "center");
    CHECK(yaml_check_keys(at, "box", keys));
    CHECK(yaml_copy_text(yaml_get(at, "follow"), "follow", sizeof s->follow, s->follow));
    CHECK(yaml_numbers(size, "size", 3, p->size));
    for (int k = 0; k < 3; k++)
        if (!(p->size[k] >= 1e-3 && p->size[k] <= 1e4))
            return yaml_fail(size, "size: %g is out of range: 0.001 to 10000 m", p->size[k]);
    p->pose.position[1] = 0.5 * p->size[1]; /* the floor is y = 0 */
    CHECK(yaml_numbers(center, "center", 3, p->pose.position));
    for (int k = 0; k < 3; k++)
        if (fabs(p->pose.position[k]) > FAR)
            return yaml_fail(center, "center: %g is out of range: up to %g m", p->pose.position[k],
                             FAR);
    if (yaml_get(at, "rotation").node) {
        CHECK(yaml_numbers(yaml_get(at, "rotation"), "rotation", 3, degrees));
        fire_rotation(degrees, p->pose.rotation);
    }
    double ratio = p->physics_voxel / p->render_voxel;
    CHECK(yaml_number(yaml_get(at, "voxel"), "voxel", 1e-4, 100, &p->render_voxel));
    p->physics_voxel = ratio * p->render_voxel;
    return yaml_number(yaml_get(at, "physics_voxel"), "physics_voxel", 1e-4, 100,
                       &p->physics_voxel);
}

static int read_panels(yaml_at list, fire_scene *s)
{
    int count = yaml_count(list);
    if (!list.node)
        return STATUS_OK;
    if (count < 2 || count > MOST_PANELS)
        return yaml_fail(list, "resolutions: must be a list of 2 to %d numbers", MOST_PANELS);
    for (int n = 0; n < count; n++)
        CHECK(yaml_number(yaml_item(list, n), "resolutions", 0.05, 20, &s->panels[n]));
    s->panel_count = count;
    return STATUS_OK;
}

/* ---- the scene ---- */

static int read_lists(yaml_at root, fire_scene *s)
{
    int slots[3] = {0, 0, 0};
    yaml_at list = yaml_get(root, "emitters");
    if (!yaml_is_sequence(list) || yaml_count(list) < 1 || yaml_count(list) > MOST_SOURCES)
        return yaml_fail(list.node ? list : root, "emitters: must be a list of 1 to %d",
                         MOST_SOURCES);
    for (int i = 0; i < yaml_count(list); i++)
        CHECK(fire_scene_source(yaml_item(list, i), s, &s->sources[s->source_count++]));
    list = yaml_get(root, "colliders");
    if (list.node && (!yaml_is_sequence(list) || yaml_count(list) > MOST_BODIES))
        return yaml_fail(list, "colliders: must be a list of at most %d", MOST_BODIES);
    for (int i = 0; i < yaml_count(list); i++) {
        fire_body *b = &s->bodies[s->body_count++];
        CHECK(fire_scene_body(yaml_item(list, i), s, b));
        b->slot = slots[b->shape]++;
    }
    s->params.max_boxes = slots[FOEHN_FIRE_BOX];
    s->params.max_ellipsoids = slots[FOEHN_FIRE_ELLIPSOID];
    s->params.max_meshes = slots[FOEHN_FIRE_MESH];
    return STATUS_OK;
}

/* The emitter that the box goes with is there; the box has nothing that stays. */
static int check_follow(yaml_at at, const fire_scene *s)
{
    int source = 0;
    if (!s->follow[0])
        return STATUS_OK;
    if (s->params.mode != FOEHN_FIRE_BURN)
        return yaml_fail(at, "follow: is for fire: {mode: burn}");
    if (s->terrain.file[0])
        return yaml_fail(at, "follow: over terrain the box stays");
    while (source < s->source_count && strcmp(s->sources[source].name, s->follow) != 0)
        source++;
    return source < s->source_count
               ? STATUS_OK
               : yaml_fail(at, "follow: no emitter is called \"%s\"", s->follow);
}

static int read_scene(yaml_at root, fire_scene *s)
{
    static const char *const keys[] = {"title",    "about",      "dt",          "duration",
                                       "box",      "fire",       "resolutions", "wind",
                                       "emitters", "colliders",  "camera",      "picture",
                                       "terrain",  "firebrands", NULL};
    CHECK(yaml_check_keys(root, "scene", keys));
    CHECK(yaml_copy_text(yaml_get(root, "title"), "title", sizeof s->title, s->title));
    CHECK(yaml_copy_text(yaml_get(root, "about"), "about", sizeof s->about, s->about));
    CHECK(yaml_number(yaml_get(root, "dt"), "dt", 1e-6, 100, &s->dt));
    CHECK(yaml_number(yaml_get(root, "duration"), "duration", 1e-6, 1e6, &s->duration));
    CHECK(read_box(yaml_get(root, "box"), s));
    CHECK(read_fire(yaml_get(root, "fire"), &s->params));
    CHECK(fire_brands_read(yaml_get(root, "firebrands"), &s->params, s));
    CHECK(read_panels(yaml_get(root, "resolutions"), s));
    CHECK(fire_ground_read(yaml_get(root, "terrain"), s, &s->terrain));
    CHECK(fire_wind_read(yaml_get(root, "wind"), s, &s->wind));
    CHECK(read_lists(root, s));
    CHECK(check_follow(yaml_get(yaml_get(root, "box"), "follow"), s));
    CHECK(fire_scene_read_camera(yaml_get(root, "camera"), &s->picture));
    return fire_scene_read_picture(yaml_get(root, "picture"), s);
}

/* ---- the command line's part ---- */

static int replace_mesh(const fire_changes *c, fire_scene *s)
{
    static const double sizes[][3] = {{0.4, 0, 0}, {0.5, 0.35, 0}, {0.6, 0.6, 0.6}, {0.4, 0, 0},
                                      {1.4, 0, 0}, {0.4, 0.6, 0}}; /* of the shapes, m */
    fire_source *first = &s->sources[0];
    mesh new;
    int kind = 0;
    while (mesh_shape_names[kind] && strcmp(mesh_shape_names[kind], c->mesh) != 0)
        kind++;
    double size[3];
    for (int k = 0; mesh_shape_names[kind] && k < 3; k++)
        size[k] = c->mesh_scale * sizes[kind][k];
    int status = mesh_shape_names[kind] ? mesh_make_shape((mesh_shape_kind)kind, size, &new)
                                        : mesh_read(c->mesh, c->mesh_scale, c->mesh_up == 1, &new);
    if (status != STATUS_OK)
        return status;
    mesh_destroy(&first->mesh);
    first->mesh = new;
    return STATUS_OK;
}

/* The ground is one mesh more; heights of emitters are above it. */
static int lay_ground(fire_scene *s)
{
    double finest = 0;
    if (!s->terrain.file[0])
        return STATUS_OK;
    if (s->body_count == MOST_BODIES)
        return fail(STATUS_INPUT, "%s: %d colliders and terrain are one too many", s->name,
                    MOST_BODIES);
    foehn_fire_params params = s->params;
    for (int n = 0; n < s->panel_count; n++)
        finest = fmax(finest, s->panels[n]);
    params.physics_voxel /= finest;
    CHECK(fire_ground_open(&s->terrain, &params, &s->ground));
    fire_body *b = &s->bodies[s->body_count++];
    b->shape = FOEHN_FIRE_MESH;
    b->slot = s->params.max_meshes++;
    b->half[0] = b->half[1] = b->half[2] = 1;
    b->motion.key_count = 1;
    b->motion.keys[0].rotation[3] = 1;
    for (int i = 0; i < s->source_count; i++)
        for (int n = 0; n < s->sources[i].proxy_count; n++) {
            fire_motion *m = &s->sources[i].proxies[n].motion;
            for (int k = 0; k < m->key_count; k++)
                m->keys[k].position[1] +=
                    fire_ground_height(s->ground, m->keys[k].position[0], m->keys[k].position[2],
                                       params.physics_voxel);
        }
    CHECK(fire_ground_mesh(s->ground, &params, &b->mesh, &b->voxel));
    if (isnan(s->picture.daylight))
        return STATUS_OK;
    s->picture.land = &s->land;
    return fire_ground_land(s->ground, &s->land);
}

static uint64_t hash_mesh(uint64_t hash, const mesh *m)
{
    hash = state_hash(hash, m->vertices, m->vertex_count * sizeof *m->vertices);
    return state_hash(hash, m->triangles, m->triangle_count * sizeof *m->triangles);
}

static int apply(const fire_changes *c, fire_scene *s)
{
    for (int n = 0; n < s->panel_count && c->resolution > 0; n++)
        s->panels[n] *= c->resolution;
    if (c->mesh)
        CHECK(replace_mesh(c, s));
    if (c->points >= -1)
        s->sources[0].points = c->points;
    if (c->width) {
        s->picture.width = c->width;
        s->picture.height = c->height;
        s->size_given = true;
    }
    if (c->view >= 0)
        s->picture.view = (foehn_fire_view)c->view;
    if (c->background)
        snprintf(s->background, sizeof s->background, "%s", c->background);
    if (c->depth)
        snprintf(s->depth, sizeof s->depth, "%s", c->depth);
    if (strcmp(s->background, "transparent") == 0 && s->picture.draw_colliders)
        s->picture.draw_colliders = 2; /* neither ground nor sky */
    CHECK(lay_ground(s));
    for (int i = 0; i < s->source_count; i++)
        s->hash = hash_mesh(s->hash, &s->sources[i].mesh);
    for (int i = 0; i < s->body_count; i++)
        s->hash = hash_mesh(s->hash, &s->bodies[i].mesh);
    return STATUS_OK;
}

/* The text of the scene, for checkpoints to know it by. */
static int hash_text(const char *name, uint64_t *hash)
{
    *hash = STATE_HASH_START;
    for (const builtin_scene *b = fire_scenes; b->name; b++)
        if (strcmp(b->name, name) == 0) {
            *hash = state_hash(*hash, b->text, strlen(b->text));
            return STATUS_OK;
        }
    FILE *stream;
    int status = file_open("", name, &stream);
    if (status != STATUS_OK)
        return status;
    char bytes[4096];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        *hash = state_hash(*hash, bytes, n);
    fclose(stream);
    return STATUS_OK;
}

static void init(fire_scene *s, const char *name)
{
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->title, sizeof s->title, "%s", name);
    snprintf(s->background, sizeof s->background, "black");
    s->params = foehn_fire_params_default();
    s->picture = foehn_fire_picture_default();
    s->picture.draw_colliders = 1;
    s->dt = 1.0 / 30;
    s->duration = 4;
    s->panel_count = 1;
    s->panels[0] = 1;
}

int fire_scene_read(const char *name, const fire_changes *changes, fire_scene **out)
{
    yaml_file *file;
    *out = NULL;
    if (strlen(name) >= LONGEST_PATH)
        return fail(STATUS_INPUT, "%s: a name over %d bytes", name, LONGEST_PATH - 1);
    int status = builtin_open(&fire_builtin, name, &file);
    if (status != STATUS_OK)
        return status;
    fire_scene *s = calloc(1, sizeof *s);
    status = s ? STATUS_OK : fail_memory();
    if (s) {
        init(s, name);
        status = read_scene(yaml_root(file), s);
    }
    yaml_close(file);
    if (status == STATUS_OK)
        status = hash_text(name, &s->hash);
    if (status == STATUS_OK)
        status = apply(changes, s);
    if (status != STATUS_OK) {
        fire_scene_destroy(s);
        return status;
    }
    *out = s;
    return STATUS_OK;
}

void fire_scene_destroy(fire_scene *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->source_count; i++) {
        mesh_destroy(&s->sources[i].mesh);
        free(s->sources[i].proxies);
    }
    for (int i = 0; i < s->body_count; i++)
        mesh_destroy(&s->bodies[i].mesh);
    fire_ground_close(s->ground);
    free((void *)s->land.heights);
    free(s);
}

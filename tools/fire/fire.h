/* SPDX-License-Identifier: MIT */
/* foehn fire: what its files share.
 *
 * A scene's time is the caller's: the preset's fire runs 1.5 times as fast.  Lengths are metres of
 * the world, Y up. */
#ifndef FIRE_TOOL_H
#define FIRE_TOOL_H

#include "formats/builtin.h"
#include "fire/mesh.h"
#include "options.h"
#include "formats/png_file.h"

#include <foehn/fire.h>
#include <foehn/firebrands.h>

enum {
    MOST_SOURCES = 64,
    MOST_PROXIES = 256,
    MOST_BODIES = 64,
    MOST_KEYS = 64,
    MOST_SPANS = 16,
    MOST_PANELS = 4,
    MOST_LANDINGS = 8,
    LONGEST_PATH = 512
};

/* ---- motion ---- */

typedef struct motion_key {
    double at; /* s */
    double position[3], rotation[4];
} motion_key;

/* Where something is, over time: a Catmull-Rom curve through keys, turned steadily, now and then
 * switched off. */
typedef struct fire_motion {
    int key_count; /* at least 1 */
    motion_key keys[MOST_KEYS];
    bool repeat;    /* after the last key from the first one again */
    double spin[3]; /* about the axes of the world, rad/s */
    int span_count; /* 0: always there */
    double spans[MOST_SPANS][2];
} fire_motion;

typedef struct motion_state {
    foehn_fire_pose pose;
    double velocity[3], angular[3]; /* m/s, rad/s, in the caller's seconds */
    bool active;
} motion_state;

void fire_motion_at(const fire_motion *m, double time, motion_state *out);
/* Degrees about the fixed axes x, then y, then z. */
void fire_rotation(const double degrees[3], double quaternion[4]);
void fire_rotate(const double quaternion[4], const double v[3], double out[3]);
/* Where a box of this size about the origin reaches once it is placed, along the world's axes, m.
 */
void fire_box_reach(const foehn_fire_pose *pose, const double size[3], double low[3],
                    double high[3]);
/* Keys position, rotation, path, repeat, spin and on of a mapping; what is not there stays. */
int fire_motion_read(yaml_at at, fire_motion *m);
#define FIRE_MOTION_KEYS "position", "rotation", "path", "repeat", "spin", "on"

/* ---- a scene ---- */

typedef struct fire_proxy {
    fire_motion motion;
    double multiplier, tint, brush;
    double power, pilot;   /* kW; K */
    foehn_fire_proxy last; /* as set in the library */
    bool set;
} fire_proxy;

typedef struct fire_source {
    char name[32];
    mesh mesh;
    int points; /* spread over the mesh; 0: its vertices; -1: by its area */
    int proxy_count;
    fire_proxy *proxies;
} fire_source;

typedef struct fire_body {
    foehn_fire_shape shape;
    int slot;
    double half[3];
    mesh mesh;
    double voxel;
    fire_motion motion;
    foehn_fire_collider last;
    bool set;
} fire_body;

/* Terrain under the fire: ground.c. */
typedef struct fire_ground_spec {
    char file[LONGEST_PATH]; /* a raster of heights; "" none */
    int at_count;            /* 0: the middle of the raster; 2: its ground there is y = 0; 3 */
    double at[3];            /* easting, northing, altitude there of the world's origin here, m */
    bool has_window, has_void_height, assume_metres; /* as of terrain_request */
    double window[4], void_height, height_unit;
} fire_ground_spec;
typedef struct fire_ground fire_ground;

typedef struct fire_wind_spec {
    double velocity[3];      /* along the axes of the world, m/s, everywhere or at `height` */
    double height, z0;       /* m above the ground, of a logarithmic profile; z0 0: constant */
    char file[LONGEST_PATH]; /* NetCDF of foehn wind; "" none */
    double at[3];            /* easting, northing, altitude there of the world's origin here, m */
    bool at_given;
    double start; /* time there when it is 0 here, s */
    bool start_given;
} fire_wind_spec;

typedef struct fire_scene {
    char name[LONGEST_PATH], title[96], about[200];
    uint64_t hash; /* of its text and its meshes */
    foehn_fire_params params;
    double dt, duration;
    int source_count, body_count;
    fire_source sources[MOST_SOURCES];
    fire_body bodies[MOST_BODIES];
    fire_wind_spec wind;
    fire_ground_spec terrain;
    fire_ground *ground;  /* NULL: none */
    foehn_fire_land land; /* of it, for pictures out of doors */
    char follow[32];      /* emitter that the box goes with; "" none */
    bool has_brands;
    foehn_fire_firebrands brands;
    foehn_fire_picture picture;
    bool size_given;
    char background[LONGEST_PATH], depth[LONGEST_PATH]; /* "transparent", "black", or a file */
    int panel_count;                                    /* at least 1 */
    double panels[MOST_PANELS];                         /* resolutions side by side */
} fire_scene;

/* What the command line changes in a scene. */
typedef struct fire_changes {
    double resolution; /* over the scene's; 0: as it is */
    const char *mesh;  /* shape or file for the first emitter; NULL: as it is */
    double mesh_scale;
    int mesh_up;                    /* 0: y, 1: z */
    int points;                     /* -2: as it is */
    int width, height;              /* 0: as it is */
    int view;                       /* -1: as it is */
    const char *background, *depth; /* NULL: as it is */
} fire_changes;

/* The command line. */
typedef struct fire_options {
    common_options common;
    fire_changes changes;
    bool list, show, has_mesh_scale, has_mesh_up;
    int bits;
    const char *velocity_name;
    int up;          /* 0: y, 1: z */
    int temperature; /* of .vdb, 0: kilokelvin, 1: kelvin */
    int names;       /* of its grids, 0: foehn, 1: Houdini */
    int start, padding;
    int flipbook[2], loop; /* columns and rows, 0 none; pictures that fade into the first ones */
    int landing_count;
    const char *landings[MOST_LANDINGS];
} fire_options;
extern const option_row fire_option_rows[];
void fire_options_init(fire_options *options);
int fire_options_check(const fire_options *options);

extern const builtin_table fire_builtin;
extern const char *const fire_view_names[]; /* by foehn_fire_view; NULL ends the list */

/* Read a scene by the name of a built-in one, or a file; then apply the changes. */
int fire_scene_read(const char *name, const fire_changes *changes, fire_scene **out);
void fire_scene_destroy(fire_scene *scene);
int fire_scene_source(yaml_at at, fire_scene *scene, fire_source *out);
int fire_scene_body(yaml_at at, const fire_scene *scene, fire_body *out);
/* A file's name as seen from the folder of the scene's file. */
int fire_scene_path(yaml_at at, const char *what, const fire_scene *scene, char out[LONGEST_PATH]);
/* The parts of a scene that say how it is looked at; at no node all stays as it is, but for the bloom of
 * fires that burn. */
int fire_scene_read_camera(yaml_at at, foehn_fire_picture *p);
int fire_scene_read_picture(yaml_at at, fire_scene *s);

/* ---- terrain and wind ---- */

int fire_ground_read(yaml_at at, const fire_scene *scene, fire_ground_spec *out);
/* Read the raster; the box lies over it.  What was made is to be closed whatever is returned. */
int fire_ground_open(const fire_ground_spec *spec, const foehn_fire_params *params,
                     fire_ground **out);
void fire_ground_close(fire_ground *ground);
/* y of the ground at a place of the world, over a square of this width, m. */
double fire_ground_height(const fire_ground *ground, double x, double z, double width);
/* Easting, northing, altitude of the world's origin; the raster's system. */
void fire_ground_place(const fire_ground *ground, double at[3]);
const struct place *fire_ground_system(const fire_ground *ground);
/* The ground under the box as a closed mesh, and the voxel that its distances are to have. */
int fire_ground_mesh(const fire_ground *ground, const foehn_fire_params *params, mesh *out,
                     double *voxel);

/* The ground up to 6 km around, for pictures; heights to be freed. */
int fire_ground_land(const fire_ground *ground, foehn_fire_land *out);

int fire_wind_read(yaml_at at, const fire_scene *scene, fire_wind_spec *out);

/* ---- running ---- */

/* Those of a panel's fire: its resolution, a box of whole voxels. */
foehn_fire_params fire_params_of(const fire_scene *scene, int panel, uint64_t seed);
/* Make the fire of a panel with all its emitters and colliders. */
int fire_create(fire_scene *scene, int panel, uint64_t seed, foehn_context *ctx, foehn_fire **out);
/* Emitters and colliders that rest outside the box are told; refused when all emitters do. */
int fire_check_reach(const fire_scene *scene, const foehn_fire_params *box, uint64_t seed);
/* That the fires of all panels could be made, as far as no device is asked. */
int fire_check(const fire_scene *scene, uint64_t seed);
/* Move and switch what moves, for an update that begins at this time. */
int fire_move(fire_scene *scene, int count, foehn_fire *const *fires, double time);

/* Let a panel's box go with the emitter that it follows; moved: set when it went. */
int fire_follow(const fire_scene *scene, int panel, foehn_fire *fire, double time, bool *moved);

/* The wind at the sides.  speed: of the fire, whose seconds the library's velocities are in. */
typedef struct fire_wind fire_wind;
int fire_wind_open(const fire_wind_spec *spec, const fire_scene *scene, fire_wind **out);
int fire_wind_set(fire_wind *wind, int count, foehn_fire *const *fires, double time);
/* The box has moved: set it again. */
void fire_wind_moved(fire_wind *wind);
void fire_wind_close(fire_wind *wind);
/* The wind that a fire is told by, as it was set last: m/s, and how high above the ground, m. */
void fire_wind_reference(const fire_wind *wind, double *height, double velocity[3]);

/* A fire's front and its wind: Byram's number. */
typedef struct fire_front {
    double power;     /* that its emitters give off at a time, kW */
    double width;     /* of them across the wind, m */
    double intensity; /* Byram's fireline intensity, power / width, kW/m */
    double wind;      /* m/s */
    double height;    /* of that wind above the ground, m */
    double number; /* 2 g intensity / (rho cp T0 wind^3): below 1 the wind rules the plume, above it
                      the plume the wind */
} fire_front;
/* width 0: nothing burns, or no wind blows. */
void fire_front_of(const fire_scene *scene, const fire_wind *wind, double time, fire_front *out);

int fire_brands_read(yaml_at at, const foehn_fire_params *params, fire_scene *scene);
/* What became of a fire's firebrands. */
typedef struct fire_brands {
    size_t count, states[5];    /* of foehn_fire_firebrand_state */
    foehn_fire_firebrand *list; /* [count] */
    double mass;                /* landed, kg */
    double farthest, mean;      /* way over the ground of those that landed, m */
} fire_brands;
int fire_brands_get(foehn_fire *fire, double density, fire_brands *out);
void fire_brands_free(fire_brands *brands);
double fire_brand_mass(const foehn_fire_firebrand *brand, double density); /* kg */

/* Where they landed: .csv, each of them; .tif, .nc, a map of how many and how much; .png, a
 * picture.
 */
int fire_landings_check(const fire_scene *scene, const char *path);
int fire_landings_write(const fire_scene *scene, const foehn_fire *fire, const fire_wind *wind,
                        const fire_brands *brands, const char *path);

/* Pictures of all panels side by side. */
typedef struct fire_painter {
    const fire_scene *scene;
    int bits;
    float (*background)[4];
    float *depth;
    uint16_t *panel;
    png_picture whole;
} fire_painter;
/* Without a size of its own the picture is as large as its background. */
int fire_picture_size(fire_scene *scene);
int fire_painter_create(const fire_scene *scene, int bits, fire_painter *out);
int fire_painter_write(fire_painter *p, foehn_fire *const *fires, uint32_t frame, const char *path);
void fire_painter_destroy(fire_painter *p);

/* Files of a fire by their extension: .png, .vdb, .vtkhdf, .raw. */
typedef struct fire_files {
    const fire_scene *scene;
    const common_options *options;
    const char *velocity_name;
    bool z_up;          /* of OpenVDB */
    bool kelvin;        /* temperatures of fires that burn there, not 1000 K */
    bool houdini;       /* names there */
    int start, padding; /* number of the first file of a sequence, and its digits */
    fire_painter *painter;
    foehn_context *ctx;
    foehn_fire *const *fires; /* the last one of scene->panel_count is what volumes hold */
    struct vtkhdf_file *series[MOST_OUTPUTS];
    const char *temporary[MOST_OUTPUTS];
    foehn_volume *dye, *velocity;
    int written;                /* of a sequence so far */
    struct fire_flipbook *book; /* that pictures go to; NULL: each to a file of its own */
} fire_files;
int fire_files_check(const common_options *options);
int fire_files_check_scene(const common_options *options, const fire_scene *scene);
int fire_files_open(fire_files *f);
/* All files at this time; sequence: NAME_0001.EXT and on, or a further time in the file. */
int fire_files_write(fire_files *f, bool sequence, double time, uint32_t frame);
int fire_files_commit(fire_files *f);
void fire_files_close(fire_files *f);

/* An atlas of the last pictures of a run.  grid: columns and rows; pictures: of the whole run; png,
 * exr: what will be written.  add: the next picture of the run; write: to all outputs, when all are
 * there. */
typedef struct fire_flipbook fire_flipbook;
int fire_flipbook_create(const fire_scene *scene, const int grid[2], int loop, int pictures,
                         bool png, bool exr, fire_flipbook **out);
void fire_flipbook_destroy(fire_flipbook *book);
int fire_flipbook_add(fire_flipbook *book, const fire_files *f, uint32_t frame);
int fire_flipbook_write(const fire_flipbook *book, const fire_files *f);

/* One format each. */
int fire_write_exr(fire_files *f, const char *temporary, const char *path, uint32_t frame);
int fire_write_vdb(fire_files *f, const char *temporary, const char *path, double time);
int fire_open_vtkhdf(fire_files *f, int output, bool series);
int fire_write_vtkhdf(fire_files *f, int output, double time);
int fire_write_raw(fire_files *f, const char *path);

/* A field as floats, to be freed; vectors along the axes of the world, in m/s of the film. */
int fire_read_field(const fire_files *f, foehn_fire_field field, foehn_fire_field_info *info,
                    float **out);
/* Where a box of cells lies, for files in a world with Y or Z up (x east, y north). */
typedef struct fire_place {
    int cells[3];
    double spacing[3], corner[3]; /* m; the lower one of cell (0, 0, 0) */
    double axes[3][3];            /* columns are the axes of the cells in the world */
} fire_place;
void fire_place_of(const foehn_fire_info *box, const int cells[3], bool z_up, fire_place *out);
/* Values at cells of the box from Y up to Z up, with their order and their vectors. */
int fire_lay(const int cells[3], int components, float **values);

/* Checkpoints: updates made and pictures written beside the library's bytes. */
typedef struct fire_progress {
    uint64_t updates;
    int written;
} fire_progress;
int fire_state_write(const char *path, const fire_scene *scene, const common_options *options,
                     const char *device, foehn_fire *const *fires, const fire_progress *progress);
/* Whether a run of this scene could go on from a file, and how many updates it has made. */
int fire_state_check(const char *path, const fire_scene *scene, const common_options *options,
                     uint64_t *updates);
int fire_state_read(const char *path, const fire_scene *scene, const common_options *options,
                    const char *device, foehn_fire *const *fires, fire_progress *progress);

int fire_run(fire_scene *scene, const fire_options *options);

#endif

# SPDX-License-Identifier: MIT
"""What of the library's headers this package uses, in the words of C; tests compare it with the headers."""

TEXT = """
typedef struct foehn_device_info {
    size_t struct_size; char name[128]; char platform[128]; char vendor[128]; char driver[128]; char version[128];
    int type; uint32_t compute_units; uint32_t clock_mhz; uint64_t memory_bytes; uint64_t largest_allocation_bytes;
    uint64_t local_memory_bytes; uint32_t largest_work_group; int gl_sharing; int external_memory;
    int external_semaphore; int image_writes_3d;
} foehn_device_info;
typedef struct foehn_context_params {
    size_t struct_size; const char *device; int timing; int sleep_in_wait; int debug; int gl_system; void *gl_display;
    void *gl_context;
} foehn_context_params;

const char *foehn_version(void);
const char *foehn_last_error(void);
foehn_status foehn_devices_get(size_t capacity, foehn_device_info *infos, size_t *count);
foehn_status foehn_device_choose(const char *spec, int *index, size_t reason_size, char *reason);
void foehn_context_params_init(foehn_context_params *params, size_t size);
foehn_status foehn_context_create(const foehn_context_params *params, foehn_context **out);
void foehn_context_destroy(foehn_context *ctx);
foehn_status foehn_context_get_device(const foehn_context *ctx, foehn_device_info *info);
const char *foehn_context_get_reason(const foehn_context *ctx);
uint64_t foehn_context_get_memory(const foehn_context *ctx);
foehn_status foehn_context_wait(foehn_context *ctx);

typedef struct foehn_volume_info {
    int nx, ny, nz; double origin[3]; double extent[3]; double spacing[3]; uint64_t step; double time; int repeats;
} foehn_volume_info;
typedef struct foehn_snapshot { foehn_volume_info info; const uint16_t *halves; } foehn_snapshot;
foehn_status foehn_volume_create(foehn_context *ctx, int nx, int ny, int nz, foehn_volume **out);
void foehn_volume_destroy(foehn_volume *volume);
void foehn_volume_get_info(const foehn_volume *volume, foehn_volume_info *info);
foehn_status foehn_volume_read_halves(foehn_volume *volume, uint16_t *halves);
foehn_status foehn_volume_set_snapshots(foehn_volume *volume, double seconds);
foehn_status foehn_volume_get_snapshot(foehn_volume *volume, foehn_snapshot *snapshot);

typedef struct foehn_wind_state { float u10; float from; float gustiness; } foehn_wind_state;
typedef struct foehn_wind_params {
    size_t struct_size; int nx, ny, nz; float spacing_horizontal; float spacing_vertical; double center[3]; int scheme;
    int sides; int sweeps; float z0; float relaxation; float noise_amplitude; float noise_wavelength; float max_speed;
    uint64_t seed; foehn_wind_state state; int pressure; int cycles; int advection; int solids; int model; int closure;
    float divergence;
} foehn_wind_params;
typedef struct foehn_terrain {
    int nx, nz; double origin[2]; double spacing[2]; const float *heights; const float *z0;
} foehn_terrain;
typedef struct foehn_wind_solution { int cycles; double residual; double mass_in; double mass_imbalance; } foehn_wind_solution;
typedef struct foehn_wind_progress {
    uint64_t steps; double dt; double time; double flush_time; double mass_in; double mass_imbalance;
} foehn_wind_progress;
typedef struct foehn_wind_settling {
    foehn_wind_progress progress; double flushes; double drift; double unrest; int settled;
} foehn_wind_settling;
typedef struct foehn_wind_settle_params {
    size_t struct_size; double height; double drift; double least_flushes; double most_flushes; uint64_t most_steps;
    void *report; void *data;
} foehn_wind_settle_params;
typedef struct foehn_wind_info {
    int nx, ny, nz; double origin[3]; double extent[3]; double spacing[3]; uint64_t step; double time; int gusts;
    uint64_t gusts_so_far; int samples; uint64_t memory_bytes; uint64_t cycles;
} foehn_wind_info;
typedef struct foehn_wind_stats {
    double mean_speed_10m; double mean_abs_divergence; double max_abs_divergence; double max_speed;
    double turbulence_intensity; double pressure_residual;
} foehn_wind_stats;
void foehn_wind_params_init(foehn_wind_params *params, size_t size);
double foehn_site_get_lid(double lowest, double summit);
foehn_status foehn_site_set_levels(foehn_wind_params *params, double lowest, double lid);
foehn_status foehn_site_ease(const foehn_wind_params *params, double from, double band, const float *heights, const float *raised, float *eased);
double foehn_site_get_step(double spacing_horizontal, double u10);
void foehn_wind_settle_params_init(foehn_wind_settle_params *params, size_t size);
foehn_status foehn_wind_create(foehn_context *ctx, const foehn_wind_params *params, foehn_wind **out);
void foehn_wind_destroy(foehn_wind *wind);
foehn_status foehn_wind_set_terrain(foehn_wind *wind, const foehn_terrain *terrain);
foehn_status foehn_wind_set_roughness(foehn_wind *wind, const foehn_terrain *map);
foehn_status foehn_wind_set_state(foehn_wind *wind, const foehn_wind_state *state);
foehn_status foehn_wind_step(foehn_wind *wind, float dt);
foehn_status foehn_wind_solve(foehn_wind *wind, double reduction, int cycles, foehn_wind_solution *solution);
foehn_status foehn_wind_settle(foehn_wind *wind, const foehn_wind_settle_params *params, foehn_wind_settling *out);
void foehn_wind_get_info(const foehn_wind *wind, foehn_wind_info *info);
foehn_status foehn_wind_read(foehn_wind *wind, int field, float *out);
foehn_status foehn_wind_read_levels(foehn_wind *wind, int field, int first, int count, float *out);
foehn_status foehn_wind_write(foehn_wind *wind, int field, const float *in);
foehn_status foehn_wind_read_ground(foehn_wind *wind, float *out);
foehn_status foehn_wind_read_stress(foehn_wind *wind, float *out);
foehn_status foehn_wind_set_averaging(foehn_wind *wind, int on);
foehn_status foehn_wind_read_points(foehn_wind *wind, int mean, size_t count, const double *points, float *out);
foehn_status foehn_wind_read_turbulence(foehn_wind *wind, size_t count, const double *points, float *out);
foehn_status foehn_wind_read_stats(foehn_wind *wind, foehn_wind_stats *stats);
foehn_status foehn_wind_write_volume(foehn_wind *wind, foehn_volume *volume);

typedef struct foehn_flow_side { int kind; float speed; int parabolic; } foehn_flow_side;
typedef struct foehn_flow_params {
    size_t struct_size; int nx, ny; float height; foehn_flow_side sides[4]; float viscosity; float force[2]; float start[2];
    int terms; int surface; int solver; int cycles; float reduction; float reference_speed; int particles; uint64_t seed;
    int splitting;
} foehn_flow_params;
typedef struct foehn_flow_stir { float from[2], to[2]; float velocity[2]; float radius; float ink[4]; } foehn_flow_stir;
typedef struct foehn_flow_obstacle {
    int shape; float center[2]; float size; float angle; float thickness; float velocity[2];
} foehn_flow_obstacle;
typedef struct foehn_flow_info {
    int nx, ny; double spacing; double extent[2]; double time; uint64_t step; double viscosity; double reference_speed;
    int terms; int cycles; uint64_t memory_bytes;
} foehn_flow_info;
typedef struct foehn_flow_stats {
    double max_speed; double max_div_h_over_u; double max_vorticity; double vortex_center[2]; double kinetic_energy; double ink;
} foehn_flow_stats;
typedef struct foehn_flow_push { double pressure[2]; double viscous[2]; double cd, cl; } foehn_flow_push;
void foehn_flow_params_init(foehn_flow_params *params, size_t size);
foehn_status foehn_flow_create(foehn_context *ctx, const foehn_flow_params *params, foehn_flow **out);
void foehn_flow_destroy(foehn_flow *flow);
foehn_status foehn_flow_step(foehn_flow *flow, float dt);
foehn_status foehn_flow_add_stir(foehn_flow *flow, const foehn_flow_stir *stir);
foehn_status foehn_flow_set_obstacle(foehn_flow *flow, int slot, const foehn_flow_obstacle *obstacle);
void foehn_flow_get_info(const foehn_flow *flow, foehn_flow_info *info);
size_t foehn_flow_get_field_size(const foehn_flow *flow, int field);
foehn_status foehn_flow_read(foehn_flow *flow, int field, float *out);
foehn_status foehn_flow_write(foehn_flow *flow, int field, const float *in);
foehn_status foehn_flow_read_particles(foehn_flow *flow, float *out);
foehn_status foehn_flow_read_points(foehn_flow *flow, size_t count, const double *points, double *out);
foehn_status foehn_flow_read_stats(foehn_flow *flow, foehn_flow_stats *stats);
foehn_status foehn_flow_read_push(foehn_flow *flow, int slot, foehn_flow_push *push);

typedef struct foehn_fire_fuel {
    float heat; float air; float soot_yield; float flame_soot; float radiative; float albedo; float blue;
} foehn_fire_fuel;
typedef struct foehn_fire_pose { double rotation[4]; double position[3]; } foehn_fire_pose;
typedef struct foehn_fire_params {
    size_t struct_size; double size[3]; foehn_fire_pose pose; double render_voxel; double physics_voxel; float speed;
    int max_steps; int velocity_transport; int dye_transport; int layout; int pressure; int sweeps; int cycles;
    float confinement; float buoyancy; float smoke_weight; float damping; float turbulence; float noise_frequency;
    float noise_decay; float curl_multiplier; uint64_t seed; float dissipation; float cooling; float emit_density;
    float emit_temperature; float friction; float angular_multiplier; float collision_margin; int max_boxes;
    int max_ellipsoids; int max_meshes; int march_steps; float pass_scale; float radiance; float palette_temperature;
    int account; int mode; foehn_fire_fuel fuel; float ignition; float expansion; float flame_length; float cfl; int floor;
} foehn_fire_params;
typedef struct foehn_fire_info {
    int render_cells[3]; int physics_cells[3]; double render_spacing[3]; double physics_spacing[3]; double size[3];
    foehn_fire_pose pose; uint64_t step; int last_steps; double time; double step_time; double waiting_time;
    double dropped_time; int march_steps; int sweeps; int emitters, proxies; int colliders; uint64_t memory_bytes;
    uint64_t launches; int parts;
} foehn_fire_info;
typedef struct foehn_fire_emitter { size_t count; const float *points; int max_count; } foehn_fire_emitter;
typedef struct foehn_fire_proxy {
    foehn_fire_pose pose; float velocity[3]; int active; float multiplier; float tint; float brush_radius; float power;
    float temperature;
} foehn_fire_proxy;
typedef struct foehn_fire_collider {
    foehn_fire_pose pose; double half[3]; float velocity[3]; float angular_velocity[3]; int active;
} foehn_fire_collider;
typedef struct foehn_fire_wind { int nx, ny, nz; const float *velocity; } foehn_fire_wind;
typedef struct foehn_fire_picture {
    size_t struct_size; int width, height; double position[3]; double target[3]; double up[3]; double field_of_view; int view;
    uint32_t frame; float exposure; float bloom_strength; float bloom_radius; float bloom_threshold; int draw_colliders;
    const float *background; const float *depth; int look; int curve; float stops; int samples; float detail; float shutter;
    float sun[3]; float sun_from[3]; float sky[3]; float ground[3]; float solid[3]; float embers;
    float grain; float daylight; const void *land;
} foehn_fire_picture;
typedef struct foehn_fire_field_info {
    const char *name; const char *units; int components; int cells[3]; double spacing[3]; double origin[3]; size_t floats;
} foehn_fire_field_info;
typedef struct foehn_fire_measures {
    double max_temperature; double total_density; double total_tint; double plume_height; double max_speed;
    double mean_abs_divergence_before, mean_abs_divergence_after; double max_abs_divergence_before, max_abs_divergence_after;
    double emitted; double dissipated; double carried; double heat_release; double expansion_rate; double mean_abs_expansion;
    double fuel_emitted, fuel_burnt, fuel_carried, fuel_there; double soot_formed, soot_oxidised, soot_carried, soot_there;
    double volume_made;
} foehn_fire_measures;
const char *foehn_fire_fuel_get(int index, foehn_fire_fuel *fuel);
void foehn_fire_params_init(foehn_fire_params *params, size_t size);
void foehn_fire_params_burn(foehn_fire_params *params);
foehn_status foehn_fire_create(foehn_context *ctx, const foehn_fire_params *params, foehn_fire **out);
void foehn_fire_destroy(foehn_fire *fire);
foehn_status foehn_fire_update(foehn_fire *fire, double dt);
foehn_status foehn_fire_step(foehn_fire *fire);
void foehn_fire_get_info(const foehn_fire *fire, foehn_fire_info *info);
foehn_fire_proxy foehn_fire_proxy_default(void);
foehn_status foehn_fire_add_emitter(foehn_fire *fire, const foehn_fire_emitter *emitter, int *index);
foehn_status foehn_fire_set_proxy(foehn_fire *fire, int emitter, int proxy, const foehn_fire_proxy *value);
foehn_fire_collider foehn_fire_collider_default(void);
foehn_status foehn_fire_set_collider(foehn_fire *fire, int shape, int slot, const foehn_fire_collider *collider);
foehn_status foehn_fire_set_wind(foehn_fire *fire, const foehn_fire_wind *wind);
void foehn_fire_picture_init(foehn_fire_picture *picture, size_t size);
foehn_status foehn_fire_read_picture(foehn_fire *fire, const foehn_fire_picture *picture, int pixels, void *out);
foehn_status foehn_fire_get_field(const foehn_fire *fire, int field, foehn_fire_field_info *info);
foehn_status foehn_fire_read(foehn_fire *fire, int field, float *out);
foehn_status foehn_fire_read_measures(foehn_fire *fire, foehn_fire_measures *measures);
foehn_status foehn_fire_write_volume(foehn_fire *fire, int layer, foehn_volume *volume);
"""

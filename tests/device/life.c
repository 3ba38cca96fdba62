/* SPDX-License-Identifier: MIT */
/* life [NAME]: one life of each thing that steps, on a small grid, once: for tools that watch a
 * whole process and take their time.  Without a name: a wind. */
#include <foehn/foehn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 7, NY = 5, NZ = 9, CELLS = NX * NY * NZ, WIDTH = 12, HEIGHT = 9 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        foehn_status status_ = (call);                                                             \
        if (status_ != FOEHN_OK)                                                                   \
            return status_;                                                                        \
    } while (0)

/* What was made; main() destroys it. */
typedef struct life {
    foehn_context *ctx;
    foehn_wind *wind;
    foehn_fire *fire;
    foehn_flow *flow;
    foehn_volume *volume;
} life;

static foehn_wind_params small_box(void)
{
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = NX;
    params.ny = NY;
    params.nz = NZ;
    return params;
}

static foehn_status make_wind(life *l, const foehn_wind_params *params)
{
    float heights[12];
    for (int i = 0; i < 12; i++)
        heights[i] = (float)(i * i % 7);
    const foehn_terrain terrain = {
        .nx = 4, .nz = 3, .origin = {-10, -10}, .spacing = {6, 9}, .heights = heights};
    TRY(foehn_wind_create(l->ctx, params, &l->wind));
    return foehn_wind_set_terrain(l->wind, &terrain);
}

static foehn_status read_fields(life *l, foehn_wind_field first, foehn_wind_field last)
{
    static float field[CELLS];
    for (int f = (int)first; f <= (int)last; f++)
        TRY(foehn_wind_read(l->wind, (foehn_wind_field)f, field));
    return FOEHN_OK;
}

static foehn_status finish_wind(life *l)
{
    foehn_wind_stats stats;
    TRY(foehn_wind_read_stats(l->wind, &stats));
    printf("%g m/s at 10 m\n", stats.mean_speed_10m);
    return foehn_context_wait(l->ctx);
}

static foehn_status blow(life *l, int periodic)
{
    static uint16_t halves[4 * CELLS];
    const double center[3] = {9, 9, -6};
    foehn_wind_params params = small_box();
    params.sweeps = 3;
    params.sides = periodic ? FOEHN_WIND_SIDES_PERIODIC : FOEHN_WIND_SIDES_OPEN;
    params.state.gustiness = 1;
    foehn_snapshot snapshot;
    TRY(make_wind(l, &params));
    TRY(foehn_volume_create(l->ctx, NX, NY, NZ, &l->volume));
    TRY(foehn_volume_set_snapshots(l->volume, 0));
    TRY(foehn_wind_set_measuring(l->wind, 1));
    TRY(foehn_wind_set_averaging(l->wind, 1));
    for (int n = 0; n < 4; n++) {
        TRY(foehn_wind_step(l->wind, 2));
        TRY(foehn_wind_write_volume(l->wind, l->volume));
        TRY(foehn_volume_get_snapshot(l->volume, &snapshot));
    }
    TRY(foehn_volume_read_halves(l->volume, halves));
    TRY(foehn_wind_set_center(l->wind, center));
    TRY(foehn_wind_step(l->wind, 0.1f));
    TRY(read_fields(l, FOEHN_WIND_U, FOEHN_WIND_STD_SPEED));
    return finish_wind(l);
}

static foehn_status live_wind(life *l)
{
    return blow(l, 0);
}

static foehn_status live_periodic(life *l)
{
    return blow(l, 1);
}

static foehn_status live_solved(life *l)
{
    const foehn_wind_params params = small_box();
    foehn_wind_solution solution;
    TRY(make_wind(l, &params));
    TRY(foehn_wind_solve(l->wind, 1e-3, 8, &solution));
    TRY(read_fields(l, FOEHN_WIND_U, FOEHN_WIND_SOLID));
    return finish_wind(l);
}

static foehn_status live_momentum(life *l)
{
    foehn_wind_params params = small_box();
    params.model = FOEHN_WIND_MOMENTUM;
    float stress[3 * NX * NZ];
    foehn_wind_settling how;
    foehn_wind_settle_params settle = foehn_wind_settle_params_default();
    settle.most_steps = 12;
    TRY(make_wind(l, &params));
    TRY(foehn_wind_settle(l->wind, &settle, &how));
    TRY(foehn_wind_read_stress(l->wind, stress));
    TRY(read_fields(l, FOEHN_WIND_K, FOEHN_WIND_VISCOSITY));
    return finish_wind(l);
}

static foehn_status live_eddies(life *l)
{
    foehn_wind_params params = small_box();
    params.model = FOEHN_WIND_LES;
    params.spin_up = 2;
    TRY(make_wind(l, &params));
    TRY(foehn_wind_set_averaging(l->wind, 1));
    for (int n = 0; n < 3; n++)
        TRY(foehn_wind_step(l->wind, 0.5f));
    TRY(read_fields(l, FOEHN_WIND_MEAN_U, FOEHN_WIND_K));
    TRY(read_fields(l, FOEHN_WIND_COVARIANCE_UU, FOEHN_WIND_COVARIANCE_VW));
    return finish_wind(l);
}

static foehn_status burn(life *l, foehn_fire_params *params)
{
    static unsigned char pixels[WIDTH * HEIGHT * 4];
    static float motion[WIDTH * HEIGHT * 4], field[CELLS * 64];
    const float points[3][3] = {{0, 0.1f, 0}, {0.1f, 0.1f, 0}, {0, 0.2f, 0.1f}};
    const float air[1][3] = {{1, 0, 0.5f}};
    params->size[0] = params->size[2] = 1;
    params->size[1] = 1.2;
    params->pose.position[1] = 0.6;
    params->render_voxel = 0.1;
    params->physics_voxel = 0.2;
    params->march_steps = 4;
    TRY(foehn_fire_create(l->ctx, params, &l->fire));
    int index;
    TRY(foehn_fire_add_emitter(
        l->fire, &(foehn_fire_emitter){.count = 3, .points = points, .max_count = 1}, &index));
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    proxy.power = 20;
    proxy.brush_radius = 0.1f;
    proxy.velocity[1] = 0.5f;
    TRY(foehn_fire_set_proxy(l->fire, index, 0, &proxy));
    foehn_fire_collider ball = foehn_fire_collider_default();
    ball.pose.position[1] = 0.8;
    ball.half[0] = ball.half[1] = ball.half[2] = 0.2;
    TRY(foehn_fire_set_collider(l->fire, FOEHN_FIRE_ELLIPSOID, 0, &ball));
    TRY(foehn_fire_set_wind(l->fire,
                            &(foehn_fire_wind){.nx = 1, .ny = 1, .nz = 1, .velocity = air}));
    for (int n = 0; n < 3; n++)
        TRY(foehn_fire_step(l->fire));
    foehn_fire_picture picture = foehn_fire_picture_default();
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.samples = 1;
    picture.draw_colliders = 1;
    picture.sun[0] = picture.sun[1] = picture.sun[2] = 50;
    TRY(foehn_fire_read_picture(l->fire, &picture, FOEHN_FIRE_BYTES, pixels));
    if (params->mode == FOEHN_FIRE_BURN) {
        const double center[3] = {0.2, 0.6, 0};
        TRY(foehn_fire_read_motion(l->fire, &picture, motion));
        TRY(foehn_fire_set_center(l->fire, center));
        TRY(foehn_fire_step(l->fire));
    }
    for (int f = 0; f < FOEHN_FIRE_FIELDS; f++) {
        foehn_fire_field_info info;
        TRY(foehn_fire_get_field(l->fire, (foehn_fire_field)f, &info));
        if (info.floats <= sizeof field / sizeof *field)
            TRY(foehn_fire_read(l->fire, (foehn_fire_field)f, field));
    }
    foehn_fire_measures measures;
    TRY(foehn_fire_read_measures(l->fire, &measures));
    printf("%g at most\n", measures.max_temperature);
    return foehn_context_wait(l->ctx);
}

static foehn_status live_preset(life *l)
{
    foehn_fire_params params = foehn_fire_params_default();
    params.account = 1;
    return burn(l, &params);
}

static foehn_status live_fire(life *l)
{
    foehn_fire_params params = foehn_fire_params_default();
    foehn_fire_params_burn(&params);
    params.active = 1;
    return burn(l, &params);
}

static foehn_status live_flow(life *l)
{
    static float field[4 * 20 * 12];
    foehn_flow_params params = foehn_flow_params_default();
    params.nx = 19;
    params.ny = 11;
    params.sides[FOEHN_FLOW_LEFT] = (foehn_flow_side){FOEHN_FLOW_INFLOW, 1, 1};
    params.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_OUTFLOW;
    params.surface = FOEHN_FLOW_FRACTIONS;
    params.splitting = FOEHN_FLOW_REFLECTION;
    params.particles = 8;
    TRY(foehn_flow_create(l->ctx, &params, &l->flow));
    TRY(foehn_flow_set_obstacle(l->flow, 0,
                                &(foehn_flow_obstacle){.shape = FOEHN_FLOW_CYLINDER,
                                                       .center = {0.6f, 0.5f},
                                                       .size = 0.3f}));
    TRY(foehn_flow_add_stir(
        l->flow, &(foehn_flow_stir){{0.2f, 0.2f}, {0.3f, 0.4f}, {1, 0}, 0.1f, {1, 0, 0, 1}}));
    TRY(foehn_volume_create(l->ctx, params.nx, params.ny, 1, &l->volume));
    for (int n = 0; n < 3; n++) {
        TRY(foehn_flow_step(l->flow, 0.02f));
        TRY(foehn_flow_write_volume(l->flow, FOEHN_FLOW_LAYER_FLOW, l->volume));
    }
    for (int f = FOEHN_FLOW_U; f <= FOEHN_FLOW_SOLIDS; f++)
        TRY(foehn_flow_read(l->flow, (foehn_flow_field)f, field));
    foehn_flow_push push;
    TRY(foehn_flow_read_push(l->flow, 0, &push));
    foehn_flow_stats stats;
    TRY(foehn_flow_read_stats(l->flow, &stats));
    printf("%g at most\n", stats.max_speed);
    return foehn_context_wait(l->ctx);
}

static const struct {
    const char *name;
    foehn_status (*live)(life *l);
} lives[] = {
    {"wind", live_wind},         {"periodic", live_periodic}, {"solved", live_solved},
    {"momentum", live_momentum}, {"les", live_eddies},        {"preset", live_preset},
    {"fire", live_fire},         {"flow", live_flow},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "wind";
    size_t n = 0;
    while (n < sizeof lives / sizeof *lives && strcmp(lives[n].name, name) != 0)
        n++;
    if (n == sizeof lives / sizeof *lives) {
        fprintf(stderr, "life: nothing is called %s\n", name);
        return EXIT_FAILURE;
    }
    life l = {0};
    foehn_status status = foehn_context_create(NULL, &l.ctx);
    if (status == FOEHN_OK)
        status = lives[n].live(&l);
    if (status != FOEHN_OK)
        fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    foehn_volume_destroy(l.volume);
    foehn_wind_destroy(l.wind);
    foehn_fire_destroy(l.fire);
    foehn_flow_destroy(l.flow);
    foehn_context_destroy(l.ctx);
    const char *required = getenv("FOEHN_REQUIRE_DEVICE");
    if (status == FOEHN_ERROR_DEVICE && !(required && strcmp(required, "1") == 0))
        return 77;
    return status == FOEHN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: MIT */
/* A fuzzer of one reader of files, for libFuzzer: of that which the program's own name says,
 * fuzz-mesh.
 */
#include "config.h"

#include "box/command.h"
#include "file.h"
#include "fire/fire.h"
#include "flow/flow.h"
#include "formats/png_file.h"
#include "formats/state.h"
#include "guard.h"
#include "terrain/classes.h"
#include "terrain/terrain.h"
#include "wind/climate.h"
#include "wind/input.h"
#include "wind/stations.h"
#include "wind/weather.h"
#ifdef HAVE_VIEW
#include "view/view.h"
#endif

#ifdef HAVE_GDAL
#include <cpl_conv.h>
#include <ogr_srs_api.h>
#endif
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char folder[64];
static void (*read_file)(const char *path);

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "%s/file", folder);
    unlink(command);
    strcat(command, ".tab");
    unlink(command);
    rmdir(folder);
}

/* ---- guard.c, but in this process: a fuzzer sees nothing of others ---- */

void *guard_share(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void guard_unshare(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes ? bytes : 1);
}

int guard_run(const char *path, size_t memory, int (*work)(void *data), void *data)
{
    (void)path, (void)memory;
    return work(data);
}

/* ---- the readers ---- */

static void read_flow(const char *path)
{
    flow_options o;
    flow_scene *scene = NULL;
    flow_options_init(&o);
    flow_scene_read(path, &o.changes, &scene);
    flow_scene_destroy(scene);
}

/* Without the files that a scene names, which are other targets' work. */
static void read_fire(const char *path)
{
    fire_options o;
    fire_scene *scene = NULL;
    fire_options_init(&o);
    fire_scene_read(path, &o.changes, &scene);
    fire_scene_destroy(scene);
}

static void read_input(const char *path)
{
    input_series series;
    input_read(path, &series);
    input_destroy(&series);
}

static void read_mesh(const char *path)
{
    mesh m;
    mesh_read(path, 1, false, &m);
    mesh_destroy(&m);
}

static void read_png(const char *path)
{
    png_picture picture;
    png_picture_read(path, &picture);
    png_picture_destroy(&picture);
}

static void read_state(const char *path)
{
    double run[2];
    unsigned char blob[64];
    setting settings[MOST_SETTINGS];
    int count = 0;
    state_setting(settings, &count, "seed", "%d", 1);
    state_array arrays[3] = {{"run", STATE_DOUBLES, 2, run},
                             {"wind", STATE_BYTES, sizeof blob, blob},
                             {"rows", STATE_BYTES, 0, NULL}};
    state_read(path, "wind", "device", count, settings, 3, arrays);
    free(arrays[2].data);
}

static void read_wind(const char *path)
{
    static const fire_scene scene = {.params = {.speed = 1}};
    fire_wind_spec spec = {.file = ""};
    fire_wind *wind = NULL;
    snprintf(spec.file, sizeof spec.file, "%s", path);
    fire_wind_open(&spec, &scene, &wind);
    fire_wind_close(wind);
}

#ifdef HAVE_VIEW
static void read_script(const char *path)
{
    view_script *script = NULL;
    if (view_script_read(path, &script) == STATUS_OK)
        view_script_destroy(script);
}
#else
static void read_script(const char *path)
{
    (void)path; /* no window, no scripts */
}
#endif

static void read_terrain(const char *path)
{
    terrain_request request = {.path = path, .assume_metres = true};
    terrain ground;
    memset(&ground, 0, sizeof ground);
    terrain_read(&request, &ground);
    terrain_destroy(&ground);
}

static void read_classes(const char *path)
{
    class_table table;
    if (classes_read(path, &table) == STATUS_OK)
        classes_destroy(&table);
}

static void read_stations(const char *path)
{
    station_list list;
    if (stations_read(path, NAN, &list) == STATUS_OK)
        stations_destroy(&list);
}

#ifdef HAVE_FFTW
static void read_constraints(const char *path)
{
    const box_options options = {.size = {64, 4, 4}, .spacing = {1, 1, 1}, .speed = 10};
    box_constraint *constraints = NULL;
    size_t count;
    (void)box_read_constraints(path, &options, &count, &constraints);
    free(constraints);
}

static void read_profile(const char *path)
{
    box_profile profile;
    (void)box_read_profile(path, &profile);
    free(profile.height);
    free(profile.speed);
}

static void read_site(const char *path)
{
    const double at[3] = {0, 0, 40};
    site_point point;
    memset(&point, 0, sizeof point);
    (void)site_read(path, at, &point);
    free(point.profile.height);
    free(point.profile.speed);
}
#else
static void read_constraints(const char *path)
{
    (void)path; /* no boxes */
}
#define read_profile read_constraints
#define read_site read_constraints
#endif

/* The name says what it is. */
static void read_climate(const char *path)
{
    static climate found;
    char named[160];
    snprintf(named, sizeof named, "%s.tab", path);
    if (rename(path, named) != 0)
        abort();
    if (climate_read(named, &found) != STATUS_OK)
        return;
    for (int i = 0; i < found.count; i++)
        if (!(found.sector[i].f >= 0 && found.sector[i].f <= 1 && found.sector[i].a >= 0 &&
              found.sector[i].k > 0))
            abort();
}

#ifdef HAVE_GDAL
static void read_weather(const char *path)
{
    const double box[4] = {450000, 5200000, 451000, 5201000};
    static place at;
    weather_series *found;
    if (!at.wkt) { /* UTM zone 11: longitudes of about -117.6 degrees, latitudes of 46.9 */
        OGRSpatialReferenceH utm = OSRNewSpatialReference(NULL);
        if (OSRImportFromEPSG(utm, 32611) != OGRERR_NONE ||
            OSRExportToWkt(utm, &at.wkt) != OGRERR_NONE)
            exit(1);
        at.wkt_gdal = at.wkt;
        OSRDestroySpatialReference(utm);
        at.projected = true;
        memcpy(at.area, box, sizeof at.area);
        for (int n = 0; n < PLACE_LATTICE * PLACE_LATTICE; n++)
            at.north[n / PLACE_LATTICE][n % PLACE_LATTICE][0] = 1;
    }
    (void)weather_read(path, (weather_span){-INFINITY, INFINITY}, &at, box, &found);
    weather_destroy(found);
}
#else
static void read_weather(const char *path)
{
    (void)path; /* no GDAL, no files of weather models */
}
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const struct {
        const char *name;
        void (*read)(const char *path);
    } readers[] = {
        {"flow", read_flow},       {"fire", read_fire},         {"input", read_input},
        {"mesh", read_mesh},       {"png", read_png},           {"state", read_state},
        {"wind", read_wind},       {"terrain", read_terrain},   {"script", read_script},
        {"classes", read_classes}, {"stations", read_stations}, {"constraints", read_constraints},
        {"profile", read_profile}, {"site", read_site},         {"climate", read_climate},
        {"weather", read_weather}};
    (void)argc;
    const char *name = strrchr((*argv)[0], '-');
    for (size_t n = 0; name && n < sizeof readers / sizeof *readers; n++)
        if (strcmp(readers[n].name, name + 1) == 0)
            read_file = readers[n].read;
    snprintf(folder, sizeof folder, "/dev/shm/foehn-fuzz.XXXXXX");
    if (!read_file || !mkdtemp(folder))
        exit(1);
    atexit(remove_folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0)
        abort();
    read_file(path);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* foehn box: boxes of turbulence for turbines and other structures. */
#include "config.h"

#include "tool.h"

#ifndef HAVE_FFTW

int box_main(int argc, char **argv)
{
    (void)argc;
    return fail(STATUS_USAGE,
                "%s: turbulence boxes are not built in: install libfftw3-dev, build again",
                argv[0]);
}

#else

#include "box/command.h"
#include "file.h"
#include "json.h"
#include "options.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- the command line ---- */

/* "8192x32x32" */
static int parse_size(const char *option, const char *text, void *options)
{
    int *size = ((box_options *)options)->size;
    double n[3];
    int status = parse_numbers(option, text, 'x', 3, "NXxNYxNZ, as in 8192x32x32", n);
    for (int a = 0; a < 3 && status == STATUS_OK; a++) {
        int most = a ? 1024 : 1 << 20, least = a ? 2 : 4;
        if (n[a] != floor(n[a]) || n[a] < least || n[a] > most)
            return fail(STATUS_INPUT, "%s %s: out of range: give %d to %d points along %c", option,
                        text, least, most, "xyz"[a]);
        size[a] = (int)n[a];
    }
    return status;
}

static int parse_spacing(const char *option, const char *text, void *options)
{
    double *spacing = ((box_options *)options)->spacing;
    int status = parse_numbers(option, text, 'x', 3, "DXxDYxDZ, as in 1x4x4", spacing);
    for (int a = 0; a < 3 && status == STATUS_OK; a++)
        if (!(spacing[a] >= 0.01 && spacing[a] <= 1000))
            return fail(STATUS_INPUT, "%s %s: out of range: give 0.01 to 1000 m", option, text);
    return status;
}

static int parse_axes(const char *option, const char *text, void *options)
{
    bool *periodic = ((box_options *)options)->periodic;
    memset(periodic, 0, 3 * sizeof *periodic);
    if (strcmp(text, "none") == 0)
        return STATUS_OK;
    for (const char *p = text; *p; p++) {
        const char *axis = strchr("xyz", *p);
        if (!axis)
            return fail(STATUS_INPUT, "%s %s: not axes: give none, or some of xyz", option, text);
        periodic[axis - "xyz"] = true;
    }
    return *text ? STATUS_OK
                 : fail(STATUS_INPUT, "%s: is empty: give none, or some of xyz", option);
}

static int parse_shear(const char *option, const char *text, void *options)
{
    box_profile *p = &((box_options *)options)->profile;
    *p = (box_profile){.exponent = NAN};
    if (strncmp(text, "log:", 4) == 0)
        return parse_number("--shear log", text + 4, 1e-6, 5, "m", &p->z0);
    return parse_number(option, text, -1, 1, "", &p->exponent);
}

static int parse_at(const char *option, const char *text, void *options)
{
    return parse_numbers(option, text, ',', 3, "E,N,Z", ((box_options *)options)->at);
}

static int parse_seed(const char *option, const char *text, void *options)
{
    return parse_count(option, text, 0, (uint64_t)INT64_MAX, &((box_options *)options)->seed);
}

static int parse_out(const char *option, const char *text, void *options)
{
    box_options *o = options;
    if (o->output_count == MOST_OUTPUTS)
        return fail(STATUS_USAGE, "%s %s: more than %d files", option, text, (int)MOST_OUTPUTS);
    o->outputs[o->output_count++] = text;
    return STATUS_OK;
}

static const char *const models[] = {"mann", "kaimal", NULL}, *const scalings[] = {
                                                                  "spectrum", "exact", "iec", NULL};
static const char *const samples[] = {"points", "cells", NULL}, *const averages[] = {"cell", "sinc",
                                                                                     NULL};
static const char *const coherent[] = {"u", "uvw", NULL};

#define OPTIONS box_options
#define NOTED(what) GIVEN(given[what])

static const option_row rows[] = {
    {"model", "NAME", "mann or kaimal (mann)", CHOICE(model, models)},
    {"size", "NXxNYxNZ", "points along the wind, across it, up (8192x32x32)", OWN(parse_size)},
    {"spacing", "DXxDYxDZ", "of points, m (1x4x4)", OWN(parse_spacing)},
    {"u", "SPEED", "mean wind at the hub, m/s (10)", SPEED(speed, 0.5, 100), NOTED(SPEED_GIVEN)},
    {"hub", "M", "height of the box's middle above the ground, m (90)", REAL(hub, 1, 1000, "m"),
     NOTED(HUB_GIVEN)},
    {"class", "NAME", "IEC 61400-1: I, II or III with A+, A, B or C (IB)", TEXT(turbulence_class),
     NOTED(CLASS_GIVEN)},
    {"extreme", NULL, "the extreme turbulence of the class, not the normal", FLAG(extreme),
     NOTED(EXTREME_GIVEN)},
    {"sigma", "S", "standard deviation of u, m/s, instead of --class", REAL(sigma, 1e-4, 30, "m/s"),
     NOTED(SIGMA_GIVEN)},
    {"ti", "I", "the same over the speed", REAL(intensity, 1e-4, 1, ""), NOTED(TI_GIVEN)},
    {"scale", "HOW",
     "spectrum: sigma is of the box's wave numbers; exact: of this box; iec: of all (spectrum)",
     CHOICE(scaling, scalings), NOTED(SCALE_GIVEN)},
    {"site", "FILE", "turbulence of a solved wind: NetCDF of foehn wind --model momentum",
     TEXT(site), NOTED(SITE_GIVEN)},
    {"at", "E,N,Z", "place in it: easting, northing, height above the ground, m", OWN(parse_at),
     NOTED(AT_GIVEN)},
    {"energy", "AE", "Mann's alpha eps^(2/3), m^(4/3)/s^2, instead of sigma",
     REAL(energy, 1e-6, 100, "m^(4/3)/s^2"), NOTED(ENERGY_GIVEN)},
    {"length", "L", "Mann's length, m (0.56 of the hub's height, 33.6 at most)",
     REAL(length, 0.1, 5000, "m"), NOTED(LENGTH_GIVEN)},
    {"gamma", "G", "Mann's Gamma (3.9)", REAL(gamma, 0, 5, ""), NOTED(GAMMA_GIVEN)},
    {"samples", "WHAT",
     "points: small eddies are folded in; cells: left out, no divergence (points)",
     CHOICE(samples, samples), NOTED(SAMPLES_GIVEN)},
    {"averaging", "HOW", "of large eddies: cell or sinc, Mann's (cell)",
     CHOICE(averaging, averages), NOTED(AVERAGING_GIVEN)},
    {"periodic", "AXES",
     "axes along which the box goes on at its other side: none, x, xy, xz, xyz ... (x)",
     OWN(parse_axes)},
    {"coherence", "WHAT", "Kaimal: u as in the standard, or uvw (u)", CHOICE(coherence, coherent),
     NOTED(COHERENCE_GIVEN)},
    {"shear", "LAW", "mean wind by height: an exponent, or log:Z0 (0.2)", OWN(parse_shear),
     NOTED(SHEAR_GIVEN)},
    {"profile", "FILE", "the same from a CSV file, height,speed", TEXT(profile_file),
     NOTED(PROFILE_GIVEN)},
    {"constraints", "FILE", "CSV of values to be met: x or time, y, z, and u, v, w less the mean",
     TEXT(constraints), NOTED(CONSTRAINTS_GIVEN)},
    {"seed", "N", "of the random numbers (1); 0 to 9223372036854775807", OWN(parse_seed)},
    {"out", "FILE", "write .bts, .bin, .wnd, .nc or .png; repeatable", OWN(parse_out), UNRECORDED},
    {"stats", "FILE", "write figures as JSON; - for stdout", TEXT(stats), UNRECORDED},
    {"config", "FILE", "options out of a file, a line each: name = value", TEXT(config),
     UNRECORDED},
    {"quiet", NULL, "no report", FLAG(quiet), UNRECORDED},
    END_OF_OPTIONS};

static const char *name_of(int given)
{
    for (const option_row *row = rows; row->name; row++)
        if (row->given == offsetof(box_options, given) + (size_t)given * sizeof(bool))
            return row->name;
    return "";
}

/* The first of a list, ended by 0, that was given beside `one`, which excludes it. */
static int check_alone(const box_options *o, int one, const int *others, const char *why)
{
    for (; o->given[one] && *others; others++)
        if (o->given[*others])
            return fail(STATUS_USAGE, "--%s and --%s exclude each other: %s", name_of(one),
                        name_of(*others), why);
    return STATUS_OK;
}

static int check_exclusions(const box_options *o)
{
    static const struct {
        int one;
        int others[16];
        const char *why;
    } exclusions[] = {
        {SITE_GIVEN,
         {CLASS_GIVEN, EXTREME_GIVEN, SIGMA_GIVEN, TI_GIVEN, SCALE_GIVEN, ENERGY_GIVEN,
          LENGTH_GIVEN, GAMMA_GIVEN, SPEED_GIVEN, HUB_GIVEN, SHEAR_GIVEN, PROFILE_GIVEN, 0},
         "the field has that"},
        {ENERGY_GIVEN,
         {CLASS_GIVEN, EXTREME_GIVEN, SIGMA_GIVEN, TI_GIVEN, SCALE_GIVEN, 0},
         "give how strong the turbulence is once"},
        {SIGMA_GIVEN,
         {CLASS_GIVEN, EXTREME_GIVEN, TI_GIVEN, 0},
         "give how strong the turbulence is once"},
        {TI_GIVEN, {CLASS_GIVEN, EXTREME_GIVEN, 0}, "give how strong the turbulence is once"},
        {PROFILE_GIVEN, {SHEAR_GIVEN, 0}, "give the mean wind once"}};
    for (size_t i = 0; i < sizeof exclusions / sizeof exclusions[0]; i++) {
        int status = check_alone(o, exclusions[i].one, exclusions[i].others, exclusions[i].why);
        if (status != STATUS_OK)
            return status;
    }
    static const int of_mann[] = {SITE_GIVEN,    ENERGY_GIVEN,    LENGTH_GIVEN,      GAMMA_GIVEN,
                                  SAMPLES_GIVEN, AVERAGING_GIVEN, CONSTRAINTS_GIVEN, 0};
    for (const int *one = of_mann; o->model == BOX_KAIMAL && *one; one++)
        if (o->given[*one])
            return fail(STATUS_USAGE, "--%s is of --model mann", name_of(*one));
    if (o->model == BOX_MANN && o->given[COHERENCE_GIVEN])
        return fail(STATUS_USAGE, "--coherence is of --model kaimal");
    if (o->model == BOX_KAIMAL && (o->periodic[1] || o->periodic[2]))
        return fail(STATUS_USAGE,
                    "--periodic: boxes of --model kaimal are periodic along x or not at all");
    if (o->given[SITE_GIVEN] != o->given[AT_GIVEN])
        return fail(STATUS_USAGE, o->site ? "--site needs --at E,N,Z" : "--at needs --site FILE");
    return STATUS_OK;
}

/* Files can be written, each by a format that is there, no two of one name. */
static int check_outputs(const box_options *o)
{
    char list[200];
    box_format_list(sizeof list, list);
    if (o->output_count == 0 && !o->stats)
        return fail(STATUS_USAGE, "box: nothing to write: give --out FILE: %s", list);
    for (int i = 0; i < o->output_count; i++) {
        const box_format *f = box_format_of(o->outputs[i]);
        if (!f)
            return fail(STATUS_USAGE, "--out %s: unknown format: give %s", o->outputs[i], list);
        if (!f->write)
            return fail(STATUS_USAGE, "--out %s: %s is not built in: install %s, build again",
                        o->outputs[i], f->what, f->package);
        int status = f->check ? f->check(o, o->outputs[i]) : STATUS_OK;
        const char *temporary =
            NULL; /* that the folder can be written is found out before the work */
        if (status == STATUS_OK && (status = file_begin(o->outputs[i], &temporary)) == STATUS_OK)
            file_discard(temporary);
        if (status != STATUS_OK)
            return status;
    }
    const char *paths[MOST_OUTPUTS + 1];
    memcpy(paths, o->outputs, sizeof o->outputs);
    paths[o->output_count] = o->stats;
    return file_check_distinct(o->output_count + 1, paths);
}

/* What the work needs, against what the machine has: a box too large would take the machine down.
 */
static int check_memory(const box_options *o)
{
    double n[3], wind = 12.0 * o->size[0] * o->size[1] * o->size[2];
    for (int a = 0; a < 3; a++)
        n[a] = o->periodic[a] ? o->size[a] : 2.0 * o->size[a];
    double work = 0;
    if (o->model == BOX_KAIMAL)
        work = 4 * n[0] * o->size[1] * o->size[2];
    else if (!o->periodic[0])
        work = 12 * n[0] * o->size[1] * o->size[2];
    if (o->constraints)
        work += 16 * n[0] * n[1] * n[2];
    double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (wind + work <= 0.9 * has)
        return STATUS_OK;
    return fail(
        STATUS_INPUT,
        "--size %dx%dx%d: needs %.1f GiB of memory, and this machine has %.1f GiB: make it smaller",
        o->size[0], o->size[1], o->size[2], (wind + work) / (1 << 30), has / (1 << 30));
}

static void init(box_options *o)
{
    *o = (box_options){.size = {8192, 32, 32},
                       .spacing = {1, 4, 4},
                       .periodic = {true, false, false},
                       .speed = 10,
                       .hub = 90,
                       .turbulence_class = "IB",
                       .sigma = NAN,
                       .intensity = NAN,
                       .energy = NAN,
                       .length = NAN,
                       .gamma = NAN,
                       .profile = {.exponent = 0.2},
                       .seed = 1};
}

/* ---- the run ---- */

static void warn_of_few_eddies(const box_result *r)
{
    double length = r->model == BOX_MANN ? r->mann.length : r->kaimal.length[0] / 8.1,
           box_length = r->b.n[0] * r->b.d[0];
    if (box_length < 10 * length)
        warn("the box is %.0f m long, and eddies are of %.0f m: too few for its figures to come "
             "near what is aimed at",
             box_length, length);
}

static const char *const component[3] = {"u", "v", "w"};

static void measure(box_result *r)
{
    for (int c = 0; c < 3; c++)
        r->made[c] = sqrt(box_variance(&r->b, c));
}

/* Bring the box's own standard deviation to what was asked for. */
static void scale_exactly(box_result *r)
{
    for (int c = 0; c < 3; c++) {
        double wanted = r->model == BOX_MANN ? r->sigma
                                             : r->sigma * (c == 0   ? 1
                                                           : c == 1 ? 0.8
                                                                    : 0.5);
        double factor = wanted / r->made[r->model == BOX_MANN ? 0 : c];
        if (r->model == BOX_KAIMAL)
            r->kaimal.sigma[c] *= factor;
        else if (c < 2)
            continue; /* one factor for all, once v and w are there: their ratio is the tensor's */
        for (int d = r->model == BOX_MANN ? 0 : c; d <= c; d++)
            for (size_t i = 0; i < box_points(&r->b); i++)
                r->b.component[d][i] *= (float)factor;
        if (r->model == BOX_MANN)
            r->mann.energy *= factor * factor;
    }
    measure(r);
}

/* Of all threads. */
static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int make(const box_options *o, box_result *r)
{
    size_t count = 0;
    box_constraint *constraints = NULL;
    int status = box_create(o->size, o->spacing, o->periodic, &r->b);
    if (status == STATUS_OK && o->constraints)
        status = box_read_constraints(o->constraints, o, &count, &constraints);
    double before = processor_seconds();
    if (status == STATUS_OK)
        status = r->model == BOX_MANN ? mann_make(&r->b, &r->mann, o->seed, count, constraints)
                                      : kaimal_make(&r->b, &r->kaimal, o->seed);
    r->processor = processor_seconds() - before;
    if (status == STATUS_OK)
        measure(r);
    if (status == STATUS_OK && o->scaling == SCALE_EXACT)
        scale_exactly(r);
    free(constraints);
    return status;
}

static void tell_wanted(const box_result *r)
{
    const box_options *o = r->o;
    const box *b = &r->b;
    report("Box       %d x %d x %d points, %g x %g x %g m: %.0f s of wind, %g m wide, %g to %g m "
           "above the ground",
           b->n[0], b->n[1], b->n[2], b->d[0], b->d[1], b->d[2], b->n[0] * b->d[0] / o->speed,
           (b->n[1] - 1) * b->d[1], box_height(r, 0), box_height(r, b->n[2] - 1));
    report("Wind      %.4g m/s at %g m; seed %llu", o->speed, o->hub, (unsigned long long)o->seed);
    if (r->model == BOX_MANN)
        report("Spectra   Mann: alpha eps^(2/3) %.4g m^(4/3)/s^2, L %.4g m, Gamma %.3g",
               r->mann.energy, r->mann.length, r->mann.gamma);
    else
        report("Spectra   Kaimal: sigma %.4g, %.4g, %.4g m/s, lengths %.4g, %.4g, %.4g m; "
               "coherence of %s",
               r->kaimal.sigma[0], r->kaimal.sigma[1], r->kaimal.sigma[2], r->kaimal.length[0],
               r->kaimal.length[1], r->kaimal.length[2], r->kaimal.all ? "u, v, w" : "u");
}

static void tell_made(const box_result *r, double seconds)
{
    const double *s = r->made;
    report("Made      in %.2f s: standard deviations of u %.3f, v %.3f, w %.3f m/s, 1 : %.2f : "
           "%.2f; intensity %.3f",
           seconds, s[0], s[1], s[2], s[1] / s[0], s[2] / s[0], s[0] / r->o->speed);
}

static void write_figures(const box_result *r, double seconds, json *j)
{
    const box_options *o = r->o;
    json_begin(j, j->stream);
    json_object(j, NULL);
    json_text(j, "model", r->model == BOX_MANN ? "mann" : "kaimal");
    json_array(j, "size");
    for (int a = 0; a < 3; a++)
        json_count(j, NULL, (uint64_t)r->b.n[a]);
    json_close(j, ']');
    json_array(j, "spacing");
    for (int a = 0; a < 3; a++)
        json_number(j, NULL, r->b.d[a]);
    json_close(j, ']');
    json_count(j, "seed", o->seed);
    json_number(j, "speed", o->speed);
    json_number(j, "hub_height", o->hub);
    json_number(j, "sigma_wanted", r->sigma);
    for (int c = 0; c < 3; c++) {
        char key[16];
        snprintf(key, sizeof key, "sigma_%s", component[c]);
        json_number(j, key, r->made[c]);
    }
    if (r->model == BOX_MANN) {
        json_number(j, "energy", r->mann.energy);
        json_number(j, "length", r->mann.length);
        json_number(j, "gamma", r->mann.gamma);
    }
    json_number(j, "wall_s", seconds);
    json_number(j, "processor_s", r->processor);
    json_close(j, '}');
    json_end(j);
}

static int write_stats(const box_result *r, double seconds)
{
    const char *path = r->o->stats, *temporary = NULL;
    json j = {.stream = stdout};
    if (strcmp(path, "-") != 0) {
        int status = file_begin(path, &temporary);
        if (status != STATUS_OK)
            return status;
        if (!(j.stream = fopen(temporary, "w"))) {
            file_discard(temporary);
            return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
        }
    }
    write_figures(r, seconds, &j);
    bool good = !ferror(j.stream);
    if (temporary)
        good = fclose(j.stream) == 0 && good;
    if (good)
        return temporary ? file_commit(temporary) : STATUS_OK;
    file_discard(temporary);
    return fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
}

static int run(box_options *o, const char *command)
{
    box_result r = {.o = o, .command = command};
    for (int a = 0; a < 3; a++) {
        r.b.n[a] = o->size[a];
        r.b.d[a] = o->spacing[a];
    }
    int status = o->profile_file ? box_read_profile(o->profile_file, &o->profile) : STATUS_OK;
    if (status == STATUS_OK)
        status = box_settle(o, &r);
    if (status == STATUS_OK) {
        report_to(o->quiet ? NULL : o->stats && strcmp(o->stats, "-") == 0 ? stderr : stdout);
        tell_wanted(&r);
        warn_of_few_eddies(&r);
        double started = seconds_now();
        status = make(o, &r);
        double seconds = seconds_now() - started;
        if (status == STATUS_OK)
            tell_made(&r, seconds);
        for (int i = 0; i < o->output_count && status == STATUS_OK; i++)
            if ((status = box_format_of(o->outputs[i])->write(&r, o->outputs[i])) == STATUS_OK)
                report("Wrote     %s", o->outputs[i]);
        if (status == STATUS_OK && o->stats)
            status = write_stats(&r, seconds);
    }
    box_destroy(&r.b);
    free(r.mean);
    free(o->profile.height);
    free(o->profile.speed);
    return status;
}

static void print_help(void)
{
    puts(
        "Usage: foehn box --out FILE [options]\n\nMake a box of turbulent wind for load "
        "calculations: Mann's tensor or Kaimal's "
        "spectra,\nby a turbine's class or by the turbulence of a site.  doc/box.md tells more.\n");
    options_print(rows);
}

int box_main(int argc, char **argv)
{
    box_options options;
    char command[OPTIONS_RECORD] = "foehn box";
    init(&options);
    const option_table tables[] = {{rows, &options}, {NULL, NULL}};
    int status = options_parse("box", argc, argv, tables, command, NULL);
    if (status == OPTIONS_HELP) {
        print_help();
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = check_exclusions(&options);
    stop_on_signals();
    stop_between_steps(); /* no kernels are built, */
    stop_at_once(false);  /* and it has no steps */
    if (status == STATUS_OK)
        status = check_outputs(&options);
    if (status == STATUS_OK)
        status = check_memory(&options);
    return status == STATUS_OK ? run(&options, command) : status;
}

#endif

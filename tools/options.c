/* SPDX-License-Identifier: MIT */
/* Reading a command line. */
#include "config.h"

#include "config_file.h"
#include "options.h"

#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 64, HELP = 1 };

static int add_rows(const option_row *rows, int count, struct option *options, const char **names)
{
    for (; rows && rows->name && count < MOST_ROWS; rows++, count++) {
        options[count] = (struct option){
            rows->name, rows->argument ? required_argument : no_argument, NULL, rows->id};
        names[count] = rows->name;
    }
    return count;
}

static int unknown_option(const char *command, const char *given, int count, const char **names)
{
    char word[64];
    snprintf(word, sizeof word, "%s", given + strspn(given, "-"));
    word[strcspn(word, "=")] = 0;
    const char *near = nearest_word(word, (size_t)count, names);
    if (near)
        return fail(STATUS_USAGE, "%s: unknown option %s: did you mean --%s? see foehn %s --help",
                    command, given, near, command);
    return fail(STATUS_USAGE, "%s: unknown option %s: see foehn %s --help", command, given,
                command);
}

/* Hand every option of argv to the handler. */
static int parse_words(const char *command, int argc, char **argv, const struct option *options, int count,
                       const char **names, option_handler *handle, void *data, int *positionals)
{
    opterr = 0;
    optind = 1;
    for (;;) {
        int index = 0;
        int id = getopt_long(argc, argv, ":h", options, &index);
        if (id == -1)
            break;
        if (id == HELP || id == 'h')
            return OPTIONS_HELP;
        /* What it stumbled over; arguments that are no options have been moved behind it. */
        const char *given = argv[optind - 1], letter[3] = {'-', (char)optopt, 0};
        if (id == '?' && optopt > 0 && optopt < 256)
            given = letter;
        if (id == ':')
            return fail(STATUS_USAGE, "%s: %s takes an argument: see foehn %s --help", command,
                        given, command);
        if (id == '?' && optopt >= 256)
            return fail(STATUS_USAGE, "%s: %s takes no argument", command, given);
        if (id == '?')
            return unknown_option(command, given, count, names);
        char option[64];
        snprintf(option, sizeof option, "--%s", options[index].name);
        int status = handle(id, option, optarg, data);
        if (status != STATUS_OK)
            return status;
    }
    if (positionals)
        *positionals = optind;
    else if (optind < argc)
        return fail(STATUS_USAGE,
                    "%s: unexpected argument %s: options begin with --, see foehn %s "
                    "--help",
                    command, argv[optind], command);
    return STATUS_OK;
}

/* Files of options come first, so that the command line overrides them. */
static int parse_files(const char *command, int argc, char **argv, const struct option *options, int count,
                       const char **names, option_handler *handle, void *data)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *path = NULL;
        if (strncmp(argv[i], "--config=", 9) == 0)
            path = argv[i] + 9;
        else if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            path = argv[++i];
        if (!path)
            continue;
        int words;
        char **list;
        int status = config_read(path, options, &words, &list);
        if (status == STATUS_OK)
            status = parse_words(command, words, list, options, count, names, handle, data, NULL);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int options_parse(const char *command, int argc, char **argv, const option_row *own,
                  const option_row *common, option_handler *handle, void *data, int *positionals)
{
    struct option options[MOST_ROWS + 2];
    const char *names[MOST_ROWS + 1];
    int count = add_rows(common, add_rows(own, 0, options, names), options, names);
    names[count] = "help";
    options[count++] = (struct option){"help", no_argument, NULL, HELP};
    options[count] = (struct option){NULL, 0, NULL, 0};
    int status = common ? parse_files(command, argc, argv, options, count, names, handle, data) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    return parse_words(command, argc, argv, options, count, names, handle, data, positionals);
}

void options_print(const option_row *rows)
{
    for (; rows->name; rows++) {
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", rows->name, rows->argument ? " " : "",
                 rows->argument ? rows->argument : "");
        printf("  %-28s%s%s\n", left, strlen(left) < 28 ? "" : "\n                              ",
               rows->help);
    }
}

int parse_number(const char *option, const char *text, double low, double high, const char *unit,
                 double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != 0 || !isfinite(value))
        return fail(STATUS_INPUT, "%s %s: not a number: give %g to %g%s%s", option, text, low, high,
                    *unit ? " " : "", unit);
    if (value < low || value > high)
        return fail(STATUS_INPUT, "%s %s: out of range: give %g to %g%s%s", option, text, low, high,
                    *unit ? " " : "", unit);
    *out = value;
    return STATUS_OK;
}

int parse_speed(const char *option, const char *text, double low, double high, double *out)
{
    static const struct {
        const char *unit;
        double speed; /* m/s */
    } units[] = {{"m/s", 1},           {"mps", 1},          {"kn", 1852.0 / 3600}, {"kt", 1852.0 / 3600},
                 {"kts", 1852.0 / 3600}, {"km/h", 1 / 3.6},   {"kmh", 1 / 3.6},      {"mph", 0.44704},
                 {"ft/s", 0.3048}};
    char number[64], *end;
    (void)strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    size_t length = (size_t)(end - text);
    for (size_t i = 0; length > 0 && length < sizeof number && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].unit) != 0)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        int status = parse_number(option, number, low / units[i].speed, high / units[i].speed, unit, out);
        *out *= units[i].speed;
        return status;
    }
    if (*unit && length > 0)
        return fail(STATUS_INPUT, "%s %s: not a speed: give a number in m/s, or with kn, km/h, mph or ft/s",
                    option, text);
    return parse_number(option, text, low, high, "m/s", out);
}

int parse_count(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != 0)
        return fail(STATUS_INPUT, "%s %s: not a whole number: give %llu to %llu", option, text,
                    (unsigned long long)low, (unsigned long long)high);
    if (errno == ERANGE || value < low || value > high)
        return fail(STATUS_INPUT, "%s %s: out of range: give %llu to %llu", option, text,
                    (unsigned long long)low, (unsigned long long)high);
    *out = value;
    return STATUS_OK;
}

int parse_numbers(const char *option, const char *text, char separator, int count, const char *form,
                  double *out)
{
    const char *p = text;
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(p, &end);
        char expected = i + 1 < count ? separator : 0;
        if (end == p || *end != expected || !isfinite(out[i]))
            return fail(STATUS_INPUT, "%s %s: not of the form %s", option, text, form);
        p = end + 1;
    }
    return STATUS_OK;
}

int unknown_name(const char *option, const char *value, size_t count, const char *const *names)
{
    char list[256] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    const char *near = nearest_word(value, count, names);
    return fail(STATUS_INPUT, "%s %s: no such name: give %s%s%s%s", option, value, list,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int parse_name(const char *option, const char *value, size_t count, const char *const *names,
               const char **out)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], value) == 0) {
            *out = names[i];
            return STATUS_OK;
        }
    return unknown_name(option, value, count, names);
}

int parse_choice(const char *option, const char *value, size_t count, const char *const *names,
                 int *out)
{
    const char *name = NULL;
    int status = parse_name(option, value, count, names, &name);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (names[i] == name)
            *out = (int)i;
    return status;
}

enum {
    DEVICE = 256,
    STEPS,
    DURATION,
    DT,
    SEED,
    OUT,
    EVERY,
    STATS,
    QUIET,
    CONFIG,
    CHECKPOINT,
    CHECKPOINT_EVERY,
    RESUME
};

const option_row common_option_rows[] = {
    {"device", "SPEC", DEVICE, "index of foehn devices, cpu, gpu, or part of a name"},
    {"steps", "N", STEPS, "steps to make"},
    {"duration", "S", DURATION, "seconds to simulate, instead of --steps"},
    {"dt", "S", DT, "length of a step, s"},
    {"seed", "N", SEED, "of everything random (1)"},
    {"out", "FILE", OUT, "write a file, its format by its extension; repeatable"},
    {"every", "S", EVERY, "simulated seconds between outputs (only at the end)"},
    {"stats", "FILE", STATS, "write figures as JSON; - for stdout"},
    {"checkpoint", "FILE", CHECKPOINT, "save the whole state (HDF5)"},
    {"checkpoint-every", "S", CHECKPOINT_EVERY,
     "simulated seconds between checkpoints (at the end)"},
    {"resume", "FILE", RESUME, "go on from a checkpoint"},
    {"config", "FILE", CONFIG, "options out of a file, a line each: name = value"},
    {"quiet", NULL, QUIET, "no progress and no report; warnings and errors stay"},
    {NULL, NULL, 0, NULL}};

void common_options_init(common_options *options)
{
    memset(options, 0, sizeof *options);
    options->seed = 1;
}

bool common_options_handle(common_options *o, int id, const char *option, const char *value,
                           int *status)
{
    *status = STATUS_OK;
    switch (id) {
    case DEVICE: o->device = value; return true;
    case STEPS: *status = parse_count(option, value, 1, 1000000000, &o->steps); return true;
    case DURATION: *status = parse_number(option, value, 1e-6, 1e9, "s", &o->duration); return true;
    case DT: *status = parse_number(option, value, 1e-6, 1e4, "s", &o->dt); return true;
    case SEED: *status = parse_count(option, value, 0, UINT64_MAX, &o->seed); return true;
    case OUT:
        if (o->output_count == MOST_OUTPUTS)
            *status = fail(STATUS_USAGE, "--out %s: more than %d files", value, (int)MOST_OUTPUTS);
        else
            o->outputs[o->output_count++] = value;
        return true;
    case EVERY: *status = parse_number(option, value, 1e-6, 1e9, "s", &o->every); return true;
    case STATS: o->stats = value; return true;
    case QUIET: o->quiet = true; return true;
    case CONFIG: return true; /* was read first */
    case CHECKPOINT: o->checkpoint = value; return true;
    case CHECKPOINT_EVERY:
        *status = parse_number(option, value, 1e-6, 1e9, "s", &o->checkpoint_every);
        return true;
    case RESUME: o->resume = value; return true;
    default: return false;
    }
}

/* No two files of a run may be one, nor one of them that which lies beside another's .raw. */
static int check_names(const common_options *o)
{
    enum { MOST = 2 * MOST_OUTPUTS + 2 };
    const char *paths[MOST];
    char beside[MOST_OUTPUTS][1100];
    int count = 0, sides = 0;
    for (int i = 0; i < o->output_count; i++) {
        const char *path = o->outputs[i];
        size_t length = strlen(path);
        for (int k = 0; k < i; k++)
            if (strcmp(path, o->outputs[k]) == 0)
                return fail(STATUS_USAGE, "--out %s: given twice", path);
        paths[count++] = path;
        if (length < 4 || length > 1024 || strcmp(path + length - 4, ".raw") != 0)
            continue;
        snprintf(beside[sides], sizeof beside[sides], "%s.json", path);
        paths[count++] = beside[sides++];
    }
    paths[count++] = o->stats;
    paths[count++] = o->checkpoint;
    return file_check_distinct(count, paths);
}

int common_options_check(const common_options *o)
{
    if (o->steps && o->duration > 0)
        return fail(STATUS_USAGE, "--steps and --duration exclude each other: give one");
    if (o->checkpoint_every > 0 && !o->checkpoint)
        return fail(STATUS_USAGE, "--checkpoint-every needs --checkpoint FILE");
    return check_names(o);
}

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

enum { MOST_ROWS = 128, HELP = 1, FIRST = 256 };

/* All rows of a command, as getopt_long() wants them and as they are. */
typedef struct option_set {
    const char *command;
    int count;
    struct option options[MOST_ROWS + 2];
    const option_row *rows[MOST_ROWS];
    void *structs[MOST_ROWS];
    const char *names[MOST_ROWS + 1];
    char *record;
} option_set;

static void collect(const option_table *tables, option_set *set)
{
    int n = 0;
    for (; tables->rows; tables++)
        for (const option_row *row = tables->rows; row->name && n < MOST_ROWS; row++, n++) {
            set->options[n] = (struct option){row->name, row->kind != OPTION_FLAG, NULL, FIRST + n};
            set->rows[n] = row;
            set->structs[n] = tables->options;
            set->names[n] = row->name;
        }
    set->names[n] = "help";
    set->options[n] = (struct option){"help", no_argument, NULL, HELP};
    set->options[n + 1] = (struct option){NULL, 0, NULL, 0};
    set->count = n + 1;
}

static int unknown_option(const option_set *set, const char *given)
{
    char word[64];
    snprintf(word, sizeof word, "%s", given + strspn(given, "-"));
    word[strcspn(word, "=")] = 0;
    const char *near = nearest_word(word, (size_t)set->count, set->names);
    if (near)
        return fail(STATUS_USAGE, "%s: unknown option %s: did you mean --%s? see foehn %s --help",
                    set->command, given, near, set->command);
    return fail(STATUS_USAGE, "%s: unknown option %s: see foehn %s --help", set->command, given,
                set->command);
}

static void note(const option_set *set, const option_row *row, const char *value)
{
    if (!set->record || row->unrecorded)
        return;
    size_t n = strlen(set->record);
    const char *quote = value && value[strcspn(value, " '$&;()<>|*?`\\\"")] ? "\"" : "";
    snprintf(set->record + n, OPTIONS_RECORD - n, " --%s%s%s%s%s", row->name, value ? " " : "",
             quote, value ? value : "", quote);
}

/* Put a value where its row says. */
static int take(const option_row *row, const char *value, char *options)
{
    void *place = options + row->place;
    char option[64];
    snprintf(option, sizeof option, "--%s", row->name);
    if (row->given)
        *(bool *)(options + row->given) = true;
    uint64_t count = 0;
    int status;
    switch (row->kind) {
    case OPTION_FLAG: *(bool *)place = true; return STATUS_OK;
    case OPTION_TEXT: *(const char **)place = value; return STATUS_OK;
    case OPTION_REAL: return parse_number(option, value, row->low, row->high, row->unit, place);
    case OPTION_SPEED: return parse_speed(option, value, row->low, row->high, place);
    case OPTION_COUNT:
        status = parse_count(option, value, (uint64_t)row->low, (uint64_t)row->high, &count);
        *(int *)place = status == STATUS_OK ? (int)count : *(int *)place;
        return status;
    case OPTION_WHOLE:
        return parse_count(option, value, (uint64_t)row->low,
                           row->high > 0 ? (uint64_t)row->high : UINT64_MAX, place);
    case OPTION_CHOICE: return parse_choice(option, value, row->names, place);
    default: return row->parse(option, value, options);
    }
}

static int parse_words(const option_set *set, int argc, char **argv, int *positionals)
{
    const char *command = set->command;
    opterr = 0;
    optind = 1;
    for (;;) {
        int index = 0;
        int id = getopt_long(argc, argv, ":h", set->options, &index);
        if (id == -1)
            break;
        if (id == HELP || id == 'h')
            return OPTIONS_HELP;
        /* What it stumbled over; arguments that are no options have been moved behind it. */
        const char *given = argv[optind - 1], letter[3] = {'-', (char)optopt, 0};
        if (id == '?' && optopt > 0 && optopt < FIRST)
            given = letter;
        if (id == ':')
            return fail(STATUS_USAGE, "%s: %s takes an argument: see foehn %s --help", command,
                        given, command);
        if (id == '?' && optopt >= FIRST)
            return fail(STATUS_USAGE, "%s: %s takes no argument", command, given);
        if (id == '?')
            return unknown_option(set, given);
        note(set, set->rows[index], optarg);
        int status = take(set->rows[index], optarg, set->structs[index]);
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
static int parse_files(const option_set *set, int argc, char **argv)
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
        int status = config_read(path, set->options, &words, &list);
        if (status == STATUS_OK)
            status = parse_words(set, words, list, NULL);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int options_parse(const char *command, int argc, char **argv, const option_table *tables,
                  char *record, int *positionals)
{
    option_set set = {.command = command, .record = record};
    collect(tables, &set);
    bool files = false;
    for (int i = 0; i < set.count; i++)
        files = files || strcmp(set.names[i], "config") == 0;
    int status = files ? parse_files(&set, argc, argv) : STATUS_OK;
    return status == STATUS_OK ? parse_words(&set, argc, argv, positionals) : status;
}

/* "; 0 to 200 m/s", or nothing. */
static void describe_range(const option_row *row, size_t size, char *text)
{
    const bool whole = row->kind == OPTION_COUNT || row->kind == OPTION_WHOLE;
    *text = 0;
    if (whole && !(row->high > 0))
        snprintf(text, size, "; %.0f to %llu", row->low, (unsigned long long)UINT64_MAX);
    else if (whole)
        snprintf(text, size, "; %.0f to %.0f", row->low, row->high);
    else if (row->kind == OPTION_REAL || row->kind == OPTION_SPEED)
        snprintf(text, size, "; %g to %g%s%s", row->low, row->high, *row->unit ? " " : "",
                 row->unit);
}

void options_print(const option_row *rows)
{
    for (; rows->name; rows++) {
        char left[48], range[64];
        snprintf(left, sizeof left, "--%s%s%s", rows->name, rows->argument ? " " : "",
                 rows->argument ? rows->argument : "");
        describe_range(rows, sizeof range, range);
        printf("  %-28s%s%s%s\n", left, strlen(left) < 28 ? "" : "\n                              ",
               rows->help, range);
    }
}

int parse_number(const char *option, const char *text, double low, double high, const char *unit,
                 double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || (*end != 0 && strcmp(end, unit) != 0) || !isfinite(value))
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
    } units[] = {{"m/s", 1},
                 {"mps", 1},
                 {"kn", 1852.0 / 3600},
                 {"kt", 1852.0 / 3600},
                 {"kts", 1852.0 / 3600},
                 {"km/h", 1 / 3.6},
                 {"kmh", 1 / 3.6},
                 {"mph", 0.44704},
                 {"ft/s", 0.3048}};
    char number[64], *end;
    (void)strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    size_t length = (size_t)(end - text);
    for (size_t i = 0; length > 0 && length < sizeof number && i < sizeof units / sizeof units[0];
         i++) {
        if (strcmp(unit, units[i].unit) != 0)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        int status =
            parse_number(option, number, low / units[i].speed, high / units[i].speed, unit, out);
        *out *= units[i].speed;
        return status;
    }
    if (*unit && length > 0)
        return fail(STATUS_INPUT,
                    "%s %s: not a speed: give a number in m/s, or with kn, km/h, mph or ft/s",
                    option, text);
    return parse_number(option, text, low, high, "m/s", out);
}

int parse_count(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const bool whole = isdigit((unsigned char)text[0]) && *end == 0;
    if (!whole || errno == ERANGE || value < low || value > high)
        return fail(STATUS_INPUT, "%s %s: %s: give %llu to %llu", option, text,
                    whole ? "out of range" : "not a whole number", (unsigned long long)low,
                    (unsigned long long)high);
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

int parse_choice(const char *option, const char *value, const char *const *names, int *out)
{
    size_t count = 0;
    for (; names[count]; count++)
        if (strcmp(names[count], value) == 0) {
            *out = (int)count;
            return STATUS_OK;
        }
    return unknown_name(option, value, count, names);
}

static int parse_out(const char *option, const char *value, void *options)
{
    common_options *o = options;
    if (o->output_count == MOST_OUTPUTS)
        return fail(STATUS_USAGE, "%s %s: more than %d files", option, value, (int)MOST_OUTPUTS);
    o->outputs[o->output_count++] = value;
    return STATUS_OK;
}

#define OPTIONS common_options

const option_row common_option_rows[] = {
    {"device", "SPEC", "index of foehn devices, cpu, gpu, or part of a name", TEXT(device)},
    {"steps", "N", "steps to make", WHOLE(steps, 1, 1e9), NO_WINDOW},
    {"duration", "S", "seconds to simulate, instead of --steps", REAL(duration, 1e-6, 1e9, "s"),
     NO_WINDOW},
    {"dt", "S", "length of a step, s", REAL(dt, 1e-6, 1e4, "s")},
    {"seed", "N", "of everything random (1)", WHOLE(seed, 0, 0)},
    {"out", "FILE", "write a file, its format by its extension; repeatable", OWN(parse_out),
     UNRECORDED, NO_WINDOW},
    {"every", "S", "simulated seconds between outputs (only at the end)",
     REAL(every, 1e-6, 1e9, "s"), NO_WINDOW},
    {"stats", "FILE", "write figures as JSON; - for stdout", TEXT(stats), UNRECORDED},
    {"checkpoint", "FILE", "save the whole state (HDF5)", TEXT(checkpoint), UNRECORDED, NO_WINDOW},
    {"checkpoint-every", "S", "simulated seconds between checkpoints (at the end)",
     REAL(checkpoint_every, 1e-6, 1e9, "s"), UNRECORDED, NO_WINDOW},
    {"resume", "FILE", "go on from a checkpoint", TEXT(resume), NO_WINDOW},
    {"config", "FILE", "options out of a file, a line each: name = value", TEXT(config), UNRECORDED,
     NO_WINDOW},
    {"quiet", NULL, "no progress and no report; warnings and errors stay", FLAG(quiet), UNRECORDED},
    END_OF_OPTIONS};

void common_options_init(common_options *options)
{
    memset(options, 0, sizeof *options);
    options->seed = 1;
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

int common_outputs_check(const common_options *o)
{
    int status = STATUS_OK;
    for (int i = 0; i < o->output_count && status == STATUS_OK; i++)
        status = file_check_writable(o->outputs[i]);
    if (status == STATUS_OK && o->stats && strcmp(o->stats, "-") != 0)
        status = file_check_writable(o->stats);
    return status;
}

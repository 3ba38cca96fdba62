/* SPDX-License-Identifier: MIT */
/* Reading a command line: tables of options, numbers with clear errors, and what every simulation
 * takes. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "tool.h"

#include <stddef.h>

/* What the value of an option is, and the member that takes it. */
typedef enum option_kind {
    OPTION_FLAG,   /* no value; bool */
    OPTION_TEXT,   /* const char *, which lasts as long as the command */
    OPTION_REAL,   /* double, low to high */
    OPTION_SPEED,  /* double in m/s, which may be given with a unit */
    OPTION_COUNT,  /* int, low to high */
    OPTION_WHOLE,  /* uint64_t, low to high; high 0: any */
    OPTION_CHOICE, /* int: place in names */
    OPTION_OWN     /* what parse makes of it */
} option_kind;

/* Fails, or notes the value in the options. */
typedef int option_parser(const char *option, const char *value, void *options);

/* One row of a table of options, all there is to know of one: the command line, files of options,
 * the help and the manual are made of it.  A table ends with a row without a name.  Rows are
 * written by the macros below. */
typedef struct option_row {
    const char *name, *argument, *help; /* argument NULL: takes none */
    option_kind kind;
    size_t place;             /* of the member, bytes into the struct of options */
    double low, high;         /* the range */
    const char *unit;         /* for messages */
    const char *const *names; /* of a choice; NULL ends the list */
    option_parser *parse;     /* of OPTION_OWN */
    size_t given;             /* of a bool that is set when the option is given; 0: none */
    bool unrecorded;          /* names an output: the result does not depend on it */
    bool no_window;           /* foehn view does not take it */
} option_row;

/* What a row says behind name, argument and help.  A file that has a table defines OPTIONS as the
 * type of its struct of options, whose first member is none of a GIVEN. */
#define FLAG(member) .kind = OPTION_FLAG, .place = offsetof(OPTIONS, member)
#define TEXT(member) .kind = OPTION_TEXT, .place = offsetof(OPTIONS, member)
#define RANGE_OF(least, most, of) .low = (least), .high = (most), .unit = (of)
#define REAL(member, least, most, of)                                                              \
    .kind = OPTION_REAL, .place = offsetof(OPTIONS, member), RANGE_OF(least, most, of)
#define SPEED(member, least, most)                                                                 \
    .kind = OPTION_SPEED, .place = offsetof(OPTIONS, member), RANGE_OF(least, most, "m/s")
#define COUNT(member, least, most)                                                                 \
    .kind = OPTION_COUNT, .place = offsetof(OPTIONS, member), RANGE_OF(least, most, "")
#define WHOLE(member, least, most)                                                                 \
    .kind = OPTION_WHOLE, .place = offsetof(OPTIONS, member), RANGE_OF(least, most, "")
#define CHOICE(member, list)                                                                       \
    .kind = OPTION_CHOICE, .place = offsetof(OPTIONS, member), .names = (list)
#define OWN(parser) .kind = OPTION_OWN, .parse = (parser)
#define GIVEN(member) .given = offsetof(OPTIONS, member)
#define UNRECORDED .unrecorded = true
#define NO_WINDOW .no_window = true
#define END_OF_OPTIONS                                                                             \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Rows and the struct that they fill; a list ends with rows NULL. */
typedef struct option_table {
    const option_row *rows;
    void *options;
} option_table;

/* What options_parse() found besides errors. */
enum { OPTIONS_HELP = -1, OPTIONS_RECORD = 1024 };

/* Read argv[1] and on; files of options first, where a table has --config.  Positional arguments
 * are refused when positionals is NULL, else their first index is stored there.  record, of
 * OPTIONS_RECORD bytes, or NULL: options are appended as they were given, without those that name
 * outputs, so that files of the same run are the same. Returns STATUS_OK, OPTIONS_HELP after
 * --help, or what a value failed with. */
int options_parse(const char *command, int argc, char **argv, const option_table *tables,
                  char *record, int *positionals);

void options_print(const option_row *rows);

/* Numbers: all of the text but the unit, which may stand behind it; finite, low to high. */
int parse_number(const char *option, const char *text, double low, double high, const char *unit,
                 double *out);
/* In m/s, or with one of the units m/s, kn, km/h, mph, ft/s behind the number; out is in m/s. */
int parse_speed(const char *option, const char *text, double low, double high, double *out);
int parse_count(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out);
/* Exactly count numbers between separators. */
int parse_numbers(const char *option, const char *text, char separator, int count, const char *form,
                  double *out);

/* The place in a list of names that NULL ends.  Fails with the list, as unknown_name() does. */
int parse_choice(const char *option, const char *value, const char *const *names, int *out);
int unknown_name(const char *option, const char *value, size_t count, const char *const *names);

enum { MOST_OUTPUTS = 32 };

/* What every simulation takes. */
typedef struct common_options {
    const char *device;
    const char *devices; /* "0,1": a part on each; NULL */
    uint64_t steps;      /* 0: not given */
    double duration;     /* s; 0: not given */
    double dt;           /* s; 0: chosen */
    uint64_t seed;
    int output_count;
    const char *outputs[MOST_OUTPUTS];
    double every;      /* s between outputs; 0: only at the end */
    const char *stats; /* file, "-", or NULL */
    bool quiet;
    const char *checkpoint;  /* file or NULL */
    double checkpoint_every; /* s; 0: only at the end */
    const char *resume;      /* file or NULL */
    const char *config;      /* was read first */
} common_options;

extern const option_row common_option_rows[];
void common_options_init(common_options *options);
/* What only the whole command line shows: options that exclude each other. */
int common_options_check(const common_options *options);
/* That --out and --stats can be written, which is found out before a device is opened. */
int common_outputs_check(const common_options *options);

#endif

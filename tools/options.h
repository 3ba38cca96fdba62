/* SPDX-License-Identifier: MIT */
/* Reading a command line: tables of options, numbers with clear errors, and what every simulation
 * takes. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "tool.h"

/* One row of a table of options; a table ends with a row without a name.  The help is made of the
 * same rows. */
typedef struct option_row {
    const char *name;
    const char *argument; /* NULL: takes none */
    int id;               /* 256 and up; handed to the handler */
    const char *help;
} option_row;

/* What to do with one option.  Returns STATUS_OK or fails. */
typedef int option_handler(int id, const char *option, const char *value, void *data);

/* What options_parse() found besides errors. */
enum { OPTIONS_HELP = -1 };

/* Read argv[1] and on.  Rows of common may be NULL.  Positional arguments are refused when
 * positionals is NULL, else their first index is stored there.
 * Returns STATUS_OK, OPTIONS_HELP after --help, or what the handler failed with. */
int options_parse(const char *command, int argc, char **argv, const option_row *own,
                  const option_row *common, option_handler *handle, void *data, int *positionals);

void options_print(const option_row *rows);

/* Numbers: all of the text, finite, low to high.  unit is for the message. */
int parse_number(const char *option, const char *text, double low, double high, const char *unit,
                 double *out);
/* In m/s, or with one of the units m/s, kn, km/h, mph, ft/s behind the number; out is in m/s. */
int parse_speed(const char *option, const char *text, double low, double high, double *out);
int parse_count(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out);
/* Exactly count numbers between separators. */
int parse_numbers(const char *option, const char *text, char separator, int count, const char *form,
                  double *out);

/* One of a list of names, or its place in the list.  Both fail with the list, as unknown_name() does. */
int parse_name(const char *option, const char *value, size_t count, const char *const *names,
               const char **out);
int parse_choice(const char *option, const char *value, size_t count, const char *const *names,
                 int *out);
int unknown_name(const char *option, const char *value, size_t count, const char *const *names);

enum { MOST_OUTPUTS = 32 };

/* What every simulation takes. */
typedef struct common_options {
    const char *device;
    uint64_t steps;  /* 0: not given */
    double duration; /* s; 0: not given */
    double dt;       /* s; 0: chosen */
    uint64_t seed;
    int output_count;
    const char *outputs[MOST_OUTPUTS];
    double every;      /* s between outputs; 0: only at the end */
    const char *stats; /* file, "-", or NULL */
    bool quiet;
    const char *checkpoint;  /* file or NULL */
    double checkpoint_every; /* s; 0: only at the end */
    const char *resume;      /* file or NULL */
} common_options;

extern const option_row common_option_rows[];
void common_options_init(common_options *options);
/* True when the id is one of common_option_rows; *status then says how it went. */
bool common_options_handle(common_options *options, int id, const char *option, const char *value,
                           int *status);
/* What only the whole command line shows: options that exclude each other. */
int common_options_check(const common_options *options);

#endif

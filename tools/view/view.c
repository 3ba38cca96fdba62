/* SPDX-License-Identifier: MIT */
/* foehn view: the command line. */
#include "config.h"

#include "tool.h"

#ifndef HAVE_VIEW

int view_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    return fail(STATUS_USAGE, "view: the window is not built in: install libsdl2-dev and "
                              "libcairo2-dev, build again");
}

#else

#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1024, SCALE, SCRIPT, FAST, MOST_ROWS = 64 };

static const option_row rows[] = {
    {"size", "WxH", SIZE, "of the window, in points (1100x800)"},
    {"scale", "F", SCALE, "pixels a point of letters and widgets (the display's)"},
    {"script", "FILE", SCRIPT, "play events from a file, a frame every 1/30 s; see foehn(1)"},
    {"fast", NULL, FAST, "a script does not wait for the clock"},
    {NULL, NULL, 0, NULL}};

/* What a window takes of the options that simulations have. */
static const char *const common_names[] = {"device", "dt", "seed", "stats", "quiet", NULL};
/* What it does not take of its pages'. */
static const char *const left_out[] = {
    "list", "show", "input",      "steady",           "probe",         "tolerance", "height",
    "size", "bits", "background", "background-depth", "velocity-name", "up", NULL};

const view_page *const view_pages[] = {
#ifdef HAVE_YAML
    &view_flow,
#endif
    &view_wind,
#ifdef HAVE_YAML
    &view_fire,
#endif
    NULL};

static bool among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

int view_options_create(const view_page *page, void **options)
{
    *options = malloc(page->options_size);
    if (!*options)
        return fail_memory();
    page->options_init(*options);
    return STATUS_OK;
}

/* Options of the window, of the page, and of every simulation, as far as they make sense here. */
static void gather(const view_page *page, option_row table[MOST_ROWS])
{
    const option_row *lists[] = {page->rows, rows, common_option_rows};
    int count = 0;
    for (int l = 0; l < 3; l++)
        for (const option_row *r = lists[l]; r->name && count < MOST_ROWS - 1; r++)
            if (l == 0 ? !among(r->name, left_out) : l == 1 || among(r->name, common_names))
                table[count++] = *r;
    table[count] = (option_row){NULL, NULL, 0, NULL};
}

typedef struct reading {
    view_options o;
    const view_page *page;
} reading;

static int handle(int id, const char *option, const char *value, void *data)
{
    reading *r = data;
    view_options *o = &r->o;
    double size[2];
    int status;
    if (common_options_handle(&o->common, id, option, value, &status))
        return status;
    switch (id) {
    case SIZE:
        status = parse_numbers(option, value, 'x', 2, "WxH such as 1100x800", size);
        if (status == STATUS_OK &&
            !(fmin(size[0], size[1]) >= 100 && fmax(size[0], size[1]) <= 8192))
            return fail(STATUS_INPUT, "%s %s: out of range: give 100 to 8192", option, value);
        o->width = status == STATUS_OK ? (int)size[0] : 0;
        o->height = status == STATUS_OK ? (int)size[1] : 0;
        o->sized = true;
        return status;
    case SCALE: return parse_number(option, value, 0.5, 4, "", &o->scale);
    case SCRIPT: o->script = value; return STATUS_OK;
    case FAST: o->fast = true; return STATUS_OK;
    default: return r->page->options_handle(id, option, value, o->page_options);
    }
}

static void print_help(const view_page *page, const option_row *table)
{
    printf("Usage: foehn view [PAGE] [SCENE] [options]\n\nA window on a simulation that runs.  "
           "Pages:\n");
    for (int i = 0; view_pages[i]; i++)
        printf("  %-10s%s\n", view_pages[i]->name, view_pages[i]->title);
    printf("\nOptions of foehn view %s:\n", page->name);
    options_print(table);
    puts("\nIn the window h shows the keys.");
}

/* The page that is asked for, and how many words of the command line that took. */
static int find_page(int argc, char **argv, int *page, int *words)
{
    const char *names[8];
    size_t count = 0;
    *page = *words = 0;
    for (; view_pages[count]; count++)
        names[count] = view_pages[count]->name;
    if (argc < 2 || argv[1][0] == '-')
        return STATUS_OK;
    *words = 1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], argv[1]) == 0) {
            *page = (int)i;
            return STATUS_OK;
        }
#ifndef HAVE_YAML
    if (strcmp(argv[1], "flow") == 0 || strcmp(argv[1], "fire") == 0)
        return fail(STATUS_USAGE,
                    "view: the page %s is not built in: install libyaml-dev, build "
                    "again",
                    argv[1]);
#endif
    const char *near = nearest_word(argv[1], count, names);
    return fail(STATUS_USAGE, "view: no page is called %s: %s%s%ssee foehn view --help", argv[1],
                near ? "did you mean " : "", near ? near : "", near ? "? " : "");
}

static int run(reading *r, int argc, char **argv)
{
    option_row table[MOST_ROWS];
    int number, words, first = argc;
    int status = find_page(argc, argv, &number, &words);
    if (status != STATUS_OK)
        return status;
    r->page = view_pages[number];
    char command[32];
    snprintf(command, sizeof command, "view %s", r->page->name);
    gather(r->page, table);
    status = view_options_create(r->page, &r->o.page_options);
    if (status == STATUS_OK)
        status = options_parse(command, argc - words, argv + words, table, NULL, handle, r, &first);
    if (status == OPTIONS_HELP) {
        print_help(r->page, table);
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = r->page->options_check(r->o.page_options);
    if (status != STATUS_OK)
        return status;
    if (first + 1 < argc - words)
        return fail(STATUS_USAGE, "view: one scene at a time: what is %s?",
                    argv[words + first + 1]);
    r->o.scene = first < argc - words ? argv[words + first] : NULL;
    return view_run(&r->o, number);
}

int view_main(int argc, char **argv)
{
    reading r = {.o = {.width = 1100, .height = 800}};
    common_options_init(&r.o.common);
    int status = run(&r, argc, argv);
    if (r.page)
        r.page->options_destroy(r.o.page_options);
    return status;
}

#endif

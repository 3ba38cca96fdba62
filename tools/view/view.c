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

enum { MOST_ROWS = 64 };

static int parse_size(const char *option, const char *value, void *options)
{
    view_options *o = options;
    double size[2];
    int status = parse_numbers(option, value, 'x', 2, "WxH such as 1100x800", size);
    if (status != STATUS_OK)
        return status;
    if (!(fmin(size[0], size[1]) >= 100 && fmax(size[0], size[1]) <= 8192))
        return fail(STATUS_INPUT, "%s %s: out of range: give 100 to 8192", option, value);
    o->width = (int)size[0];
    o->height = (int)size[1];
    return STATUS_OK;
}

#define OPTIONS view_options

static const option_row rows[] = {
    {"size", "WxH", "of the window, in points (1100x800)", OWN(parse_size), GIVEN(sized)},
    {"scale", "F", "pixels a point of letters and widgets (the display's)",
     REAL(scale, 0.5, 4, "")},
    {"script", "FILE", "play events from a file, a frame every 1/30 s; see foehn(1)", TEXT(script)},
    {"fast", NULL, "a script does not wait for the clock", FLAG(fast)},
    END_OF_OPTIONS};

static const view_page *const pages[] = {
#ifdef HAVE_YAML
    &view_flow,
#endif
    &view_wind,
#ifdef HAVE_YAML
    &view_fire,
#endif
    NULL};

/* Those that make sense in a window. */
static void choose_rows(const option_row *from, option_row out[MOST_ROWS])
{
    int count = 0;
    for (; from->name && count < MOST_ROWS - 1; from++)
        if (!from->no_window)
            out[count++] = *from;
    out[count] = (option_row)END_OF_OPTIONS;
}

typedef struct reading {
    view_options o;
    const view_page *page;
    option_row of_page[MOST_ROWS], common[MOST_ROWS];
} reading;

static void print_help(const reading *r)
{
    const view_page *page = r->page;
    printf("Usage: foehn view [PAGE] [SCENE] [options]\n\nA window on a simulation that runs.  "
           "Pages:\n");
    for (int i = 0; pages[i]; i++)
        printf("  %-10s%s\n", pages[i]->name, pages[i]->title);
    printf("\nOptions of foehn view %s:\n", page->name);
    options_print(r->of_page);
    options_print(rows);
    options_print(r->common);
    puts("\nIn the window h shows the keys.");
}

/* The page that is asked for, and how many words of the command line that took. */
static int find_page(int argc, char **argv, int *page, int *words)
{
    const char *names[8];
    size_t count = 0;
    *page = *words = 0;
    for (; pages[count]; count++)
        names[count] = pages[count]->name;
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
    int number, words, first = argc;
    int status = find_page(argc, argv, &number, &words);
    if (status != STATUS_OK)
        return status;
    r->page = pages[number];
    char command[32];
    snprintf(command, sizeof command, "view %s", r->page->name);
    choose_rows(r->page->rows, r->of_page);
    choose_rows(common_option_rows, r->common);
    status = view_options_create(r->page, &r->o.page_options);
    const option_table tables[] = {
        {r->of_page, r->o.page_options}, {rows, &r->o}, {r->common, &r->o.common}, {NULL, NULL}};
    if (status == STATUS_OK)
        status = options_parse(command, argc - words, argv + words, tables, NULL, &first);
    if (status == OPTIONS_HELP) {
        print_help(r);
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
    return view_run(&r->o, pages, number);
}

int view_main(int argc, char **argv)
{
    reading *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory();
    r->o.width = 1100;
    r->o.height = 800;
    common_options_init(&r->o.common);
    int status = run(r, argc, argv);
    if (r->page)
        r->page->options_destroy(r->o.page_options);
    free(r);
    return status;
}

#endif

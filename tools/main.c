/* SPDX-License-Identifier: MIT */
/* The foehn command: finds the subcommand. */
#include "config.h"

#include "file.h"
#include "ranks.h"
#include "tool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifndef HAVE_YAML
static int without_scenes(const char *command)
{
    return fail(STATUS_USAGE, "%s: scenes are not built in: install libyaml-dev, build again",
                command);
}

int fire_main(int argc, char **argv)
{
    return (void)argc, without_scenes(argv[0]);
}

int flow_main(int argc, char **argv)
{
    return (void)argc, without_scenes(argv[0]);
}
#endif

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"devices", devices_main, "list OpenCL devices and say which would be chosen, and why"},
    {"wind", wind_main, "compute the wind field over flat ground or real terrain"},
    {"fire", fire_main, "run a scene of fire and smoke"},
    {"flow", flow_main, "run a scene of the 2-D flow lab"},
    {"box", box_main, "make a box of turbulent wind for load calculations"},
    {"view", view_main, "a window on a simulation that runs"},
    {"bench", bench_main, "measure times and bandwidths of each stage on the device"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    puts(
        "Usage: foehn COMMAND [options]\n\nWind, fire and flow on any OpenCL device.\n\nCommands:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].help);
    puts("\n  foehn COMMAND --help   options of a command\n"
         "  foehn --version        version of the command and of the library\n\n"
         "Exit status: 0 done, 1 failed while running, 2 wrong usage, 3 bad input file or value,\n"
         "4 no usable OpenCL device.  See foehn(1).");
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return fail(STATUS_USAGE, "no command given: try foehn --help");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(name, "--version") == 0) {
        printf("foehn %d.%d.%d (libfoehn %s)\n", FOEHN_VERSION_MAJOR, FOEHN_VERSION_MINOR,
               FOEHN_VERSION_PATCH, foehn_version());
        return STATUS_OK;
    }
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0)
            return commands[i].main(argc - 1, argv + 1);
    }
    const char *near = nearest_word(name, COMMANDS, names);
    if (near)
        return fail(STATUS_USAGE, "%s: no such command: did you mean foehn %s?", name, near);
    return fail(STATUS_USAGE, "%s: no such command: see foehn --help", name);
}

int main(int argc, char **argv)
{
    int status = ranks_begin(argc > 1 ? argv[1] : NULL);
    if (status == STATUS_OK)
        status = run(argc, argv);
    status = ranks_end(status);
    /* A full disk shows up only when stdout is flushed. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK)
        status = fail(STATUS_FAILED, "stdout: cannot be written: %s", strerror(errno));
    if (left_unclosed()) {
        file_discard_all();
        _exit(status);
    }
    return status;
}

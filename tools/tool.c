/* SPDX-License-Identifier: MIT */
/* Messages and spelling. */
#include "config.h"

#include "tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static FILE *report_stream;
static bool line_shown;
static _Thread_local bool silent;
static _Thread_local char kept_text[1024];

void keep_silent(void)
{
    silent = true;
}

bool is_silent(void)
{
    return silent;
}

const char *silent_text(void)
{
    return kept_text;
}

void line_clear(void)
{
    if (!line_shown || silent)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    line_shown = false;
}

void line_show(const char *format, ...)
{
    va_list args;
    if (silent)
        return;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
    line_shown = true;
}

/* Line ends inside a message would make two errors of one for whoever reads stderr by lines. */
static void say(const char *prefix, const char *format, va_list args)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, args);
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = 0;
    for (char *p = text; *p; p++)
        if (*p == '\n')
            *p = ' ';
    if (silent) {
        snprintf(kept_text, sizeof kept_text, "%.1000s", text);
        return;
    }
    line_clear();
    fprintf(stderr, "%s%s\n", prefix, text);
}

int fail(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("foehn: ", format, args);
    va_end(args);
    return status;
}

int fail_memory(void)
{
    return fail(STATUS_FAILED, "out of host memory: ask for fewer cells");
}

/* What drivers that compile with LLVM fail with after a signal: it has removed their files. */
static bool may_be_of_a_signal(foehn_status status)
{
    return status == FOEHN_ERROR_BUILD || status == FOEHN_ERROR_DEVICE ||
           status == FOEHN_ERROR_OPENCL;
}

int fail_library(foehn_status status)
{
    const char *text = foehn_last_error();
    if (stop_requested() && may_be_of_a_signal(status))
        return fail(STATUS_STOPPED, STOPPED_EARLY);
    switch (status) {
    case FOEHN_OK: return STATUS_OK;
    case FOEHN_ERROR_ARGUMENT:
    case FOEHN_ERROR_MEMORY: return fail(STATUS_INPUT, "%s", text);
    case FOEHN_ERROR_DEVICE: return fail(STATUS_NO_DEVICE, "%s", text);
    case FOEHN_ERROR_BUILD:
        if (silent)
            return fail(STATUS_NO_DEVICE, "%s", text);
        /* The compiler's log keeps its lines. */
        line_clear();
        fprintf(stderr, "foehn: %s\n", text);
        return STATUS_NO_DEVICE;
    case FOEHN_ERROR_UNSTABLE: return fail(STATUS_FAILED, "%s: use a smaller --dt", text);
    case FOEHN_ERROR_PART: return STATUS_OTHER;
    default: return fail(STATUS_FAILED, "%s", text);
    }
}

int list_devices(foehn_device_info **infos, size_t *count)
{
    *infos = NULL;
    *count = 0;
    int status = fail_library(foehn_devices_get(0, NULL, count));
    if (status == STATUS_OK && !(*infos = calloc(*count ? *count : 1, sizeof **infos)))
        status = fail_memory();
    if (status == STATUS_OK) {
        (*infos)[0].struct_size = sizeof **infos;
        status = fail_library(foehn_devices_get(*count, *infos, count));
    }
    if (status != STATUS_OK) {
        free(*infos);
        *infos = NULL;
    }
    return status;
}

void warn(const char *format, ...)
{
    va_list args;
    if (silent)
        return;
    va_start(args, format);
    say("foehn: warning: ", format, args);
    va_end(args);
}

void report(const char *format, ...)
{
    if (!report_stream || silent)
        return;
    line_clear();
    va_list args;
    va_start(args, format);
    vfprintf(report_stream, format, args);
    va_end(args);
    fputc('\n', report_stream);
    fflush(report_stream);
}

void report_to(FILE *stream)
{
    report_stream = stream;
}

static bool unclosed;

void leave_unclosed(void)
{
    unclosed = true;
}

bool left_unclosed(void)
{
    return unclosed;
}

/* Levenshtein distance of two short words. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 48 };
    int row[LONGEST + 1];
    int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return LONGEST;
    for (int j = 0; j <= nb; j++)
        row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        text[--n] = 0;
    return text;
}

const char *nearest_word(const char *word, size_t count, const char *const *candidates)
{
    const char *best = NULL;
    int least = 1 + (int)strlen(word) / 2;
    for (size_t i = 0; i < count; i++) {
        int d = distance(word, candidates[i]);
        if (d < least) {
            least = d;
            best = candidates[i];
        }
    }
    return best;
}

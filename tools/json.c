/* SPDX-License-Identifier: MIT */
/* Writing JSON. */
#include "config.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>

static void put_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(stream, "\\%c", *p);
        else if (*p < 0x20)
            fprintf(stream, "\\u%04x", *p);
        else
            fputc(*p, stream);
    }
    fputc('"', stream);
}

/* Comma, line and key before a value. */
static void lead(json *j, const char *key)
{
    if (j->depth > 0)
        fprintf(j->stream, "%s\n%*s", j->empty ? "" : ",", 2 * j->depth, "");
    j->empty = false;
    if (key) {
        put_text(j->stream, key);
        fputs(": ", j->stream);
    }
}

void json_begin(json *j, FILE *stream)
{
    *j = (json){stream, 0, true};
}

static void open_bracket(json *j, const char *key, char bracket)
{
    lead(j, key);
    fputc(bracket, j->stream);
    j->depth++;
    j->empty = true;
}

void json_object(json *j, const char *key)
{
    open_bracket(j, key, '{');
}

void json_array(json *j, const char *key)
{
    open_bracket(j, key, '[');
}

void json_close(json *j, char bracket)
{
    j->depth--;
    if (!j->empty)
        fprintf(j->stream, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->stream);
    j->empty = false;
}

void json_text(json *j, const char *key, const char *value)
{
    lead(j, key);
    if (value)
        put_text(j->stream, value);
    else
        fputs("null", j->stream);
}

void json_number(json *j, const char *key, double value)
{
    lead(j, key);
    if (!isfinite(value)) {
        fputs("null", j->stream);
        return;
    }
    /* The shortest text that reads back as the same number. */
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, j->stream);
}

void json_count(json *j, const char *key, uint64_t value)
{
    lead(j, key);
    fprintf(j->stream, "%llu", (unsigned long long)value);
}

void json_truth(json *j, const char *key, bool value)
{
    lead(j, key);
    fputs(value ? "true" : "false", j->stream);
}

void json_end(json *j)
{
    fputc('\n', j->stream);
    fflush(j->stream);
}

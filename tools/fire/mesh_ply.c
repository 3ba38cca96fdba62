/* SPDX-License-Identifier: MIT */
/* PLY, as text and in bytes of both orders (Turk, "The PLY polygon file format", 1994): x, y and z
 * of its vertices and the corners of its faces. */
#include "config.h"

#include "fire/mesh_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64, MOST_WORDS = 6 };

typedef enum ply_type { I8, U8, I16, U16, I32, U32, F32, F64, TYPES } ply_type;
static const size_t type_sizes[TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};

typedef enum ply_role { NOTHING, X, Y, Z, CORNERS } ply_role;

typedef struct ply_property {
    bool is_list;
    ply_type count_type, type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    double count;
    int property_count;
    ply_property properties[MOST_PROPERTIES];
} ply_element;

typedef enum ply_format { NO_FORMAT, TEXT, LITTLE, BIG } ply_format;

typedef struct ply_file {
    mesh_source *s;
    ply_format format;
    char *p, *end;
    int element_count;
    ply_element elements[MOST_ELEMENTS];
} ply_file;

/* ---- header ---- */

static bool find_type(const char *word, ply_type *out)
{
    static const char *const names[2 * TYPES] = {
        "char", "uchar", "short", "ushort", "int",   "uint",   "float",   "double",
        "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"};
    for (int n = 0; n < 2 * TYPES; n++)
        if (strcmp(word, names[n]) == 0) {
            *out = (ply_type)(n % TYPES);
            return true;
        }
    return false;
}

/* The words of a line; returns how many, and ends each with a zero. */
static int split(ply_file *f, char *words[MOST_WORDS])
{
    char *line = f->p, *stop = memchr(line, '\n', (size_t)(f->end - line));
    int count = 0;
    if (!stop)
        return -1;
    *stop = 0;
    f->p = stop + 1;
    for (char *p = line; count < MOST_WORDS; p++) {
        p += strspn(p, " \t\r");
        if (!*p)
            break;
        words[count++] = p;
        p += strcspn(p, " \t\r");
        if (!*p)
            break;
        *p = 0;
    }
    return count;
}

static int add_element(ply_file *f, char *const words[])
{
    if (f->element_count == MOST_ELEMENTS)
        return mesh_fail(f->s, "more than %d elements", (int)MOST_ELEMENTS);
    char *last;
    ply_element *e = &f->elements[f->element_count++];
    e->count = strtod(words[2], &last);
    if (*last || !(e->count >= 0 && e->count <= 4e9 && e->count == floor(e->count)))
        return mesh_fail(f->s, "its header has %s %s", words[2], words[1]);
    return STATUS_OK;
}

static int add_property(ply_file *f, const char *element, int count, char *const words[])
{
    bool is_list = strcmp(words[1], "list") == 0;
    ply_element *e = f->element_count ? &f->elements[f->element_count - 1] : NULL;
    if (!e || e->property_count == MOST_PROPERTIES || count != (is_list ? 5 : 3))
        return mesh_fail(f->s, "its header is damaged at \"property %s\"", words[1]);
    ply_property *p = &e->properties[e->property_count++];
    const char *name = words[count - 1];
    p->is_list = is_list;
    if (!find_type(words[count - 2], &p->type) || (is_list && !find_type(words[2], &p->count_type)))
        return mesh_fail(f->s, "a property of the type %s", words[is_list ? 2 : 1]);
    bool vertex = strcmp(element, "vertex") == 0, face = strcmp(element, "face") == 0;
    if (vertex && !is_list && name[0] >= 'x' && name[0] <= 'z' && !name[1])
        p->role = (ply_role)(X + name[0] - 'x');
    if (face && is_list &&
        (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        p->role = CORNERS;
    return STATUS_OK;
}

static int read_header(ply_file *f)
{
    static const char *const formats[] = {"", "ascii", "binary_little_endian", "binary_big_endian"};
    char element[32] = "", *words[MOST_WORDS];
    for (int line = 1, status = STATUS_OK;; line++) {
        int count = split(f, words);
        if (count < 0)
            return mesh_fail(f->s, "its PLY header has no end");
        if (line == 1 && (count != 1 || strcmp(words[0], "ply") != 0))
            return mesh_fail(f->s, "is no PLY");
        if (count == 1 && strcmp(words[0], "end_header") == 0)
            break;
        if (count == 3 && strcmp(words[0], "format") == 0)
            for (int n = TEXT; n <= BIG; n++)
                f->format = strcmp(words[1], formats[n]) == 0 ? (ply_format)n : f->format;
        if (count == 3 && strcmp(words[0], "element") == 0) {
            snprintf(element, sizeof element, "%s", words[1]);
            status = add_element(f, words);
        } else if (count >= 3 && strcmp(words[0], "property") == 0)
            status = add_property(f, element, count, words);
        if (status != STATUS_OK)
            return status;
    }
    return f->format == NO_FORMAT ? mesh_fail(f->s, "a PLY of an unknown format") : STATUS_OK;
}

/* ---- body ---- */

/* The next number; false at the end of the file. */
static bool next_number(ply_file *f, ply_type type, double *out)
{
    if (f->format == TEXT) {
        char *p = f->s->bytes + (f->p - f->s->bytes);
        bool found = mesh_number(&p, out);
        f->p = p;
        return found;
    }
    size_t size = type_sizes[type];
    unsigned char b[8] = {0};
    if ((size_t)(f->end - f->p) < size)
        return false;
    uint64_t bits = 0;
    memcpy(b, f->p, size);
    for (size_t n = 0; n < size; n++)
        bits |= (uint64_t)b[n] << 8 * (f->format == LITTLE ? n : size - 1 - n);
    f->p += size;
    uint32_t low = (uint32_t)bits;
    float single;
    switch (type) {
    case I8: *out = (int8_t)low; break;
    case I16: *out = (int16_t)low; break;
    case I32: *out = (int32_t)low; break;
    case U8:
    case U16:
    case U32: *out = low; break;
    case F32:
        memcpy(&single, &low, sizeof single);
        *out = (double)single;
        break;
    default: memcpy(out, &bits, sizeof *out); break;
    }
    return true;
}

static int cut_short(const ply_file *f)
{
    return mesh_fail(f->s, "is cut short: its PLY header promises more");
}

/* The corners of a face, or a list that nobody asks for. */
static int read_list(ply_file *f, const ply_property *p)
{
    uint32_t corners[MOST_CORNERS];
    double count, number;
    if (!next_number(f, p->count_type, &count))
        return cut_short(f);
    if (!(count >= 0 && count <= (double)(f->end - f->p)))
        return cut_short(f);
    if (p->role == CORNERS && count > MOST_CORNERS)
        return mesh_fail(f->s, "a face of %g corners: at most %d", count, (int)MOST_CORNERS);
    size_t n = 0;
    for (; (double)n < count; n++) {
        if (!next_number(f, p->type, &number))
            return cut_short(f);
        if (p->role != CORNERS)
            continue;
        if (!(number >= 0 && number < 4294967295.0))
            return mesh_fail(f->s, "a face has a corner %g", number);
        corners[n] = (uint32_t)number;
    }
    return p->role == CORNERS ? mesh_take_polygon(f->s, 0, n, corners) : STATUS_OK;
}

static int read_element(ply_file *f, const ply_element *e)
{
    /* Each one has a byte at least: a count cannot be more than the bytes that are left. */
    if (e->property_count > 0 && e->count > (double)(f->end - f->p))
        return cut_short(f);
    bool is_vertex = false;
    for (int k = 0; k < e->property_count; k++)
        is_vertex = is_vertex || (e->properties[k].role >= X && e->properties[k].role <= Z);
    for (double n = 0; e->property_count > 0 && n < e->count; n++) {
        double at[Z + 1] = {0};
        for (int k = 0; k < e->property_count; k++) {
            const ply_property *p = &e->properties[k];
            double number;
            int status = STATUS_OK;
            if (p->is_list)
                status = read_list(f, p);
            else if (!next_number(f, p->type, &number))
                status = cut_short(f);
            else
                at[p->role] = number;
            if (status != STATUS_OK)
                return status;
        }
        int status = is_vertex ? mesh_take_vertex(f->s, at[X], at[Y], at[Z]) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int mesh_read_ply(mesh_source *s)
{
    ply_file *f = calloc(1, sizeof *f);
    if (!f)
        return fail_memory();
    f->s = s;
    f->p = s->bytes;
    f->end = s->bytes + s->size;
    int status = read_header(f);
    for (int n = 0; n < f->element_count && status == STATUS_OK; n++)
        status = read_element(f, &f->elements[n]);
    free(f);
    return status;
}

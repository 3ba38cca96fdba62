/* SPDX-License-Identifier: MIT */
/* Where the outlines of obstacles meet the grid: solid cells, openness of faces, and how far the
 * wall is along each viscous link.  All of it comes from crossings of outlines with grid lines. */
#include "flow/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Crossings are rounded to this part of a cell, so that mirror images agree to the bit. */
static const double GRAIN = 1048576;

/* Crossings are looked for so far from the box's lower corner, cells: beyond all that a box has. */
static const double FAR = 65536;

/* The nearest wall that a link may see, cells: the stiffest is 16 times a plain one. */
static const double NEAREST = 1.0 / 15.9;

/* Faces that are less open than this are closed. */
static const double LEAST_OPEN = 0.02;

/* ---- spans ---- */

static int by_place(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_start(const void *a, const void *b)
{
    const flow_span *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* A place on a grid line to GRAIN, within FAR of the box: whatever an outline's size and place, the
 * numbers of cells and faces next to its crossings are ints. */
static double place_of(double place)
{
    return rint(fmin(fmax(place, -FAR), FAR) * GRAIN) / GRAIN;
}

int foehn_spans(const flow_outlines *outlines, int axis, double at,
                flow_span spans[FLOW_MOST_SPANS])
{
    int count = 0;
    for (int i = 0; i < outlines->count; i++) {
        const flow_outline *o = &outlines->list[i];
        double crossing[2 * FLOW_MOST_SPANS];
        int found = 0;
        for (int n = 0, last = o->count - 1; n < o->count; last = n++) {
            const double *a = o->points[last], *b = o->points[n];
            if ((a[axis] <= at) == (b[axis] <= at) || found == 2 * FLOW_MOST_SPANS)
                continue;
            double t = (at - a[axis]) / (b[axis] - a[axis]);
            crossing[found++] = place_of(a[1 - axis] + t * (b[1 - axis] - a[1 - axis]));
        }
        qsort(crossing, (size_t)found, sizeof *crossing, by_place);
        for (int n = 0; n + 1 < found && count < FLOW_MOST_SPANS; n += 2)
            if (crossing[n + 1] > crossing[n])
                spans[count++] = (flow_span){crossing[n], crossing[n + 1], o->owner};
    }
    qsort(spans, (size_t)count, sizeof *spans, by_start);
    int kept = 0;
    for (int n = 0; n < count; n++) {
        if (kept > 0 && spans[n].from <= spans[kept - 1].to) {
            if (spans[n].to > spans[kept - 1].to)
                spans[kept - 1].to = spans[n].to;
        } else
            spans[kept++] = spans[n];
    }
    return kept;
}

/* ---- the surface ---- */

foehn_status foehn_surface_create(const foehn_grid *g, flow_surface *s)
{
    size_t n = foehn_grid_elements(g);
    *s = (flow_surface){.elements = n};
    s->groups = (size_t)foehn_flow_groups(g) * ((size_t)g->ny + 1);
    s->mask = calloc(n, 1);
    s->owner = calloc(n, 1);
    s->plain = calloc(s->groups, 1);
    bool made = s->mask && s->owner && s->plain;
    for (int a = 0; a < 2; a++) {
        s->open[a] = calloc(n, 1);
        made = made && s->open[a];
        for (int b = 0; b < 2; b++) {
            s->link[a][b] = calloc(n, sizeof(uint16_t));
            made = made && s->link[a][b];
        }
    }
    if (!made)
        return foehn_fail(FOEHN_ERROR_MEMORY, "a surface of %zu elements: no host memory", n);
    return FOEHN_OK;
}

void foehn_surface_destroy(flow_surface *s)
{
    free(s->mask);
    free(s->owner);
    free(s->plain);
    for (int a = 0; a < 2; a++) {
        free(s->open[a]);
        for (int b = 0; b < 2; b++)
            free(s->link[a][b]);
    }
    memset(s, 0, sizeof *s);
}

/* Cells, clipped to the box, whose middle lies in [from, to]; from < to. */
static int first_middle(double from)
{
    return from <= 0 ? 0 : (int)ceil(from - 0.5);
}
static int last_middle(double to, int n)
{
    return to >= n ? n - 1 : (int)ceil(to - 0.5) - 1;
}

/* Solid cells and their owners, by the cells' centres. */
static void mark_solids(flow_surface *s, const foehn_grid *g, const flow_outlines *outlines)
{
    flow_span spans[FLOW_MOST_SPANS];
    for (int j = 0; j < g->ny; j++) {
        int count = foehn_spans(outlines, 1, j + 0.5, spans);
        for (int n = 0; n < count; n++)
            for (int i = first_middle(spans[n].from), last = last_middle(spans[n].to, g->nx);
                 i <= last; i++) {
                size_t c = foehn_flow_at(g, i, j);
                s->mask[c] = FLOW_SOLID;
                s->owner[c] = (uint8_t)spans[n].owner;
            }
    }
}

/* Element that stands for (i, j) where an axis is a ring. */
static size_t ring_at(const foehn_grid *g, const foehn_flow_side sides[4], int i, int j)
{
    if (sides[FOEHN_FLOW_LEFT].kind == FOEHN_FLOW_PERIODIC)
        i = (i + g->nx) % g->nx;
    if (sides[FOEHN_FLOW_BOTTOM].kind == FOEHN_FLOW_PERIODIC)
        j = (j + g->ny) % g->ny;
    return foehn_flow_at(g, i, j);
}

static bool on_edge(const foehn_grid *g, const foehn_flow_side sides[4], int axis, int n)
{
    if (sides[2 * axis].kind == FOEHN_FLOW_PERIODIC)
        return n == (axis == 0 ? g->nx : g->ny); /* the duplicate */
    return n == 0 || n == (axis == 0 ? g->nx : g->ny);
}

/* Faces between two cells of which none is solid are free and open. */
static void free_faces(flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4])
{
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t c = foehn_flow_at(g, i, j);
            if (s->mask[c] & FLOW_SOLID)
                continue;
            if (!on_edge(g, sides, 0, i) && !(s->mask[ring_at(g, sides, i - 1, j)] & FLOW_SOLID)) {
                s->mask[c] |= FLOW_U_FREE;
                s->open[0][c] = 255;
            }
            if (!on_edge(g, sides, 1, j) && !(s->mask[ring_at(g, sides, i, j - 1)] & FLOW_SOLID)) {
                s->mask[c] |= FLOW_V_FREE;
                s->open[1][c] = 255;
            }
        }
}

/* Is the velocity point of component a at (i, j) held by a solid on both sides of its face?  Then a
 * link that ends there meets the solid's surface half a cell earlier. */
static bool deep(const flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4], int a,
                 int i, int j)
{
    size_t lower = ring_at(g, sides, a == 0 ? i - 1 : i, a == 0 ? j : j - 1);
    return (s->mask[lower] & FLOW_SOLID) && (s->mask[ring_at(g, sides, i, j)] & FLOW_SOLID);
}

/* Weight of the links across a side for the component along it. */
static uint16_t side_link(foehn_flow_side_kind kind)
{
    switch (kind) {
    case FOEHN_FLOW_WALL:
    case FOEHN_FLOW_INFLOW: return 2 * FLOW_LINK;
    case FOEHN_FLOW_SLIP:
    case FOEHN_FLOW_OUTFLOW: return 0;
    case FOEHN_FLOW_PERIODIC: break;
    }
    return FLOW_LINK;
}

/* All links plain, then those across the box's sides. */
static void plain_links(flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4])
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (size_t n = 0; n < s->elements; n++)
                s->link[a][b][n] = FLOW_LINK;
    for (int i = -1; i <= g->nx; i++) {
        s->link[0][1][foehn_flow_at(g, i, 0)] = side_link(sides[FOEHN_FLOW_BOTTOM].kind);
        s->link[0][1][foehn_flow_at(g, i, g->ny)] = side_link(sides[FOEHN_FLOW_TOP].kind);
    }
    for (int j = -1; j <= g->ny; j++) {
        s->link[1][0][foehn_flow_at(g, 0, j)] = side_link(sides[FOEHN_FLOW_LEFT].kind);
        s->link[1][0][foehn_flow_at(g, g->nx, j)] = side_link(sides[FOEHN_FLOW_RIGHT].kind);
    }
}

/* Links of component a along its own face, where one end lies deep in a staircase. */
static void staircase_links(flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4])
{
    for (int a = 0; a < 2; a++) {
        int b = 1 - a; /* the wall is met across the component */
        for (int j = a; j < g->ny; j++)
            for (int i = b; i < g->nx; i++) {
                bool here = deep(s, g, sides, a, i, j);
                bool before = deep(s, g, sides, a, i - (b == 0), j - (b == 1));
                if (here != before)
                    s->link[a][b][foehn_flow_at(g, i, j)] = 2 * FLOW_LINK;
            }
    }
}

/* ---- fractions ---- */

/* Shares of the faces on a grid line (axis: of the faces' normal) that are open. */
static void cut_faces(flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4],
                      const flow_outlines *outlines, int axis)
{
    flow_span spans[FLOW_MOST_SPANS];
    int lines = axis == 0 ? g->nx : g->ny, along = axis == 0 ? g->ny : g->nx;
    int bit = axis == 0 ? FLOW_U_FREE : FLOW_V_FREE;
    for (int n = 0; n < lines; n++) {
        int count = on_edge(g, sides, axis, n) ? 0 : foehn_spans(outlines, axis, n, spans);
        if (on_edge(g, sides, axis, n))
            continue;
        for (int m = 0, k = 0; m < along; m++) {
            double closed = 0;
            bool inside = false;
            int owner = 0;
            while (k < count && spans[k].to <= m)
                k++;
            for (int q = k; q < count && spans[q].from < m + 1; q++) {
                closed += fmin(spans[q].to, m + 1) - fmax(spans[q].from, m);
                inside |= spans[q].from < m + 0.5 && m + 0.5 < spans[q].to;
                owner = spans[q].owner;
            }
            int i = axis == 0 ? n : m, j = axis == 0 ? m : n;
            size_t c = foehn_flow_at(g, i, j);
            size_t before = ring_at(g, sides, axis == 0 ? i - 1 : i, axis == 0 ? j : j - 1);
            double open = inside || 1 - closed < LEAST_OPEN ? 0 : 1 - closed;
            s->open[axis][c] = (uint8_t)lrint(255 * open);
            if (open > 0)
                s->mask[c] |= (uint8_t)bit;
            if (closed > 0) {
                s->owner[c] = s->owner[c] ? s->owner[c] : (uint8_t)owner;
                s->owner[before] = s->owner[before] ? s->owner[before] : (uint8_t)owner;
            }
        }
    }
}

/* Links of component a along axis b that a surface crosses: weight 1 / distance from the free end.
 */
static void cut_links(flow_surface *s, const foehn_grid *g, const flow_outlines *outlines, int a,
                      int b)
{
    flow_span spans[FLOW_MOST_SPANS];
    double line_offset = a == b ? 0.5 : 0.0;  /* of the line across, from whole numbers */
    double point_offset = a == b ? 0.0 : 0.5; /* of points along it */
    int lines = b == 0 ? g->ny : g->nx, most = b == 0 ? g->nx : g->ny;
    for (int n = 0; n < lines; n++) {
        int count = foehn_spans(outlines, 1 - b, n + line_offset, spans);
        for (int q = 0; q < count; q++) {
            /* The link before point m runs from m - 1 to m (plus the offset). */
            for (int end = 0; end < 2; end++) {
                double wall = end ? spans[q].to : spans[q].from;
                int m = (int)ceil(wall - point_offset);
                double from_free = end ? m + point_offset - wall : wall - (m - 1 + point_offset);
                if (m < 1 || m >= most)
                    continue;
                /* Thinner than a cell: both ends are free, and the link stays plain. */
                double held = end ? m - 1 + point_offset : m + point_offset;
                if (end ? held < spans[q].from : held > spans[q].to)
                    continue;
                size_t c = foehn_flow_at(g, b == 0 ? m : n, b == 0 ? n : m);
                s->link[a][b][c] = (uint16_t)lrint(FLOW_LINK / fmax(from_free, NEAREST));
            }
        }
    }
}

/* ---- all together ---- */

/* Are both faces of cell (i, j) free, with neighbours one cell away all round? */
static bool is_plain(const flow_surface *s, const foehn_grid *g, int i, int j)
{
    size_t c = foehn_flow_at(g, i, j), sy = (size_t)g->sy;
    bool plain = i > 0 && i < g->nx - 1 && j > 0 && j < g->ny - 1 && (s->mask[c] & FLOW_U_FREE) &&
                 (s->mask[c] & FLOW_V_FREE);
    for (int a = 0; a < 2; a++)
        plain = plain && s->link[a][0][c] == FLOW_LINK && s->link[a][0][c + 1] == FLOW_LINK &&
                s->link[a][1][c] == FLOW_LINK && s->link[a][1][c + sy] == FLOW_LINK;
    return plain;
}

static void find_plain(flow_surface *s, const foehn_grid *g)
{
    int groups = foehn_flow_groups(g);
    for (int j = 0; j <= g->ny; j++)
        for (int n = 0; n < groups; n++) {
            bool plain = true;
            for (int i = n * FLOW_GROUP; i < (n + 1) * FLOW_GROUP && plain; i++)
                plain = is_plain(s, g, i, j);
            s->plain[j * groups + n] = plain;
        }
}

/* Faces on an outflow side are open, where water is behind them.  (They are not free: the boundary
 * stage sets them, and only the projection moves them, too.) */
static void open_outflows(flow_surface *s, const foehn_grid *g, const foehn_flow_side sides[4])
{
    for (int side = 0; side < 4; side++) {
        int axis = side / 2, along = axis == 0 ? g->ny : g->nx;
        int edge = side % 2 == 0 ? 0 : axis == 0 ? g->nx : g->ny;
        int inner = side % 2 == 0 ? 0 : edge - 1;
        for (int n = 0; sides[side].kind == FOEHN_FLOW_OUTFLOW && n < along; n++) {
            size_t face = axis == 0 ? foehn_flow_at(g, edge, n) : foehn_flow_at(g, n, edge);
            size_t cell = axis == 0 ? foehn_flow_at(g, inner, n) : foehn_flow_at(g, n, inner);
            s->open[axis][face] = s->mask[cell] & FLOW_SOLID ? 0 : 255;
        }
    }
}

/* Are there many places where less than THIN cells part water from water, as a wing or a stroke
 * does and a cylinder does not?  Coarse levels of a multigrid cannot tell the sides of such a solid
 * apart. */
static bool is_thin(const flow_surface *s, const foehn_grid *g)
{
    enum { THIN = 8, MANY = 16 };
    int found = 0;
    for (int axis = 0; axis < 2; axis++) {
        const int lines = axis == 0 ? g->ny : g->nx, cells = axis == 0 ? g->nx : g->ny;
        for (int line = 0; line < lines; line++)
            for (int n = 0, water = -1; n < cells; n++) {
                size_t c = axis == 0 ? foehn_flow_at(g, n, line) : foehn_flow_at(g, line, n);
                if (s->mask[c] & FLOW_SOLID)
                    continue;
                int solid = n - water - 1;
                found += water >= 0 && solid < THIN && (solid > 0 || s->open[axis][c] == 0);
                water = n;
            }
    }
    return found >= MANY;
}

foehn_status foehn_surface_make(flow_surface *s, const foehn_grid *g,
                                const foehn_flow_side sides[4], foehn_flow_surface kind,
                                const flow_outlines *outlines)
{
    memset(s->mask, 0, s->elements);
    memset(s->owner, 0, s->elements);
    memset(s->open[0], 0, s->elements);
    memset(s->open[1], 0, s->elements);
    plain_links(s, g, sides);
    mark_solids(s, g, outlines);
    if (kind == FOEHN_FLOW_STAIRCASE) {
        free_faces(s, g, sides);
        staircase_links(s, g, sides);
    } else
        for (int a = 0; a < 2; a++) {
            cut_faces(s, g, sides, outlines, a);
            for (int b = 0; b < 2; b++)
                cut_links(s, g, outlines, a, b);
        }
    open_outflows(s, g, sides);
    /* On a ring the solids go round: the ghosts show what lies at the other end. */
    for (int j = -1; j <= g->ny; j++)
        for (int i = -1; i <= g->nx; i++) {
            bool ghost = i < 0 || i == g->nx || j < 0 || j == g->ny;
            if (!ghost)
                continue;
            bool x = sides[FOEHN_FLOW_LEFT].kind == FOEHN_FLOW_PERIODIC;
            bool y = sides[FOEHN_FLOW_BOTTOM].kind == FOEHN_FLOW_PERIODIC;
            if ((i < 0 || i == g->nx) && !x)
                continue;
            if ((j < 0 || j == g->ny) && !y)
                continue;
            size_t c = foehn_flow_at(g, i, j), from = ring_at(g, sides, i, j);
            s->owner[c] = s->owner[from];
            s->mask[c] = s->mask[from] & FLOW_SOLID;
            s->open[0][c] = s->open[0][from];
            s->open[1][c] = s->open[1][from];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    s->link[a][b][c] = s->link[a][b][from];
        }
    find_plain(s, g);
    s->thin = is_thin(s, g);
    s->fluid_cells = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            s->fluid_cells += !(s->mask[foehn_flow_at(g, i, j)] & FLOW_SOLID);
    if (s->fluid_cells == 0)
        return foehn_fail(FOEHN_ERROR_ARGUMENT,
                          "obstacles fill the whole box: no cell of water is left");
    return FOEHN_OK;
}

/* SPDX-License-Identifier: MIT */
/* The kernels of the flow lab against plain C in double, written from doc/flow.md: sides, traces,
 * MacCormack, viscosity, divergence and projection.  (What CPUs take instead, sixteen faces at a
 * time, is compared with these in flow_pairs.c.) */
#include "testing.h"

#include "kernels/flow/structs.h"

extern const foehn_source foehn_source_flow_flow;

/* Arrays of the box with its ghosts: i from -1 to nx + 1, j from -1 to ny + 1. */
typedef struct bed {
    const char *name;
    foehn_grid g;
    flow_motion m;
    const char *options;
    int n[2];
    double h;
    size_t count;
    uint64_t random;
    int used, kept;
    cl_mem buffers[64];
    void *arrays[64];
} bed;

static size_t at(const bed *b, int i, int j)
{
    return (size_t)(j + 1) * (size_t)(b->n[0] + 3) + (size_t)(i + 1);
}

static const struct {
    const char *name;
    int nx, ny, wrap_x, wrap_y;
} boxes[] = {
    {"box", 13, 9, 0, 0}, {"long", 37, 5, 0, 0}, {"ring", 9, 11, 1, 0}, {"torus", 7, 10, 1, 1}};
enum { BOXES = sizeof boxes / sizeof *boxes };

static void open_bed(bed *b, int n)
{
    memset(b, 0, sizeof *b);
    b->name = boxes[n].name;
    b->n[0] = boxes[n].nx;
    b->n[1] = boxes[n].ny;
    b->h = 0.05;
    b->g = foehn_grid_make(b->n[0], b->n[1], 1, (float)b->h, (float)b->h, (float)b->h);
    b->m = (flow_motion){.wrap_x = boxes[n].wrap_x, .wrap_y = boxes[n].wrap_y};
    b->options = b->m.wrap_x || b->m.wrap_y ? "-DFOEHN_FLOW_RINGS" : "";
    b->count = (size_t)(b->n[0] + 3) * (size_t)(b->n[1] + 3);
    b->random = 19;
}

static void close_bed(bed *b)
{
    for (int i = 0; i < b->used; i++)
        foehn_buffer_destroy(context, &b->buffers[i]);
    for (int i = 0; i < b->kept; i++)
        free(b->arrays[i]);
}

#define FOR_EACH_BOX(b)                                                                            \
    for (int box_ = 0; box_ < BOXES; box_++)                                                       \
        for (bool once_ = (open_bed(&(b), box_), true); once_; once_ = (close_bed(&(b)), false))

static void *array(bed *b, size_t bytes)
{
    ck_assert_int_lt(b->kept, 64);
    return b->arrays[b->kept++] = testing_alloc(bytes);
}

/* Random everywhere, ghosts too; what a ring holds twice is alike. */
static float *some(bed *b, double low, double high)
{
    float *f = array(b, b->count * sizeof *f);
    for (size_t c = 0; c < b->count; c++)
        f[c] = (float)testing_uniform(&b->random, low, high);
    for (int j = -1; j <= b->n[1] + 1; j++)
        for (int i = -1; i <= b->n[0] + 1; i++) {
            int x = b->m.wrap_x ? (i + b->n[0]) % b->n[0] : i,
                y = b->m.wrap_y ? (j + b->n[1]) % b->n[1] : j;
            f[at(b, i, j)] = f[at(b, x, y)];
        }
    return f;
}

/* A row of the padded plane has room for the ghosts on both sides; the row above the upper one is
 * the next plane's. */
static size_t element(const bed *b, int i, int j)
{
    foehn_box box = foehn_grid_box(&b->g, sizeof(float));
    return (size_t)((long)box.offset + j * (long)box.row_pitch + i);
}

/* A field of elements of `size` bytes on the device, as padded rows. */
static cl_mem put_elements(bed *b, const void *f, size_t size)
{
    size_t elements = foehn_grid_elements(&b->g);
    char *whole = testing_alloc(elements * size);
    for (int j = -1; j <= b->n[1]; j++)
        for (int i = -1; i <= b->n[0]; i++)
            memcpy(whole + element(b, i, j) * size, (const char *)f + at(b, i, j) * size, size);
    ck_assert_int_lt(b->used, 64);
    cl_mem *buffer = &b->buffers[b->used++];
    OK(foehn_buffer_create(context, elements * size, buffer));
    OK(foehn_buffer_write(context, *buffer, 0, elements * size, whole));
    free(whole);
    return *buffer;
}

static cl_mem put(bed *b, const float *f)
{
    return put_elements(b, f, sizeof *f);
}

static cl_mem put_bytes(bed *b, const unsigned char *f)
{
    return put_elements(b, f, sizeof *f);
}

static cl_mem put_links(bed *b, const unsigned short *f)
{
    return put_elements(b, f, sizeof *f);
}

static float *get(bed *b, cl_mem field)
{
    size_t elements = foehn_grid_elements(&b->g);
    float *whole = testing_alloc(elements * sizeof *whole), *f = array(b, b->count * sizeof *f);
    OK(foehn_buffer_read(context, field, 0, elements * sizeof *whole, whole));
    for (int j = -1; j <= b->n[1]; j++)
        for (int i = -1; i <= b->n[0]; i++)
            f[at(b, i, j)] = whole[element(b, i, j)];
    free(whole);
    return f;
}

/* One local size for all boxes: PoCL compiles each anew. */
#define RUN(b, name, width, height, ...)                                                           \
    do {                                                                                           \
        foehn_kernel kernel_;                                                                      \
        OK(foehn_kernel_create(context, &foehn_source_flow_flow, (b)->options, name, 0,            \
                               &kernel_));                                                         \
        OK(LAUNCH_LOCAL(context, kernel_, ((foehn_size){(size_t)(width), (size_t)(height), 1}),    \
                        ((foehn_size){16, 1, 1}), __VA_ARGS__));                                   \
        foehn_kernel_destroy(&kernel_);                                                            \
    } while (0)

/* Roundings of single precision: about ten, of values up to the scale. */
#define ROUNDING 6e-7

#define SAME(b, i, j, got, want, most)                                                             \
    ck_assert_msg(fabs((double)(got) - (want)) <= (most), "%s: %s at (%d, %d) is %.9g, not %.9g",  \
                  (b)->name, #got, i, j, (double)(got), (want))

/* ---- sides ---- */

/* The normal velocity that an edge face has: `own` now, `inside` the face just inside. */
static double edge_face(const flow_side *s, bool keep, int k, int n, double own, double inside)
{
    double place = (k + 0.5) / n; /* along the side */
    switch (s->kind) {
    case FLOW_INFLOW: return (double)s->normal * (s->parabola ? 4 * place * (1 - place) : 1);
    case FLOW_OUTFLOW: return keep ? own : inside;
    case FLOW_PERIODIC: return own;
    default: return 0;
    }
}

/* What a velocity along a side is beyond it: a wall has its own speed half-way. */
static double ghost(const flow_side *s, double inside)
{
    bool held = s->kind == FLOW_WALL || s->kind == FLOW_INFLOW;
    return held ? 2 * (double)s->along - inside : inside;
}

START_TEST(edges_hold_what_their_sides_say)
{
    static const flow_side walls[5] = {{FLOW_WALL, 0, 0.3f, 0},
                                       {FLOW_SLIP, 0, 0, 0},
                                       {FLOW_INFLOW, 0.8f, 0.1f, 1},
                                       {FLOW_OUTFLOW, 0, 0, 0},
                                       {FLOW_INFLOW, -0.6f, 0, 0}};
    bed b;
    FOR_EACH_BOX(b)
    for (int trial = 0; trial < 10; trial++) {
        const cl_int keep = trial % 2;
        flow_side side[2][2]; /* axis, lower or upper */
        for (int a = 0; a < 2; a++)
            for (int s = 0; s < 2; s++) {
                side[a][s] = walls[(trial / 2 + 2 * a + 3 * s) % 5];
                if (a ? b.m.wrap_y : b.m.wrap_x)
                    side[a][s].kind = FLOW_PERIODIC;
            }
        const flow_sides sides = {side[0][0], side[0][1], side[1][0], side[1][1]};
        /* f[a]: component along axis a; all axes are alike, so a place is a pair too. */
        float *f[2] = {some(&b, -1, 1), some(&b, -1, 1)};
        cl_mem u = put(&b, f[0]), v = put(&b, f[1]);
        int most = b.n[0] > b.n[1] ? b.n[0] : b.n[1];
        RUN(&b, "edges", most + 1, 4, ARG(b.g), ARG(sides), ARG(keep), ARG(u), ARG(v));
        float *got[2] = {get(&b, u), get(&b, v)};
        for (int a = 0; a < 2; a++) /* first the faces on the sides, then what lies beside them */
            for (int s = 0; s < 2; s++)
                for (int k = 0; k < b.n[1 - a]; k++) {
                    int i = s ? b.n[a] : 0, in = s ? i - 1 : 1;
                    size_t own = a ? at(&b, k, i) : at(&b, i, k),
                           inside = a ? at(&b, k, in) : at(&b, in, k);
                    f[a][own] = (float)edge_face(&side[a][s], keep, k, b.n[1 - a],
                                                 (double)f[a][own], (double)f[a][inside]);
                }
        for (int a = 0; a < 2; a++)
            for (int s = 0; s < 2; s++)
                for (int k = 0; k <= b.n[1 - a]; k++) {
                    const bool wraps = side[a][s].kind == FLOW_PERIODIC;
                    int i = s ? b.n[a] : -1, in = (s != 0) == wraps ? 0 : b.n[a] - 1;
                    size_t own = a ? at(&b, k, i) : at(&b, i, k),
                           inside = a ? at(&b, k, in) : at(&b, in, k);
                    f[1 - a][own] = (float)ghost(&side[a][s], (double)f[1 - a][inside]);
                }
        for (int j = 0; j < b.n[1]; j++)
            for (int i = 0; i <= b.n[0]; i++)
                SAME(&b, i, j, got[0][at(&b, i, j)], (double)f[0][at(&b, i, j)], ROUNDING);
        for (int j = 0; j <= b.n[1]; j++)
            for (int i = 0; i < b.n[0]; i++)
                SAME(&b, i, j, got[1][at(&b, i, j)], (double)f[1][at(&b, i, j)], ROUNDING);
        for (int s = 0; s < 2; s++) {
            int i = s ? b.n[0] : -1, j = s ? b.n[1] : -1;
            for (int k = 0; k <= b.n[1]; k++)
                SAME(&b, i, k, got[1][at(&b, i, k)], (double)f[1][at(&b, i, k)], 2 * ROUNDING);
            for (int k = 0; k <= b.n[0]; k++)
                SAME(&b, k, j, got[0][at(&b, k, j)], (double)f[0][at(&b, k, j)], 2 * ROUNDING);
        }
    }
}
END_TEST

/* ---- transport ---- */

/* Where component c has its nodes: u at (i, j + 1/2), v at (i + 1/2, j). */
static double offset_of(int c, int axis)
{
    return c == axis ? 0 : 0.5;
}

/* A place moved by d cells: not out of the box, in a ring by half a turn at most. */
static double moved(const bed *b, int axis, double place, double d)
{
    double n = b->n[axis];
    if (axis ? b->m.wrap_y : b->m.wrap_x)
        return place + fmin(fmax(d, -0.5 * n), 0.5 * n);
    return fmin(fmax(place + d, 0), n);
}

/* Bilinear value of component c there, and the range of the nodes that it is made of.  True: so
 * near to a line of nodes that rounding decides which these are. */
static bool value_at(const bed *b, int c, const float *f, const double place[2], double *value,
                     double range[2])
{
    bool doubt = false;
    double q[2];
    for (int a = 0; a < 2; a++) {
        q[a] = place[a] - offset_of(c, a);
        double off = fabs(q[a] - nearbyint(q[a]));
        doubt = doubt || (off > 0 && off < 1e-5);
    }
    *value = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
        int node[2];
        double weight = 1;
        for (int a = 0; a < 2; a++) {
            bool upper = corner >> a & 1;
            node[a] = (int)floor(q[a]) + upper;
            weight *= upper ? q[a] - floor(q[a]) : 1 - (q[a] - floor(q[a]));
            if (a ? b->m.wrap_y : b->m.wrap_x)
                node[a] = (node[a] + 2 * b->n[a]) % b->n[a];
        }
        if (weight == 0)
            continue;
        double node_value = (double)f[at(b, node[0], node[1])];
        *value += weight * node_value;
        range[0] = fmin(range[0], node_value);
        range[1] = fmax(range[1], node_value);
    }
    return doubt;
}

/* Where the water at a node of component c is `cells` = +-dt / h later, by the midpoint rule. */
static void trace(const bed *b, const float *const u[2], int c, int i, int j, double cells,
                  double to[2])
{
    const double place[2] = {i + offset_of(c, 0), j + offset_of(c, 1)};
    double velocity[2], unused[2];
    for (int a = 0; a < 2; a++)
        value_at(b, a, u[a], place, &velocity[a], unused);
    double halfway[2];
    for (int a = 0; a < 2; a++)
        halfway[a] = moved(b, a, place[a], 0.5 * cells * velocity[a]);
    for (int a = 0; a < 2; a++)
        value_at(b, a, u[a], halfway, &velocity[a], unused);
    for (int a = 0; a < 2; a++)
        to[a] = moved(b, a, place[a], cells * velocity[a]);
}

/* Bits of the faces that move freely. */
static unsigned char *some_free(bed *b)
{
    unsigned char *mask = array(b, b->count);
    for (size_t c = 0; c < b->count; c++)
        mask[c] = (unsigned char)(testing_random(&b->random) >> 20 & (FLOW_U_FREE | FLOW_V_FREE));
    return mask;
}

/* The place is rounded to 2^-20 of a cell three times on two axes, twice over; values are up to 1.
 */
#define PLACES 2e-5

START_TEST(velocity_is_traced_by_the_midpoint_rule_and_corrected_in_range)
{
    double corrected = 0, kept = 0;
    bed b;
    FOR_EACH_BOX(b)
    for (int far = 0; far < 2; far++) {
        b.m.cells = far ? 2.7f : 0.6f;
        float *u[2] = {some(&b, -1, 1), some(&b, -1, 1)},
              *of[2] = {some(&b, -1, 1), some(&b, -1, 1)};
        float *hat[2] = {some(&b, -0.6, 0.6), some(&b, -0.6, 0.6)};
        unsigned char *mask = some_free(&b);
        cl_mem masks = put_bytes(&b, mask), now[2] = {put(&b, u[0]), put(&b, u[1])};
        cl_mem ofs[2] = {put(&b, of[0]), put(&b, of[1])},
               hats[2] = {put(&b, hat[0]), put(&b, hat[1])};
        cl_mem out[2] = {put(&b, hat[0]), put(&b, hat[1])}, low[2], high[2], next[2];
        for (int c = 0; c < 2; c++) {
            low[c] = put(&b, hat[c]);
            high[c] = put(&b, hat[c]);
            next[c] = put(&b, hat[c]);
        }
        RUN(&b, "advect_back", b.n[0] + 1, b.n[1] + 1, ARG(b.g), ARG(b.m), ARG(masks), ARG(now[0]),
            ARG(now[1]), ARG(ofs[0]), ARG(ofs[1]), ARG(out[0]), ARG(out[1]), ARG(low[0]),
            ARG(high[0]), ARG(low[1]), ARG(high[1]));
        RUN(&b, "advect_correct", b.n[0] + 1, b.n[1] + 1, ARG(b.g), ARG(b.m), ARG(masks),
            ARG(now[0]), ARG(now[1]), ARG(ofs[0]), ARG(ofs[1]), ARG(hats[0]), ARG(hats[1]),
            ARG(low[0]), ARG(high[0]), ARG(low[1]), ARG(high[1]), ARG(next[0]), ARG(next[1]));
        for (int c = 0; c < 2; c++) {
            float *got = get(&b, out[c]), *least = get(&b, low[c]), *most = get(&b, high[c]);
            float *better = get(&b, next[c]);
            for (int j = 0; j < b.n[1] + (c == 1); j++)
                for (int i = 0; i < b.n[0] + (c == 0); i++) {
                    const size_t q = at(&b, i, j);
                    const float *const air[2] = {u[0], u[1]};
                    double from[2], ahead[2], value, back, range[2], unused[2];
                    trace(&b, air, c, i, j, -(double)b.m.cells, from);
                    bool doubt = value_at(&b, c, of[c], from, &value, range);
                    if (!(mask[q] & (c ? FLOW_V_FREE : FLOW_U_FREE))) {
                        ck_assert(got[q] == of[c][q] && better[q] == of[c][q]);
                        continue;
                    }
                    SAME(&b, i, j, got[q], value, PLACES);
                    if (!doubt) {
                        ck_assert((double)least[q] == range[0] && (double)most[q] == range[1]);
                    }
                    trace(&b, air, c, i, j, (double)b.m.cells, ahead);
                    value_at(&b, c, hat[c], ahead, &back, unused);
                    double wanted = (double)hat[c][q] + 0.5 * ((double)of[c][q] - back);
                    if (fabs(wanted - (double)least[q]) < PLACES ||
                        fabs(wanted - (double)most[q]) < PLACES)
                        continue;
                    bool fits = wanted > (double)least[q] && wanted < (double)most[q];
                    SAME(&b, i, j, better[q], fits ? wanted : (double)hat[c][q], PLACES);
                    corrected += fits;
                    kept += !fits;
                }
        }
    }
    ck_assert(corrected > 0.1 * kept && kept > 0.1 * corrected);
}
END_TEST

/* ---- viscosity ---- */

START_TEST(viscosity_is_one_iteration_over_the_links)
{
    bed b;
    FOR_EACH_BOX(b)
    {
        const float a = 0.7f, omega = 1.2f;
        const flow_side left = {FLOW_WALL, 0, 0.4f, 0}, right = {FLOW_WALL, 0, -0.2f, 0};
        const flow_side low = {FLOW_WALL, 0, 0.5f, 0}, high = {FLOW_WALL, 0, -0.7f, 0};
        const flow_sides sides = {left, right, low, high};
        const double along[2][2] = {{(double)low.along, (double)high.along},
                                    {(double)left.along, (double)right.along}}; /* of u, of v */
        unsigned short *link[2][2];
        cl_mem links[2][2], rhs[2], before[2], now[2], next[2];
        float *f[3][2];
        unsigned char *mask = some_free(&b);
        cl_mem masks = put_bytes(&b, mask);
        for (int c = 0; c < 2; c++) {
            for (int t = 0; t < 2; t++) {
                link[c][t] = array(&b, b.count * sizeof *link[c][t]);
                for (size_t q = 0; q < b.count; q++)
                    link[c][t][q] = (unsigned short)(testing_random(&b.random) % (2 * FLOW_LINK));
                links[c][t] = put_links(&b, link[c][t]);
            }
            for (int n = 0; n < 3; n++)
                f[n][c] = some(&b, -1, 1);
            rhs[c] = put(&b, f[0][c]);
            before[c] = put(&b, f[1][c]);
            now[c] = put(&b, f[2][c]);
            next[c] = put(&b, f[1][c]);
        }
        RUN(&b, "viscosity", b.n[0] + 1, b.n[1] + 1, ARG(b.g), ARG(sides), ARG(b.m), ARG(a),
            ARG(omega), ARG(masks), ARG(links[0][0]), ARG(links[0][1]), ARG(links[1][0]),
            ARG(links[1][1]), ARG(rhs[0]), ARG(rhs[1]), ARG(before[0]), ARG(before[1]), ARG(now[0]),
            ARG(now[1]), ARG(next[0]), ARG(next[1]));
        for (int c = 0; c < 2; c++) {
            float *got = get(&b, next[c]);
            const bool wraps[2] = {b.m.wrap_x, b.m.wrap_y};
            /* Faces on a side are never free; around a ring there are none. */
            for (int j = c == 1 && !b.m.wrap_y; j < b.n[1]; j++)
                for (int i = c == 0 && !b.m.wrap_x; i < b.n[0]; i++) {
                    const size_t q = at(&b, i, j);
                    double sum = 0, diagonal = 1;
                    for (int t = 0; t < 2; t++)
                        for (int s = 0; s < 2; s++) {
                            int place[2] = {i, j}, face[2] = {i, j};
                            place[t] += 2 * s - 1;
                            face[t] += s;
                            bool beyond = place[t] < 0 || place[t] >= b.n[t];
                            double k = (double)a * link[c][t][at(&b, face[0], face[1])] / FLOW_LINK;
                            /* Across itself a component is at the faces, and a side is one of them.
                             */
                            if (wraps[t])
                                place[t] = (place[t] + b.n[t]) % b.n[t];
                            double other = (double)f[2][c][at(&b, place[0], place[1])];
                            if (t != c && beyond && !wraps[t])
                                other = along[c][s];
                            sum += k * other;
                            diagonal += k;
                        }
                    double jacobi = ((double)f[0][c][q] + sum) / diagonal;
                    double old = (double)f[1][c][q], want = old + (double)omega * (jacobi - old);
                    if (!(mask[q] & (c ? FLOW_V_FREE : FLOW_U_FREE)))
                        want = (double)f[2][c][q];
                    SAME(&b, i, j, got[q], want, 4 * ROUNDING);
                }
        }
    }
}
END_TEST

/* ---- projection ---- */

static double through(int open, double water, double solid)
{
    return open == 0 ? water : open / 255.0 * water + (1 - open / 255.0) * solid;
}

START_TEST(divergence_counts_what_passes_open_parts_and_moving_solids)
{
    bed b;
    FOR_EACH_BOX(b)
    for (int variant = 0; variant < 3;
         variant++) { /* whole faces, cut ones, cut ones of solids that move */
        const cl_int moving = variant == 2;
        const float inverse_dt = 30;
        char options[64];
        snprintf(options, sizeof options, "%s%s", b.options,
                 variant ? " -DFOEHN_FLOW_FRACTIONS" : "");
        flow_speeds speeds;
        memset(&speeds, 0, sizeof speeds);
        for (int o = 1; o < 3 && moving; o++) {
            speeds.u[o] = 0.3f * (float)o;
            speeds.v[o] = -0.2f * (float)o;
        }
        float *f[2] = {some(&b, -1, 1), some(&b, -1, 1)};
        unsigned char *open[2], *owner = array(&b, b.count);
        cl_mem opens[2], owners, u = put(&b, f[0]), v = put(&b, f[1]), rhs = put(&b, f[0]);
        for (size_t q = 0; q < b.count;
             q++) /* one solid on the left, one on the right, water between */
            owner[q] = (unsigned char)(q % (size_t)(b.n[0] + 3) < (size_t)b.n[0] / 3 ? 1
                                       : q % 3 == 0                                  ? 2
                                                                                     : 0);
        for (int j = 0; j <= b.n[1]; j++)
            for (int i = 1; i <= b.n[0]; i++) /* and no two of different ones side by side */
                if (owner[at(&b, i, j)] == 2 && (owner[at(&b, i - 1, j)] == 1))
                    owner[at(&b, i, j)] = 0;
        owners = put_bytes(&b, owner);
        for (int a = 0; a < 2; a++) {
            open[a] = array(&b, b.count);
            for (size_t q = 0; q < b.count; q++) {
                uint64_t any = testing_random(&b.random) >> 20;
                open[a][q] = (unsigned char)(any % 3 == 0 ? 0 : any % 3 == 1 ? 255 : any / 3 % 256);
            }
            opens[a] = put_bytes(&b, open[a]);
        }
        const char *plain = b.options;
        b.options = options;
        RUN(&b, "divergence", b.n[0], b.n[1], ARG(b.g), ARG(speeds), ARG(moving), ARG(inverse_dt),
            ARG(opens[0]), ARG(opens[1]), ARG(owners), ARG(u), ARG(v), ARG(rhs));
        b.options = plain;
        float *got = get(&b, rhs);
        for (int j = 0; j < b.n[1]; j++)
            for (int i = 0; i < b.n[0]; i++) {
                double sum = 0;
                int own = owner[at(&b, i, j)];
                for (int a = 0; a < 2; a++)
                    for (int s = 0; s < 2; s++) {
                        const int face[2] = {i + (a == 0 && s), j + (a == 1 && s)};
                        const int next[2] = {i + (a == 0) * (2 * s - 1),
                                             j + (a == 1) * (2 * s - 1)};
                        int other = owner[at(&b, next[0], next[1])];
                        int solid = own > other ? own : other;
                        double held = (double)(a ? speeds.v[solid] : speeds.u[solid]);
                        double water = (double)f[a][at(&b, face[0], face[1])];
                        int o = open[a][at(&b, face[0], face[1])];
                        sum += (2 * s - 1) * (variant ? through(o, water, held) : water) / b.h;
                    }
                SAME(&b, i, j, got[at(&b, i, j)], 30 * sum, ROUNDING * 30 * 4 / b.h);
            }
    }
}
END_TEST

START_TEST(the_gradient_is_taken_out_of_open_faces_alone)
{
    bed b;
    FOR_EACH_BOX(b)
    {
        b.m.cells = 0.6f;
        float *f[2] = {some(&b, -1, 1), some(&b, -1, 1)}, *pressure = some(&b, -2, 2);
        unsigned char *open[2];
        cl_mem p = put(&b, pressure), u[2] = {put(&b, f[0]), put(&b, f[1])};
        cl_mem next[2] = {put(&b, pressure), put(&b, pressure)}, opens[2];
        for (int a = 0; a < 2; a++) {
            open[a] = array(&b, b.count);
            for (size_t q = 0; q < b.count; q++)
                open[a][q] = (unsigned char)(testing_random(&b.random) >> 20 & 1 ? 0 : 128);
            opens[a] = put_bytes(&b, open[a]);
        }
        RUN(&b, "project", b.n[0] + 1, b.n[1] + 1, ARG(b.g), ARG(b.m), ARG(opens[0]), ARG(opens[1]),
            ARG(p), ARG(u[0]), ARG(u[1]), ARG(next[0]), ARG(next[1]));
        for (int a = 0; a < 2; a++) {
            float *got = get(&b, next[a]);
            for (int j = 0; j < b.n[1] + (a == 1); j++)
                for (int i = 0; i < b.n[0] + (a == 0); i++) {
                    const size_t q = at(&b, i, j);
                    double below = (double)pressure[a ? at(&b, i, j - 1) : at(&b, i - 1, j)];
                    double slope = (double)b.m.cells * ((double)pressure[q] - below);
                    SAME(&b, i, j, got[q], (double)f[a][q] - (open[a][q] ? slope : 0),
                         4 * ROUNDING);
                }
        }
    }
}
END_TEST

/* Reflection: the solver goes on from the last step's second pressure; then it has first + second
 * / 2. */
START_TEST(reflections_pressures_change_places_and_add_up)
{
    bed b;
    FOR_EACH_BOX(b)
    for (cl_int after = 0; after < 2; after++) {
        float *own = some(&b, -1, 1), *other = some(&b, -1, 1);
        cl_mem p = put(&b, own), q = put(&b, other);
        RUN(&b, "exchange", b.n[0], b.n[1], ARG(b.g), ARG(after), ARG(p), ARG(q));
        float *got_p = get(&b, p), *got_q = get(&b, q);
        for (int j = 0; j < b.n[1]; j++)
            for (int i = 0; i < b.n[0]; i++) {
                size_t c = at(&b, i, j);
                double mean = (double)other[c] + 0.5 * (double)own[c];
                SAME(&b, i, j, got_p[c], after ? mean : (double)other[c], 2 * ROUNDING);
                ck_assert(got_q[c] == own[c]);
            }
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("flow_kernels", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, edges_hold_what_their_sides_say);
    tcase_add_test(tests, velocity_is_traced_by_the_midpoint_rule_and_corrected_in_range);
    tcase_add_test(tests, viscosity_is_one_iteration_over_the_links);
    tcase_add_test(tests, divergence_counts_what_passes_open_parts_and_moving_solids);
    tcase_add_test(tests, the_gradient_is_taken_out_of_open_faces_alone);
    tcase_add_test(tests, reflections_pressures_change_places_and_add_up);
    return testing_end();
}

/* SPDX-License-Identifier: MIT */
/* What goes between two levels of the multigrid, and which cells count there, against plain C in
 * double. */
#include "testing.h"

#include "kernels/pressure/structs.h"

extern const foehn_source foehn_source_pressure_levels, foehn_source_pressure_transfer;

/* Sizes of fine grids; which axes are halved. */
static const struct {
    int n[3], axes;
} cases[] = {{{13, 8, 9}, HALVED_X | HALVED_Y | HALVED_Z},
             {{10, 5, 6}, HALVED_X | HALVED_Z},
             {{7, 6, 4}, HALVED_Y}};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct grid {
    int n[3];
    pressure_level level;
    size_t count; /* of an array with ghosts: -1 to n + 1 on each axis */
} grid;

static grid grid_of(const int n[3], int axes)
{
    grid g = {{n[0], n[1], n[2]}, {.g = foehn_grid_make(n[0], n[1], n[2], 2, 1, 3)}, 1};
    pressure_level *l = &g.level;
    for (int a = 0; a < 3; a++)
        g.count *= (size_t)(n[a] + 3);
    l->wx = 1 / (255 * 4.0f);
    l->wy = 1 / 255.0f;
    l->wz = 1 / (255 * 9.0f);
    l->edge_x = 1.25f;
    l->edge_y = 1;
    l->edge_z = 1.5f;
    l->far_x = 1.125f;
    l->far_y = 1;
    l->far_z = 1.75f;
    l->axes = axes;
    l->open_from = 1 << 30;
    return g;
}

static size_t at(const grid *g, int i, int j, int k)
{
    return (size_t)(i + 1) +
           (size_t)(g->n[0] + 3) * ((size_t)(j + 1) + (size_t)(g->n[1] + 3) * (size_t)(k + 1));
}

#define EACH(g, i, j, k, low, more)                                                                \
    for (int k = low; k < (g)->n[2] + (more); k++)                                                 \
        for (int j = low; j < (g)->n[1] + (more); j++)                                             \
            for (int i = low; i < (g)->n[0] + (more); i++)

static size_t element(const grid *g, int i, int j, int k)
{
    foehn_box box = foehn_grid_box(&g->level.g, sizeof(float));
    return (size_t)((long)box.offset + k * (long)box.plane_pitch + j * (long)box.row_pitch + i);
}

static cl_mem put(const grid *g, const float *f)
{
    size_t elements = foehn_grid_elements(&g->level.g);
    float *whole = testing_alloc(elements * sizeof *whole);
    cl_mem buffer;
    EACH(g, i, j, k, -1, 1)
    whole[element(g, i, j, k)] = f[at(g, i, j, k)];
    OK(foehn_buffer_create(context, elements * sizeof *whole, &buffer));
    OK(foehn_buffer_write(context, buffer, 0, elements * sizeof *whole, whole));
    free(whole);
    return buffer;
}

static void get(const grid *g, cl_mem buffer, float *f)
{
    size_t elements = foehn_grid_elements(&g->level.g);
    float *whole = testing_alloc(elements * sizeof *whole);
    OK(foehn_buffer_read(context, buffer, 0, elements * sizeof *whole, whole));
    EACH(g, i, j, k, -1, 1)
    f[at(g, i, j, k)] = whole[element(g, i, j, k)];
    free(whole);
}

static cl_mem put_bytes(const grid *g, const unsigned char *f)
{
    size_t elements = foehn_grid_elements(&g->level.g);
    unsigned char *whole = testing_alloc(elements);
    cl_mem buffer;
    EACH(g, i, j, k, -1, 1)
    whole[element(g, i, j, k)] = f[at(g, i, j, k)];
    OK(foehn_buffer_create(context, elements, &buffer));
    OK(foehn_buffer_write(context, buffer, 0, elements, whole));
    free(whole);
    return buffer;
}

/* Faces open in part, every third cell sealed. */
static unsigned char *some_open(const grid *g, uint64_t *random)
{
    unsigned char *open = testing_alloc(g->count);
    for (size_t c = 0; c < g->count; c++)
        open[c] = (unsigned char)(testing_random(random) % 3 ? testing_random(random) >> 20 : 0);
    return open;
}

#define RUN(source, options, name, width, height, depth, ...)                                      \
    do {                                                                                           \
        foehn_kernel kernel_;                                                                      \
        OK(foehn_kernel_create(context, &(source), options, name, 0, &kernel_));                   \
        OK(LAUNCH_LOCAL(context, kernel_,                                                          \
                        ((foehn_size){(size_t)(width), (size_t)(height), (size_t)(depth)}),        \
                        ((foehn_size){16, 1, 1}), __VA_ARGS__));                                   \
        foehn_kernel_destroy(&kernel_);                                                            \
    } while (0)

/* Sum of the weights of a cell's faces; an edge face weighs as its side says. */
static double diagonal(const grid *g, unsigned char *const open[3], const int cell[3])
{
    const pressure_level *l = &g->level;
    const double w[3] = {(double)l->wx, (double)l->wy, (double)l->wz};
    const double edge[3][2] = {{(double)l->edge_x, (double)l->far_x},
                               {(double)l->edge_y, (double)l->far_y},
                               {(double)l->edge_z, (double)l->far_z}};
    double sum = 0;
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < 2; s++) {
            int face[3] = {cell[0], cell[1], cell[2]};
            face[a] += s;
            bool on_side = face[a] == 0 || face[a] == g->n[a];
            sum += w[a] * open[a][at(g, face[0], face[1], face[2])] * (on_side ? edge[a][s] : 1);
        }
    return sum;
}

START_TEST(cells_with_an_open_face_count_and_ghosts_of_open_sides)
{
    uint64_t random = 3;
    for (int n = 0; n < CASES; n++) {
        grid g = grid_of(cases[n].n, 0);
        const cl_int dirichlet = 1 | 8 | 16 | 32; /* -x, +y, -z, +z */
        unsigned char *open[3], *mask = testing_alloc(g.count);
        cl_mem opens[3], masks = put_bytes(&g, mask);
        for (int a = 0; a < 3; a++)
            open[a] = some_open(&g, &random);
        EACH(&g, i, j, k, 0, 0)
        if ((i + j + k) % 3 == 0) /* sealed */
            for (int a = 0; a < 3; a++)
                for (int s = 0; s < 2; s++)
                    open[a][at(&g, i + s * (a == 0), j + s * (a == 1), k + s * (a == 2))] = 0;
        for (int a = 0; a < 3; a++)
            opens[a] = put_bytes(&g, open[a]);
        RUN(foehn_source_pressure_levels, "", "fluid_mask", g.n[0] + 2, g.n[1] + 2, g.n[2] + 2,
            ARG(g.level), ARG(dirichlet), ARG(opens[0]), ARG(opens[1]), ARG(opens[2]), ARG(masks));
        size_t elements = foehn_grid_elements(&g.level.g);
        unsigned char *whole = testing_alloc(elements);
        OK(foehn_buffer_read(context, masks, 0, elements, whole));
        EACH(&g, i, j, k, -1, 1)
        {
            const int cell[3] = {i, j, k};
            bool want = true, inside = true;
            for (int a = 0; a < 3; a++)
                if (cell[a] < 0 || cell[a] == g.n[a]) {
                    inside = false;
                    want = want && (dirichlet >> (2 * a + (cell[a] > 0)) & 1);
                }
            if (inside)
                want = diagonal(&g, open, cell) > 0;
            ck_assert_msg(whole[element(&g, i, j, k)] == want, "case %d: cell (%d, %d, %d) %s", n,
                          i, j, k, want ? "does not count" : "counts");
        }
        free(whole);
        free(mask);
        foehn_buffer_destroy(context, &masks);
        for (int a = 0; a < 3; a++) {
            free(open[a]);
            foehn_buffer_destroy(context, &opens[a]);
        }
    }
}
END_TEST

static void coarse_size(const int fine[3], int axes, int coarse[3])
{
    for (int a = 0; a < 3; a++)
        coarse[a] = axes >> a & 1 ? (fine[a] + 1) / 2 : fine[a];
}

/* Three quarters of one's own coarse cell and a quarter of the next one on the child's side, along
 * each halved axis, over the share of these that is fluid. */
START_TEST(corrections_are_interpolated_over_fluid_cells)
{
    uint64_t random = 5;
    for (int n = 0; n < CASES; n++) {
        const int axes = cases[n].axes;
        int size[3];
        coarse_size(cases[n].n, axes, size);
        grid fine = grid_of(cases[n].n, axes), coarse = grid_of(size, 0);
        float *p = testing_alloc(fine.count * sizeof *p),
              *e = testing_alloc(coarse.count * sizeof *e);
        float *got = testing_alloc(fine.count * sizeof *got);
        unsigned char *mask = testing_alloc(coarse.count);
        EACH(&fine, i, j, k, 0, 0)
        p[at(&fine, i, j, k)] = (float)testing_uniform(&random, -1, 1);
        EACH(&coarse, i, j, k, -1, 1)
        mask[at(&coarse, i, j, k)] = testing_random(&random) % 4 > 0;
        EACH(&coarse, i, j, k, 0, 0)
        e[at(&coarse, i, j, k)] =
            mask[at(&coarse, i, j, k)] ? (float)testing_uniform(&random, -1, 1) : 0;
        unsigned char *unsplit = testing_alloc(coarse.count);
        memset(unsplit, 255, coarse.count);
        cl_mem ps = put(&fine, p), es = put(&coarse, e), masks = put_bytes(&coarse, mask);
        cl_mem whole = put_bytes(&coarse, unsplit);
        char options[32];
        snprintf(options, sizeof options, "-DHALVED=%d", axes);
        RUN(foehn_source_pressure_transfer, options, "prolong", size[0], cases[n].n[1],
            cases[n].n[2], ARG(fine.level), ARG(coarse.level), ARG(masks), ARG(whole), ARG(whole),
            ARG(whole), ARG(es), ARG(ps));
        get(&fine, ps, got);
        EACH(&fine, i, j, k, 0, 0)
        {
            const int child[3] = {i, j, k};
            double sum = 0, seen = 0;
            for (int corner = 0; corner < 8; corner++) {
                int cell[3];
                double weight = 1;
                for (int a = 0; a < 3; a++) {
                    bool other = corner >> a & 1, halved = axes >> a & 1;
                    weight *= halved ? (other ? 0.25 : 0.75) : (other ? 0 : 1);
                    cell[a] = halved ? child[a] / 2 : child[a];
                    cell[a] += other && halved ? (child[a] % 2 ? 1 : -1) : 0;
                }
                if (weight == 0)
                    continue;
                size_t c = at(&coarse, cell[0], cell[1], cell[2]);
                sum += weight * (double)e[c];
                seen += weight * mask[c];
            }
            NEAR(got[at(&fine, i, j, k)],
                 (double)p[at(&fine, i, j, k)] + (seen > 0 ? sum / seen : 0), 4e-6);
        }
        foehn_buffer_destroy(context, &ps);
        foehn_buffer_destroy(context, &es);
        foehn_buffer_destroy(context, &masks);
        foehn_buffer_destroy(context, &whole);
        free(unsplit);
        free(p);
        free(e);
        free(got);
        free(mask);
    }
}
END_TEST

/* Mean over the children, those that an odd side lacks being 0; and the coarse level's first pass
 * from p = 0. */
START_TEST(residuals_are_the_mean_of_the_children)
{
    uint64_t random = 7;
    for (int n = 0; n < CASES; n++) {
        const int axes = cases[n].axes;
        const float omega = 0.9f;
        int size[3], children = 1;
        coarse_size(cases[n].n, axes, size);
        grid fine = grid_of(cases[n].n, axes), coarse = grid_of(size, 0);
        float *r = testing_alloc(fine.count * sizeof *r),
              *zero = testing_alloc(coarse.count * sizeof *zero);
        float *rhs = testing_alloc(coarse.count * sizeof *rhs),
              *p = testing_alloc(coarse.count * sizeof *p);
        unsigned char *open[3];
        cl_mem opens[3];
        EACH(&fine, i, j, k, 0, 0)
        r[at(&fine, i, j, k)] = (float)testing_uniform(&random, -1, 1);
        for (int a = 0; a < 3; a++) {
            children *= axes >> a & 1 ? 2 : 1;
            open[a] = some_open(&coarse, &random);
            opens[a] = put_bytes(&coarse, open[a]);
        }
        unsigned char *unsplit = testing_alloc(coarse.count);
        memset(unsplit, 255, coarse.count);
        float *split = testing_alloc(coarse.count * sizeof *split);
        cl_mem rs = put(&fine, r), rhss = put(&coarse, zero), ps = put(&coarse, zero);
        cl_mem rhs_split = put(&coarse, zero), whole = put_bytes(&coarse, unsplit);
        char options[32];
        snprintf(options, sizeof options, "-DHALVED=%d", axes);
        RUN(foehn_source_pressure_transfer, options, "restrict_residual", size[0], size[1], size[2],
            ARG(fine.level.g), ARG(coarse.level), ARG(omega), ARG(rs), ARG(opens[0]), ARG(opens[1]),
            ARG(opens[2]), ARG(rhss), ARG(ps));
        /* Where nothing is split both take the same mean. */
        RUN(foehn_source_pressure_transfer, options, "restrict_split", size[0], size[1], size[2],
            ARG(fine.level.g), ARG(coarse.level), ARG(omega), ARG(rs), ARG(opens[0]), ARG(opens[1]),
            ARG(opens[2]), ARG(whole), ARG(whole), ARG(whole), ARG(rhs_split), ARG(ps));
        get(&coarse, rhs_split, rhs);
        EACH(&coarse, i, j, k, 0, 0)
        split[at(&coarse, i, j, k)] = rhs[at(&coarse, i, j, k)];
        get(&coarse, rhss, rhs);
        get(&coarse, ps, p);
        EACH(&coarse, i, j, k, 0, 0)
        {
            const int cell[3] = {i, j, k};
            double sum = 0;
            for (int child = 0; child < 8; child++) {
                int place[3];
                bool counts = true;
                for (int a = 0; a < 3; a++) {
                    int upper = child >> a & 1;
                    place[a] = axes >> a & 1 ? 2 * cell[a] + upper : cell[a];
                    counts = counts && place[a] < fine.n[a] && (axes >> a & 1 || !upper);
                }
                sum += counts ? (double)r[at(&fine, place[0], place[1], place[2])] : 0;
            }
            size_t c = at(&coarse, i, j, k);
            double d = diagonal(&coarse, open, cell), mean = sum / children;
            double want = d > 0 ? -(double)omega * mean / d : 0;
            NEAR(rhs[c], mean, 1e-6);
            NEAR(split[c], mean, 1e-6);
            NEAR(p[c], want, 1e-6 * (1 + fabs(want)));
        }
        foehn_buffer_destroy(context, &rs);
        foehn_buffer_destroy(context, &rhss);
        foehn_buffer_destroy(context, &rhs_split);
        foehn_buffer_destroy(context, &whole);
        foehn_buffer_destroy(context, &ps);
        for (int a = 0; a < 3; a++) {
            free(open[a]);
            foehn_buffer_destroy(context, &opens[a]);
        }
        free(r);
        free(zero);
        free(split);
        free(unsplit);
        free(rhs);
        free(p);
    }
}
END_TEST

int main(void)
{
    TCase *tests = testing_begin("pressure_kernels", TESTING_NEEDS_DEVICE);
    tcase_add_test(tests, cells_with_an_open_face_count_and_ghosts_of_open_sides);
    tcase_add_test(tests, corrections_are_interpolated_over_fluid_cells);
    tcase_add_test(tests, residuals_are_the_mean_of_the_children);
    return testing_end();
}

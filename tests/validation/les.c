/* SPDX-License-Identifier: MIT */
/* A neutral half channel by the LES against the surface layer: flat, periodic, driven by a pressure
 * gradient u*^2 / H towards +x, after rung b of the momentum models' ladder (Mason and Thomson
 * 1992; Andren et al. 1994).
 *
 *   les [NX NY H HY SPIN_UP DURATION smagorinsky|amd [Z0 U10]]
 *   default: 96 64 20 10 5000 6000 amd 0.1 8
 *
 * Prints, by height: the wind, phi_m = (0.4 / u*) dU / d ln(y + z0) by the u* that the ground takes
 * in the same time, the stress that the balance of momentum below leaves and what of it velocities
 * at cells' middles and the mean of the viscosity show; and spectra of u along x.  Minutes on a
 * GPU, hours on two cores. */
#include "validation/validation.h"

#include <math.h>
#include <string.h>

enum { SPECTRA = 3, PARTS = 8 };

typedef struct channel {
    foehn_wind_params p;
    double friction;      /* m/s */
    int samples, wanted;  /* so far, of all */
    double *parts[PARTS]; /* sums of the wind by row in equal parts of the time */
    double *speed, *across, *stress, *rest, *squares[3],
        *cubes[2];  /* sums by row; rest: on its upper face */
    double ground;  /* sum of the stress that the ground takes along x, m2/s2 */
    double *begins; /* the wind by row when the means begin, m/s */
    double *ends;   /* and when they end */
    double seconds; /* between these */
    double *spectrum[SPECTRA];
    int rows[SPECTRA];
    double *turn[2]; /* cosine and sine of parts of a turn */
    float *u, *v, *w, *fluctuation, *taken;
} channel;

static double *row_of(int n)
{
    double *values = calloc((size_t)n, sizeof *values);
    if (!values)
        exit(1);
    return values;
}

static float *cells_of(const foehn_wind_params *p)
{
    float *values = malloc((size_t)p->nx * (size_t)p->ny * (size_t)p->nz * sizeof *values);
    if (!values)
        exit(1);
    return values;
}

static size_t cell(const channel *c, int i, int j, int k)
{
    return ((size_t)k * (size_t)c->p.ny + (size_t)j) * (size_t)c->p.nx + (size_t)i;
}

/* The power of u along each line of a row, by wave number. */
static void add_spectrum(channel *c, int s)
{
    const int nx = c->p.nx;
    for (int k = 0; k < c->p.nz; k++)
        for (int m = 1; m <= nx / 2; m++) {
            double a = 0, b = 0;
            for (int i = 0; i < nx; i++) {
                const double value = (double)c->u[cell(c, i, c->rows[s], k)];
                a += value * c->turn[0][m * i % nx];
                b += value * c->turn[1][m * i % nx];
            }
            c->spectrum[s][m] += 2 * (a * a + b * b) / ((double)nx * nx) / c->p.nz;
        }
}

static void add_ground(channel *c, foehn_wind *wind)
{
    const size_t columns = (size_t)c->p.nx * (size_t)c->p.nz;
    must(foehn_wind_read_stress(wind, c->taken));
    for (size_t n = 0; n < columns; n++)
        c->ground += (double)c->taken[3 * n] / (double)columns;
}

/* The mean wind along x by row, m/s. */
static void read_rows(channel *c, foehn_wind *wind, double *rows)
{
    must(foehn_wind_read(wind, FOEHN_WIND_U, c->u));
    for (int j = 0; j < c->p.ny; j++) {
        rows[j] = 0;
        for (int k = 0; k < c->p.nz; k++)
            for (int i = 0; i < c->p.nx; i++)
                rows[j] += (double)c->u[cell(c, i, j, k)] / ((double)c->p.nx * c->p.nz);
    }
}

static void add_sample(channel *c, foehn_wind *wind)
{
    const foehn_wind_params *p = &c->p;
    const double width = cbrt((double)p->spacing_horizontal * (double)p->spacing_horizontal *
                              (double)p->spacing_vertical);
    const double count = (double)p->nx * p->nz;
    must(foehn_wind_read(wind, FOEHN_WIND_CURL, c->fluctuation));
    must(foehn_wind_read(wind, FOEHN_WIND_U, c->u));
    must(foehn_wind_read(wind, FOEHN_WIND_V, c->v));
    must(foehn_wind_read(wind, FOEHN_WIND_W, c->w));
    for (int j = 0; j < p->ny; j++) {
        double u = 0, w = 0, uv = 0, rest = 0, uu = 0, vv = 0, ww = 0;
        for (int k = 0; k < p->nz; k++)
            for (int i = 0; i < p->nx; i++) {
                const size_t n = cell(c, i, j, k);
                u += (double)c->u[n];
                w += (double)c->w[n];
                uu += (double)c->u[n] * (double)c->u[n];
                vv += (double)c->v[n] * (double)c->v[n];
                ww += (double)c->w[n] * (double)c->w[n];
                uv += (double)c->u[n] * (double)c->v[n];
                if (j + 1 <
                    p->ny) { /* what is not resolved fluctuates by sqrt(2/3) nu / (0.1 width) */
                    const size_t above = cell(c, i, j + 1, k);
                    const double nu = 0.5 *
                                      ((double)c->fluctuation[n] + (double)c->fluctuation[above]) *
                                      0.1 * width / sqrt(2.0 / 3);
                    rest +=
                        nu * ((double)c->u[above] - (double)c->u[n]) / (double)p->spacing_vertical;
                }
            }
        double cube_u = 0, cube_v = 0;
        for (int k = 0; k < p->nz; k++)
            for (int i = 0; i < p->nx; i++) {
                const size_t n = cell(c, i, j, k);
                const double a = (double)c->u[n] - u / count, b = (double)c->v[n];
                cube_u += a * a * a;
                cube_v += b * b * b;
            }
        c->cubes[0][j] += cube_u / count;
        c->cubes[1][j] += cube_v / count;
        c->speed[j] += u / count;
        c->parts[c->samples * PARTS / c->wanted][j] += u / count;
        c->across[j] += w / count;
        c->stress[j] -= uv / count; /* the mean of v is 0 */
        c->rest[j] += rest / count;
        c->squares[0][j] += uu / count - u * u / (count * count);
        c->squares[1][j] += vv / count;
        c->squares[2][j] += ww / count - w * w / (count * count);
    }
    for (int s = 0; s < SPECTRA; s++)
        add_spectrum(c, s);
    add_ground(c, wind);
    c->samples++;
}

/* Standard error of the difference between two rows' winds, by the scatter of the parts, m/s. */
static double shear_error(const channel *c, int j)
{
    double sum = 0, squares = 0;
    for (int n = 0; n < PARTS; n++) {
        const double shear = (c->parts[n][j + 1] - c->parts[n][j]) * PARTS / c->wanted;
        sum += shear / PARTS;
        squares += shear * shear / PARTS;
    }
    return sqrt(fmax(squares - sum * sum, 0) / (PARTS - 1));
}

/* The wind that the ground's stress is made of, at the second row, over the log law's. */
static double near_ground(const channel *c)
{
    const double y = 1.5 * (double)c->p.spacing_vertical, z0 = (double)c->p.z0;
    return c->speed[1] / c->samples / (c->friction / 0.4 * log(y / z0 + 1));
}

static void print_profile(const channel *c)
{
    const foehn_wind_params *p = &c->p;
    const double hy = (double)p->spacing_vertical, z0 = (double)p->z0,
                 square = c->friction * c->friction;
    const double lid = p->ny * hy, n = c->samples;
    double worst = 0, apart = 0;
    /* What the ground takes in the time of the means, and the pressure gradient that gave it and
     * what all rows have gained; a layer hands down what it is given and does not keep. */
    const double friction = sqrt(c->ground / n);
    double stress = c->ground / n, given = stress / lid;
    for (int j = 0; j < p->ny; j++)
        given += (c->ends[j] - c->begins[j]) / c->seconds / p->ny;
    printf("# u* by what the ground takes is %.3f of that of the log law, by the pressure gradient "
           "%.3f; phi_m is by the first, all else by the log law's\n",
           friction / c->friction, sqrt(given * lid) / c->friction);
    printf("# row  y/H    U       log law  phi_m above, its error  resolved  rest above  balance  "
           "balance/(1 "
           "- y/H)  "
           "sigma_u  sigma_v  sigma_w, all over u*; skewness of u, v\n");
    for (int j = 0; j + 1 < p->ny; j++) {
        const double y = (j + 0.5) * hy, law = log((y + hy + z0) / (y + z0));
        const double phi = 0.4 * (c->speed[j + 1] - c->speed[j]) / n / (friction * law);
        const double resolved = 0.5 * (c->stress[j] + c->stress[j + 1]) / n / square,
                     rest = c->rest[j] / n / square;
        const double gain = (c->ends[j] - c->begins[j]) / c->seconds;
        stress -= (given - gain) * hy;
        const double wanted = given * (lid - y - 0.5 * hy), sum = stress / wanted;
        const double error = 0.4 * shear_error(c, j) / (friction * law);
        printf("%5d  %.3f  %6.3f  %6.3f   %6.3f       %5.3f      %6.3f    %6.3f    %6.3f    %6.3f  "
               "       "
               "%5.2f    "
               "%5.2f    %5.2f    %5.2f  %5.2f\n",
               j, y / lid, c->speed[j] / n / c->friction, log((y + z0) / z0) / 0.4, phi, error,
               resolved, rest, stress / square, sum, sqrt(c->squares[0][j] / n / square),
               sqrt(c->squares[1][j] / n / square), sqrt(c->squares[2][j] / n / square),
               c->cubes[0][j] / n / pow(c->squares[0][j] / n, 1.5),
               c->cubes[1][j] / n / pow(c->squares[1][j] / n, 1.5));
        if (j >= 3 && y < 0.15 * lid)
            worst = fmax(worst, fabs(phi - 1));
        if (j >= 1 && y < 0.8 * lid)
            apart = fmax(apart, fabs(sum - 1));
    }
    bound("u* of the ground over the log law's", friction / c->friction, 0.9, 1.1);
    bound("wind at the second row over the log law's", near_ground(c), 0.97, 1.03);
    bound("phi_m above the third cell in the lowest 15 %, off 1 by", worst, 0, 0.10);
    bound("stress over that of the pressure gradient, off 1 by", apart, 0, 0.10);
}

static void print_spectra(const channel *c)
{
    printf("# wave numbers in the box, and n * power^(5/3) form: E(n) n^(5/3) / u*^2 at");
    for (int s = 0; s < SPECTRA; s++)
        printf(" y = %g m", (c->rows[s] + 0.5) * (double)c->p.spacing_vertical);
    printf("\n");
    for (int m = 1; m <= c->p.nx / 2; m++) {
        printf("%4d", m);
        for (int s = 0; s < SPECTRA; s++)
            printf("  %9.4f",
                   c->spectrum[s][m] / c->samples * pow(m, 5.0 / 3) / (c->friction * c->friction));
        printf("\n");
    }
    /* The slope of the line of least squares, from 1/16 of the waves that the grid has to 1/6. */
    const int first = c->p.nx / 16, last = c->p.nx / 6, count = last - first + 1;
    for (int s = 1; s < SPECTRA; s++) {
        double x = 0, y = 0, xx = 0, xy = 0;
        for (int m = first; m <= last; m++) {
            const double at = log(m), power = log(c->spectrum[s][m]);
            x += at;
            y += power;
            xx += at * at;
            xy += at * power;
        }
        const double slope = (count * xy - x * y) / (count * xx - x * x);
        char name[80];
        snprintf(name, sizeof name, "slope of the spectrum at %g m",
                 (c->rows[s] + 0.5) * (double)c->p.spacing_vertical);
        bound(name, slope, -2.1, -1.2);
    }
}

int main(int argc, char **argv)
{
    foehn_context *ctx = open_device();
    channel c = {.p = foehn_wind_params_default()};
    foehn_wind_params *p = &c.p;
    p->model = FOEHN_WIND_LES;
    p->sides = FOEHN_WIND_SIDES_PERIODIC;
    p->nx = p->nz = argc > 1 ? atoi(argv[1]) : 96;
    p->ny = argc > 2 ? atoi(argv[2]) : 64;
    p->spacing_horizontal = argc > 3 ? (float)atof(argv[3]) : 20;
    p->spacing_vertical = argc > 4 ? (float)atof(argv[4]) : 10;
    p->spin_up = argc > 5 ? (float)atof(argv[5]) : 5000;
    const double duration = argc > 6 ? atof(argv[6]) : 6000;
    p->subgrid = argc > 7 && strcmp(argv[7], "smagorinsky") == 0 ? FOEHN_WIND_SMAGORINSKY
                                                                 : FOEHN_WIND_MINIMUM_DISSIPATION;
    p->z0 = argc > 8 ? (float)atof(argv[8]) : 0.1f;
    p->state.u10 = argc > 9 ? (float)atof(argv[9]) : 8;
    p->state.from = 270;
    c.friction = 0.4 * (double)p->state.u10 / log((10 + (double)p->z0) / (double)p->z0);
    c.rows[0] = 1;
    c.rows[1] = p->ny / 8;
    c.rows[2] = p->ny / 3;
    c.speed = row_of(p->ny);
    c.across = row_of(p->ny);
    c.stress = row_of(p->ny);
    c.rest = row_of(p->ny);
    for (int i = 0; i < 3; i++) {
        c.squares[i] = row_of(p->ny);
        c.spectrum[i] = row_of(p->nx);
    }
    for (int i = 0; i < 2; i++) {
        c.cubes[i] = row_of(p->ny);
        c.turn[i] = row_of(p->nx);
    }
    for (int i = 0; i < p->nx; i++) {
        c.turn[0][i] = cos(2 * 3.14159265358979 * i / p->nx);
        c.turn[1][i] = sin(2 * 3.14159265358979 * i / p->nx);
    }
    const double every = 40;
    c.wanted = (int)ceil(duration / every - 1e-9);
    for (int i = 0; i < PARTS; i++)
        c.parts[i] = row_of(p->ny);
    c.u = cells_of(p);
    c.v = cells_of(p);
    c.w = cells_of(p);
    c.fluctuation = cells_of(p);
    c.taken = cells_of(p);
    c.begins = row_of(p->ny);
    c.ends = row_of(p->ny);
    foehn_wind *wind;
    must(foehn_wind_create(ctx, p, &wind));
    must(foehn_wind_step(wind, 1));
    read_rows(&c, wind, c.begins);
    while (c.samples < c.wanted) {
        must(foehn_wind_step(wind, (float)every));
        add_sample(&c, wind);
        c.seconds += every;
    }
    read_rows(&c, wind, c.ends);
    print_profile(&c);
    print_spectra(&c);
    foehn_wind_destroy(wind);
    foehn_context_destroy(ctx);
    return summary("les");
}

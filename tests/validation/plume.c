/* SPDX-License-Identifier: MIT */
/* A pool fire of propane, measured: heights of the flame, means on the axis, entrainment, puffing.
 *
 *   plume NAME POWER(kW) DIAMETER(m) WIDTH(m) HEIGHT(m) VOXEL(m) BEGIN(s) END(s)
 *
 * Voxels of the air and of the dye are alike.  Means are of BEGIN to END, 15 a second.  A line of
 * figures, then one a height. Power 0 is no fire but the helium plume of O'Hern et al. (2005): gas
 * of 0.188 of the air's density that rises from the pan at 0.325 m/s.  Hot air of that density
 * mixes as it does, volume by volume. */
#include <foehn/foehn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define CALL(call)                                                                                 \
    do {                                                                                           \
        if ((call) != FOEHN_OK) {                                                                  \
            fprintf(stderr, "plume: %s\n", foehn_last_error());                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum {
    SERIES_AXIS,
    SERIES_LOW,
    SERIES_HIGH,
    SERIES_HEAT,
    SERIES
}; /* speed on the axis at D/2, flow at D/2 and D, heat */

typedef struct plume {
    double power, diameter, voxel;
    int n[3];
    size_t cells;
    float *velocity, *scalar;
    double *w, *excess, *heat,
        *flow; /* sums by height: on the axis, on the axis, over the layer, kg/s upward */
    double *series[SERIES]; /* each step, of SERIES_ */
    int steps, means;
} plume;

static void *room(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p)
        exit(1);
    return p;
}

static foehn_fire *light(foehn_context *ctx, const plume *p, double width, double height)
{
    enum { POINTS = 8000 };
    static float points[POINTS][3];
    foehn_fire_params params;
    foehn_fire *fire;
    foehn_fire_params_burn(&params);
    params.size[0] = params.size[2] = width;
    params.size[1] = height;
    params.pose.position[1] = height / 2;
    params.render_voxel = params.physics_voxel = p->voxel;
    if (p->power ==
        0) { /* nothing burns: what comes is as hot as its density asks for, and makes no heat */
        params.fuel.heat = 1;
        params.fuel.soot_yield = params.fuel.flame_soot = 0;
        params.ignition = 2000;
    }
    CALL(foehn_fire_create(ctx, &params, &fire));
    for (int n = 0; n < POINTS; n++) { /* a spiral of even density */
        double r = p->diameter / 2 * sqrt((n + 0.5) / POINTS), turn = 2.399963229728653 * n;
        points[n][0] = (float)(r * cos(turn));
        points[n][1] = (float)(0.3 * p->voxel);
        points[n][2] = (float)(r * sin(turn));
    }
    const foehn_fire_emitter e = {POINTS, (const float(*)[3])points, 1};
    foehn_fire_proxy proxy = foehn_fire_proxy_default();
    int index;
    proxy.power = (float)p->power;
    if (p->power == 0) {
        const double speed = 0.325, density = 0.188, area = PI * p->diameter * p->diameter / 4;
        proxy.power = (float)(1000 * density * 353 / 293.15 * speed * area); /* 1000 kJ/kg */
        proxy.temperature = (float)(293.15 / density);
    }
    CALL(foehn_fire_add_emitter(fire, &e, &index));
    CALL(foehn_fire_set_proxy(fire, index, 0, &proxy));
    return fire;
}

static size_t voxel_at(const plume *p, int i, int j, int k)
{
    return (size_t)i + (size_t)p->n[0] * ((size_t)j + (size_t)p->n[1] * (size_t)k);
}

/* The four columns around the axis. */
static size_t column(const plume *p, int j, int which)
{
    return voxel_at(p, p->n[0] / 2 - (which & 1), j, p->n[2] / 2 - (which >> 1));
}

/* Upward volume flow in layer j within `reach` of the axis along x and z, m3/s. */
static double flow_at(const plume *p, int j, double reach)
{
    double sum = 0;
    for (int k = 0; k < p->n[2]; k++)
        for (int i = 0; i < p->n[0]; i++)
            if (fabs((i + 0.5) * p->voxel - 0.5 * p->n[0] * p->voxel) < reach &&
                fabs((k + 0.5) * p->voxel - 0.5 * p->n[2] * p->voxel) < reach)
                sum += (double)p->velocity[3 * voxel_at(p, i, j, k) + 1];
    return sum * p->voxel * p->voxel;
}

static void add_means(plume *p, foehn_fire *fire)
{
    double face = p->voxel * p->voxel;
    CALL(foehn_fire_read(fire, FOEHN_FIRE_TEMPERATURE, p->scalar));
    for (int j = 0; j < p->n[1]; j++) {
        for (int a = 0; a < 4; a++) {
            p->w[j] += 0.25 * (double)p->velocity[3 * column(p, j, a) + 1];
            p->excess[j] += 0.25 * ((double)p->scalar[column(p, j, a)] - 293.15);
        }
        for (int k = 0; k < p->n[2]; k++)
            for (int i = 0; i < p->n[0]; i++) {
                size_t c = voxel_at(p, i, j, k);
                p->flow[j] +=
                    fmax((double)p->velocity[3 * c + 1], 0) * face * 353 / (double)p->scalar[c];
            }
    }
    CALL(foehn_fire_read(fire, FOEHN_FIRE_HEAT_RELEASE, p->scalar));
    for (size_t c = 0; c < p->cells; c++)
        p->heat[c / (size_t)p->n[0] % (size_t)p->n[1]] += (double)p->scalar[c] * face * p->voxel;
    p->means++;
}

/* Power of `count` samples at frequency f, 1/s, without their mean and through Hann's window. */
static double power_at(const double *series, int count, double f)
{
    double re = 0, im = 0, mean = 0;
    for (int n = 0; n < count; n++)
        mean += series[n] / count;
    for (int n = 0; n < count; n++) {
        double window = 0.5 - 0.5 * cos(2 * PI * n / count);
        re += window * (series[n] - mean) * cos(2 * PI * f * n / 30);
        im += window * (series[n] - mean) * sin(2 * PI * f * n / 30);
    }
    return re * re + im * im;
}

/* Frequency of the strongest line from step `from` on, within a factor of 2.5 of 1.5 / sqrt(D): the
 * mean of spectra over 6 puffs each that overlap by half (Welch 1967). */
static double puffing(const plume *p, const double *series, int from)
{
    double guess = 1.5 / sqrt(p->diameter), best = 0, strongest = 0;
    int length = (int)fmin(6 * 30 / guess, p->steps - from);
    for (double f = guess / 2.5; f < 2.5 * guess; f *= 1.01) {
        double sum = 0;
        for (int n = from; n + length <= p->steps; n += length / 2)
            sum += power_at(series + n, length, f);
        if (sum > strongest) {
            strongest = sum;
            best = f;
        }
    }
    return best;
}

static double height_of(const plume *p, double share)
{
    double sum = 0, below = 0;
    for (int j = 0; j < p->n[1]; j++)
        sum += p->heat[j];
    for (int j = 0; j < p->n[1]; j++) {
        if (below + p->heat[j] >= share * sum)
            return p->voxel * (j + (share * sum - below) / p->heat[j]);
        below += p->heat[j];
    }
    return p->voxel * p->n[1];
}

/* Heskestad's plume above the flame, from a virtual origin: excess on the axis, K. */
static double plume_of(const plume *p, double z)
{
    const double t0 = 293.15, rho = 1.204, cp = 1.0045, convective = 0.71 * p->power;
    double origin = 0.083 * pow(p->power, 0.4) - 1.02 * p->diameter;
    return 9.1 * cbrt(t0 / (9.81 * cp * cp * rho * rho)) * pow(convective, 2.0 / 3) *
           pow(fmax(z - origin, 1e-3), -5.0 / 3);
}

static void report(const plume *p, const char *name, int from, const foehn_fire_measures *m)
{
    double star = pow(p->power / (1.204 * 1.0045 * 293.15 * sqrt(9.81)), 0.4), heat = 0;
    double fifth = pow(p->power, 0.2), two_fifths = pow(p->power, 0.4);
    for (int j = 0; j < p->n[1]; j++)
        heat += p->heat[j] / p->means;
    if (p->power == 0) {
        printf("case %s helium D %g D/h %.1f puffing %.3f expected 1.37 low %.3f high %.3f\n", name,
               p->diameter, p->diameter / p->voxel, puffing(p, p->series[SERIES_AXIS], from),
               puffing(p, p->series[SERIES_LOW], from), puffing(p, p->series[SERIES_HIGH], from));
        return;
    }
    printf("case %s power %g D %g Q* %.3g D*/h %.1f heat %.4g z95 %.3f z99 %.3f heskestad %.3f "
           "puffing %.3f "
           "expected %.3f fuel %.2g soot %.2g low %.3f high %.3f of_heat %.3f\n",
           name, p->power, p->diameter, pow(star / p->diameter, 2.5), star / p->voxel, heat,
           height_of(p, 0.95), height_of(p, 0.99), 0.235 * two_fifths - 1.02 * p->diameter,
           puffing(p, p->series[SERIES_AXIS], from), 1.5 / sqrt(p->diameter),
           (m->fuel_emitted - m->fuel_burnt - m->fuel_carried - m->fuel_there) / m->fuel_emitted,
           (m->soot_formed - m->soot_oxidised - m->soot_carried - m->soot_there) / m->soot_formed,
           puffing(p, p->series[SERIES_LOW], from), puffing(p, p->series[SERIES_HIGH], from),
           puffing(p, p->series[SERIES_HEAT], from));
    for (double scaled = 0.04; scaled < 0.45; scaled *= 1.2) {
        double z = scaled * two_fifths;
        int j = (int)(z / p->voxel);
        if (j >= p->n[1])
            break;
        double w = fifth * (scaled < 0.08  ? 6.84 * sqrt(scaled)
                            : scaled < 0.2 ? 1.93
                                           : 1.12 * pow(scaled, -1.0 / 3));
        double dt = scaled < 0.08 ? 800 : scaled < 0.2 ? 63 / scaled : 21.6 * pow(scaled, -5.0 / 3);
        double zukoski = 0.071 * cbrt(0.71 * p->power) * pow(z, 5.0 / 3);
        printf("at %s Z %.4f z %.3f w %.3f mccaffrey %.3f dT %.1f mccaffrey %.1f flow %.4f zukoski "
               "%.4f heskestad %.1f\n",
               name, scaled, z, p->w[j] / p->means, w, p->excess[j] / p->means, dt,
               p->flow[j] / p->means, zukoski, plume_of(p, z));
    }
}

int main(int argc, char **argv)
{
    if (argc != 9) {
        fprintf(stderr, "usage: plume NAME POWER DIAMETER WIDTH HEIGHT VOXEL BEGIN END\n");
        return 2;
    }
    plume p = {.power = atof(argv[2]), .diameter = atof(argv[3]), .voxel = atof(argv[6])};
    double begin = atof(argv[7]), end = atof(argv[8]);
    foehn_context_params params = foehn_context_params_default();
    foehn_context *ctx;
    foehn_fire_info info;
    foehn_fire_measures m;
    CALL(foehn_context_create(&params, &ctx));
    foehn_fire *fire = light(ctx, &p, atof(argv[4]), atof(argv[5]));
    foehn_fire_get_info(fire, &info);
    memcpy(p.n, info.render_cells, sizeof p.n);
    p.voxel = info.render_spacing[1];
    p.cells = (size_t)p.n[0] * (size_t)p.n[1] * (size_t)p.n[2];
    p.velocity = room(3 * p.cells, sizeof *p.velocity);
    p.scalar = room(p.cells, sizeof *p.scalar);
    p.w = room((size_t)p.n[1], sizeof *p.w);
    p.excess = room((size_t)p.n[1], sizeof *p.excess);
    p.heat = room((size_t)p.n[1], sizeof *p.heat);
    p.flow = room((size_t)p.n[1], sizeof *p.flow);
    int steps = (int)(end * 30), over = (int)(0.5 * p.diameter / p.voxel);
    for (int n = 0; n < SERIES; n++)
        p.series[n] = room((size_t)steps, sizeof *p.series[n]);
    for (p.steps = 0; p.steps < steps; p.steps++) {
        CALL(foehn_fire_step(fire));
        CALL(foehn_fire_read(fire, FOEHN_FIRE_VELOCITY, p.velocity));
        for (int a = 0; a < 4; a++)
            p.series[SERIES_AXIS][p.steps] +=
                0.25 * (double)p.velocity[3 * column(&p, over, a) + 1];
        p.series[SERIES_LOW][p.steps] = flow_at(&p, over, p.diameter);
        p.series[SERIES_HIGH][p.steps] = flow_at(&p, 2 * over, p.diameter);
        CALL(foehn_fire_read_measures(fire, &m));
        p.series[SERIES_HEAT][p.steps] = m.heat_release;
        if (p.steps >= begin * 30 && p.steps % 2 == 0)
            add_means(&p, fire);
    }
    CALL(foehn_fire_read_measures(fire, &m));
    report(&p, argv[1], (int)(begin * 30), &m);
    foehn_fire_destroy(fire);
    foehn_context_destroy(ctx);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* From a turbine's class, a standard deviation or a site's wind to what spectra need. */
#include "config.h"

#include "box/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box/kaimal.h"
#include "box/tensor.h"

#define PI 3.14159265358979323846
#define MOST_MISFIT 0.02 /* of a profile's speed at the hub and the one that is given */

/* ---- IEC 61400-1, edition 4: 6.3.1, 6.3.2.3, 6.3.3.3, annex C ---- */

static const struct {
    const char *name;
    double reference_speed; /* m/s */
} speeds[] = {{"III", 37.5}, {"II", 42.5}, {"I", 50}};

static const struct {
    const char *name;
    double intensity; /* at 15 m/s */
} intensities[] = {{"A+", 0.18}, {"A", 0.16}, {"B", 0.14}, {"C", 0.12}};

/* "IIB" is class II, turbulence B. */
static int class_sigma(const box_options *o, double *sigma)
{
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        size_t length = strlen(speeds[i].name);
        if (strncmp(o->turbulence_class, speeds[i].name, length) != 0)
            continue;
        for (size_t t = 0; t < sizeof intensities / sizeof intensities[0]; t++) {
            if (strcmp(o->turbulence_class + length, intensities[t].name) != 0)
                continue;
            double reference = intensities[t].intensity, average = 0.2 * speeds[i].reference_speed,
                   c = 2;
            *sigma = o->extreme
                         ? c * reference * (0.072 * (average / c + 3) * (o->speed / c - 4) + 10)
                         : reference * (0.75 * o->speed + 5.6);
            return STATUS_OK;
        }
        break;
    }
    return fail(STATUS_INPUT,
                "--class %s: no such class: give I, II or III with A+, A, B or C, as in IIB",
                o->turbulence_class);
}

static double scale_of_height(double hub)
{
    return 0.7 * fmin(hub, 60); /* Lambda 1 */
}

/* ---- spectra ---- */

/* The variance of u at the box's own wave numbers, for an energy of 1. */
static double mann_variance(const box_options *o, const mann_params *p)
{
    double variance[PAIRS], step = 2 * PI / (o->size[0] * o->spacing[0]);
    tensor_variance(p->gamma, step / 2 * p->length, PI / o->spacing[0] * p->length, variance);
    return variance[UU] * pow(p->length, 2 / 3.0);
}

static void settle_mann(const box_options *o, box_result *r)
{
    mann_params *p = &r->mann;
    *p = (mann_params){.points = o->samples == 0, .sinc = o->averaging == 1};
    p->length = isnan(o->length) ? 0.8 * scale_of_height(o->hub) : o->length;
    p->gamma = isnan(o->gamma) ? 3.9 : o->gamma;
    if (!isnan(o->energy))
        p->energy = o->energy;
    else if (o->scaling == SCALE_IEC)
        p->energy = 1.4528 * pow(0.55 * r->sigma, 2) * pow(p->length, -2 / 3.0);
    else
        p->energy = r->sigma * r->sigma / mann_variance(o, p);
}

static void settle_kaimal(const box_options *o, box_result *r)
{
    static const double ratio[3] = {1, 0.8, 0.5}, length[3] = {8.1, 2.7, 0.66};
    double scale = scale_of_height(o->hub);
    kaimal_params *p = &r->kaimal;
    *p = (kaimal_params){
        .speed = o->speed, .decay = 12, .coherence_length = 8.1 * scale, .all = o->coherence == 1};
    for (int c = 0; c < 3; c++) {
        p->sigma[c] = ratio[c] * r->sigma;
        p->length[c] = length[c] * scale;
        if (o->scaling == SCALE_IEC)
            continue;
        double step = o->speed / (o->size[0] * o->spacing[0]), variance = 0;
        for (int i = 1; i <= o->size[0] / 2; i++)
            variance += kaimal_spectrum(p, c, i * step) * step;
        p->sigma[c] *= ratio[c] * r->sigma / sqrt(variance);
    }
}

/* Eddies of a solved wind: energy by the dissipation, 1.7 eps^(2/3); length so that the tensor
 * holds the turbulent energy; gamma in proportion to shear k / eps, 3.9 where as much turbulence is
 * made as is lost. */
static int settle_site(box_options *o)
{
    site_point s;
    int status = site_read(o->site, o->at, &s);
    if (status != STATUS_OK)
        return status;
    o->speed = s.speed;
    o->hub = o->at[2];
    o->profile = s.profile;
    o->energy = 1.7 * pow(s.epsilon, 2 / 3.0);
    o->gamma = fmax(0, fmin(5, 3.9 * s.shear * s.k / s.epsilon / s.balance));
    double variance[PAIRS];
    tensor_variance(o->gamma, 1e-4, 1e4, variance);
    o->length = pow(2 * s.k / (o->energy * (variance[UU] + variance[VV] + variance[WW])), 1.5);
    if (!(o->length > 0.1 && o->length < 5000))
        return fail(
            STATUS_INPUT,
            "--site %s: k = %g m2/s2 and eps = %g m2/s3 at %g,%g,%g make eddies of %g m: is that "
            "point in the wake of a cell?",
            o->site, s.k, s.epsilon, o->at[0], o->at[1], o->at[2], o->length);
    return STATUS_OK;
}

static double table(const box_profile *p, double height)
{
    size_t i = 1;
    while (i + 1 < p->count && p->height[i] < height)
        i++;
    double t = (height - p->height[i - 1]) / (p->height[i] - p->height[i - 1]);
    return p->speed[i - 1] + fmin(fmax(t, 0), 1) * (p->speed[i] - p->speed[i - 1]);
}

static double mean_at(const box_options *o, double height)
{
    const box_profile *p = &o->profile;
    if (p->count > 1)
        return table(p, height);
    if (p->z0 > 0)
        return o->speed * log(fmax(height / p->z0, 1)) / log(o->hub / p->z0);
    return o->speed * pow(height / o->hub, p->exponent);
}

/* A table of one's own goes on evenly beyond its ends, and turbulence and time are those of the
 * speed that is given for the hub. */
static void warn_of_profile(const box_result *r)
{
    const box_options *o = r->o;
    const box_profile *p = &o->profile;
    double low = box_height(r, 0), high = box_height(r, r->b.n[2] - 1);
    double first = p->height[0], last = p->height[p->count - 1], hub = mean_at(o, o->hub);
    if (low < first || high > last)
        warn(
            "%s: reaches from %g to %g m, the box from %g to %g m: beyond, the wind is that of its "
            "end",
            o->profile_file, first, last, low, high);
    if (fabs(hub / o->speed - 1) > MOST_MISFIT)
        warn("%s: has %.4g m/s at the hub (%g m) and --u is %g m/s, which turbulence and time go "
             "by: give --u %.4g",
             o->profile_file, hub, o->hub, o->speed, hub);
}

static int settle_mean(box_result *r)
{
    double lowest = box_height(r, 0);
    if (!(r->mean = malloc((size_t)r->b.n[2] * sizeof *r->mean)))
        return fail_memory();
    for (int k = 0; k < r->b.n[2]; k++)
        r->mean[k] = mean_at(r->o, box_height(r, k));
    if (r->o->profile.z0 >= r->o->hub)
        return fail(STATUS_INPUT, "--shear log:%g: the hub at %g m is not above the roughness",
                    r->o->profile.z0, r->o->hub);
    if (lowest > 0 && r->o->profile_file)
        warn_of_profile(r);
    if (lowest > 0)
        return STATUS_OK;
    return fail(STATUS_INPUT,
                "the lowest points lie %g m above the ground: %d points %g m apart reach %g m "
                "below the hub at "
                "%g m: raise --hub or make the box lower",
                lowest, r->b.n[2], r->b.d[2], r->o->hub - lowest, r->o->hub);
}

int box_settle(box_options *o, box_result *r)
{
    r->model = (box_model)o->model;
    r->sigma = NAN;
    int status = STATUS_OK;
    if (o->site)
        status = settle_site(o);
    else if (!isnan(o->sigma))
        r->sigma = o->sigma;
    else if (!isnan(o->intensity))
        r->sigma = o->intensity * o->speed;
    else if (isnan(o->energy))
        status = class_sigma(o, &r->sigma);
    if (status != STATUS_OK)
        return status;
    if (r->model == BOX_MANN)
        settle_mann(o, r);
    else
        settle_kaimal(o, r);
    return settle_mean(r);
}

/* ---- what is aimed at ---- */

double box_height(const box_result *r, int k)
{
    return r->o->hub + (k - (r->b.n[2] - 1) / 2.0) * r->b.d[2];
}

double box_target(const box_result *r, int spectrum, double k1)
{
    static const int pair[BOX_SPECTRA] = {UU, VV, WW, UW};
    if (r->model == BOX_KAIMAL)
        return spectrum == BOX_UW
                   ? 0
                   : kaimal_spectrum(&r->kaimal, spectrum, k1 * r->o->speed / (2 * PI)) *
                         r->o->speed / (4 * PI);
    double at[PAIRS];
    tensor_integral(k1 * r->mann.length, r->mann.gamma, 0, 0, at);
    return at[pair[spectrum]] * r->mann.energy * pow(r->mann.length, 5 / 3.0);
}

double box_target_coherence(const box_result *r, int component, double k1, double y, double z)
{
    if (r->model == BOX_KAIMAL)
        return component == 0 || r->kaimal.all
                   ? kaimal_coherence(&r->kaimal, k1 * r->o->speed / (2 * PI), hypot(y, z))
                   : y == 0 && z == 0;
    if (k1 * hypot(y, z) >
        12) /* nothing to see, and the integral would have to tell it from its own steps */
        return 0;
    double here[PAIRS], apart[PAIRS], length = r->mann.length;
    tensor_integral(k1 * length, r->mann.gamma, 0, 0, here);
    tensor_integral(k1 * length, r->mann.gamma, y / length, z / length, apart);
    return apart[component] / here[component];
}

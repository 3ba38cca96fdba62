/* SPDX-License-Identifier: MIT */
/* Figures of a scene: what is measured when, and what becomes of the series. */
#include "config.h"

#include "flow/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const quantity_names[] = {"u",
                                             "v",
                                             "speed",
                                             "pressure",
                                             "pressure-drop",
                                             "cd",
                                             "cl",
                                             "circulation",
                                             "max-speed",
                                             "max-div",
                                             "max-vorticity",
                                             "vortex-x",
                                             "vortex-y",
                                             "energy",
                                             "ink",
                                             "min-div",
                                             "largest-div",
                                             "min-pressure",
                                             "max-pressure",
                                             "arrival",
                                             "slowest",
                                             "fastest",
                                             "mean-u",
                                             "mean-v",
                                             "eddy-x",
                                             "eddy-y",
                                             NULL};
static const char *const reduction_names[] = {"last",  "mean",      "min",   "max",
                                              "range", "frequency", "ratio", NULL};

/* ---- the schema ---- */

static int numbers_of(quantity what)
{
    switch (what) {
    case Q_U:
    case Q_V:
    case Q_SPEED:
    case Q_PRESSURE: return 2;
    case Q_PRESSURE_DROP:
    case Q_CIRCULATION:
    case Q_SLOWEST:
    case Q_FASTEST:
    case Q_MEAN_U:
    case Q_MEAN_V:
    case Q_ARRIVAL: return 4;
    default: return 0;
    }
}

/* Its name is its own, and its places lie in the box, lower corner first where they are a box. */
static int check_measure(yaml_at at, const flow_scene *s, const flow_measure *m)
{
    const double high = (double)s->params.height, slack = 1e-6 * high;
    const double most[2] = {high * s->params.nx / s->params.ny, high};
    const bool is_box = m->what == Q_CIRCULATION || m->what == Q_SLOWEST || m->what == Q_FASTEST;
    for (const flow_measure *other = s->measures; other < m; other++)
        if (strcmp(other->name, m->name) == 0)
            return yaml_fail(yaml_get(at, "name"), "measure %s: is there twice", m->name);
    for (int n = 0; n < numbers_of(m->what); n++)
        if (!(m->at[n] >= -slack && m->at[n] <= most[n % 2] + slack))
            return yaml_fail(yaml_get(at, "where"),
                             "measure %s: %g lies outside the box, which is %g x %g", m->name,
                             m->at[n], most[0], most[1]);
    if (is_box && !(m->at[0] < m->at[2] && m->at[1] < m->at[3]))
        return yaml_fail(yaml_get(at, "where"),
                         "measure %s: a box is its lower left and its upper right corner", m->name);
    if (yaml_get(at, "to").node && m->to < m->from)
        return yaml_fail(yaml_get(at, "to"), "measure %s: ends at %g, before it begins at %g",
                         m->name, m->to, m->from);
    return STATUS_OK;
}

int flow_scene_measure(yaml_at at, const flow_scene *s, flow_measure *m)
{
    static const char *const keys[] = {"name", "what", "where", "obstacle", "at",      "from", "to",
                                       "how",  "over", "gate",  "side",     "tracers", NULL};
    static const char *const sides[] = {"below", "above", NULL};
    int what = -1, how = R_LAST, side = 1, status;
    memset(m, 0, sizeof *m);
    m->from = 0;
    m->to = s->duration;
    m->scale = 1;
    m->tracers = 33;
    if ((status = yaml_check_keys(at, "measure", keys)) ||
        (status = yaml_copy_text(yaml_get(at, "name"), "name", sizeof m->name, m->name)) ||
        (status = yaml_choice(yaml_get(at, "what"), "what", quantity_names, &what)) ||
        (status = yaml_choice(yaml_get(at, "how"), "how", reduction_names, &how)) ||
        (status = yaml_choice(yaml_get(at, "side"), "side", sides, &side)) ||
        (status = yaml_whole(yaml_get(at, "obstacle"), "obstacle", 0, FOEHN_FLOW_MOST_OBSTACLES - 1,
                             &m->slot)) ||
        (status = yaml_number(yaml_get(at, "from"), "from", 0, 1e6, &m->from)) ||
        (status = yaml_number(yaml_get(at, "to"), "to", 0, 1e6, &m->to)) ||
        (status = yaml_number(yaml_get(at, "over"), "over", -1e9, 1e9, &m->scale)) ||
        (status = yaml_numbers(yaml_get(at, "gate"), "gate", 2, m->gate)) ||
        (status = yaml_whole(yaml_get(at, "tracers"), "tracers", 1, MOST_TRACERS, &m->tracers)))
        return status;
    if (yaml_get(at, "at").node) {
        if ((status = yaml_number(yaml_get(at, "at"), "at", 0, 1e6, &m->from)) != STATUS_OK)
            return status;
        m->to = m->from;
    }
    if (!m->name[0] || what < 0)
        return yaml_fail(at, "measure: name and what are needed");
    m->what = (quantity)what;
    m->how = (reduction)how;
    m->side = side ? 1 : -1;
    int numbers = numbers_of(m->what);
    if (numbers && !yaml_get(at, "where").node)
        return yaml_fail(at, "measure %s: where is missing: %d numbers", m->name, numbers);
    if ((status = yaml_numbers(yaml_get(at, "where"), "where", numbers, m->at)) != STATUS_OK)
        return status;
    if (m->scale == 0)
        return yaml_fail(at, "measure %s: over must not be 0", m->name);
    return check_measure(at, s, m);
}

/* ---- one value ---- */

/* Extreme of a field over fluid cells, within a box unless it is NULL. */
static int extreme(foehn_flow *flow, foehn_flow_field field, const double *box, double sign,
                   double *value)
{
    foehn_flow_info info;
    foehn_flow_get_info(flow, &info);
    size_t n = foehn_flow_get_field_size(flow, field);
    float *f = malloc(n * sizeof *f);
    float *solid = malloc((size_t)info.nx * (size_t)info.ny * sizeof *solid);
    if (!f || !solid) {
        free(f);
        free(solid);
        return fail_memory();
    }
    foehn_status got = foehn_flow_read(flow, field, f);
    if (got == FOEHN_OK)
        got = foehn_flow_read(flow, FOEHN_FLOW_SOLIDS, solid);
    double most = -INFINITY;
    int row = info.nx + (field == FOEHN_FLOW_U);
    for (int j = 0; got == FOEHN_OK && j < info.ny; j++)
        for (int i = 0; i < info.nx; i++) {
            double x = (i + 0.5) * info.spacing, y = (j + 0.5) * info.spacing;
            if (solid[(size_t)j * (size_t)info.nx + (size_t)i] > 0 ||
                (box && !(x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])))
                continue;
            most = fmax(most, sign * (double)f[(size_t)j * (size_t)row + (size_t)i]);
        }
    free(f);
    free(solid);
    *value = sign * most;
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

static int of_points(foehn_flow *flow, const flow_measure *m, double *value)
{
    double out[6];
    size_t count = m->what == Q_PRESSURE_DROP ? 2 : 1;
    foehn_status got = foehn_flow_read_points(flow, count, m->at, out);
    if (got != FOEHN_OK)
        return fail_library(got);
    *value = m->what == Q_U               ? out[0]
             : m->what == Q_V             ? out[1]
             : m->what == Q_SPEED         ? hypot(out[0], out[1])
             : m->what == Q_PRESSURE_DROP ? out[2] - out[5]
                                          : out[2];
    return STATUS_OK;
}

/* Mean of a component of velocity along a line. */
static int of_line(foehn_flow *flow, const flow_measure *m, double *value)
{
    enum { POINTS = 61 };
    double points[2 * POINTS], out[3 * POINTS], sum = 0;
    for (int n = 0; n < POINTS; n++)
        for (int a = 0; a < 2; a++)
            points[2 * n + a] = m->at[a] + (m->at[2 + a] - m->at[a]) * n / (POINTS - 1);
    foehn_status got = foehn_flow_read_points(flow, POINTS, points, out);
    for (int n = 0; got == FOEHN_OK && n < POINTS; n++)
        sum += out[3 * n + (m->what == Q_MEAN_V)];
    *value = sum / POINTS;
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

/* Where a parabola through three values of a line is furthest from 0, in steps from the middle one.
 */
static double vertex(double before, double middle, double after)
{
    double curve = before - 2 * middle + after;
    return curve != 0 ? 0.5 * (before - after) / curve : 0;
}

/* Centre of the largest eddy of a closed box: where the stream function, 0 on the floor, is
 * furthest from 0. At corners of cells psi grows upwards by u times the height of the face. */
static int of_eddy(foehn_flow *flow, const flow_measure *m, double *value)
{
    foehn_flow_info info;
    foehn_flow_get_info(flow, &info);
    size_t row = (size_t)info.nx + 1, rows = (size_t)info.ny, best = row + 1;
    float *u = malloc(row * rows * sizeof *u);
    double *psi = calloc(row * (rows + 1), sizeof *psi);
    int status = u && psi ? STATUS_OK : fail_memory();
    if (status == STATUS_OK)
        status = fail_library(foehn_flow_read(flow, FOEHN_FLOW_U, u));
    for (size_t c = 0; status == STATUS_OK && c < row * rows; c++)
        psi[c + row] = psi[c] + (double)u[c] * info.spacing;
    for (size_t j = 1; status == STATUS_OK && j < rows; j++)
        for (size_t i = 1; i + 1 < row; i++)
            if (fabs(psi[j * row + i]) > fabs(psi[best]))
                best = j * row + i;
    if (status == STATUS_OK) {
        size_t step = m->what == Q_EDDY_X ? 1 : row;
        double at = (double)(m->what == Q_EDDY_X ? best % row : best / row);
        *value = info.spacing * (at + vertex(psi[best - step], psi[best], psi[best + step]));
    }
    free(u);
    free(psi);
    return status;
}

static int of_stats(foehn_flow *flow, const flow_measure *m, double *value)
{
    foehn_flow_stats stats;
    foehn_status got = foehn_flow_read_stats(flow, &stats);
    if (got != FOEHN_OK && got != FOEHN_ERROR_UNSTABLE)
        return fail_library(got);
    switch (m->what) {
    case Q_MAX_SPEED: *value = stats.max_speed; break;
    case Q_MAX_DIV: *value = stats.max_div_h_over_u; break;
    case Q_MAX_VORTICITY: *value = fabs(stats.max_vorticity); break;
    case Q_VORTEX_X: *value = stats.vortex_center[0]; break;
    case Q_VORTEX_Y: *value = stats.vortex_center[1]; break;
    case Q_ENERGY: *value = stats.kinetic_energy; break;
    default: *value = stats.ink; break;
    }
    return STATUS_OK;
}

/* Value of a quantity now; NaN when it has none. */
static int flow_measure_now(foehn_flow *flow, const flow_measure *m, double *value)
{
    foehn_status got = FOEHN_OK;
    foehn_flow_push push;
    foehn_flow_info info;
    foehn_flow_get_info(flow, &info);
    *value = NAN;
    switch (m->what) {
    case Q_U:
    case Q_V:
    case Q_SPEED:
    case Q_PRESSURE:
    case Q_PRESSURE_DROP: return of_points(flow, m, value);
    case Q_CD:
    case Q_CL:
        got = foehn_flow_read_push(flow, m->slot, &push);
        *value = got != FOEHN_OK ? NAN : m->what == Q_CD ? push.cd : push.cl;
        break;
    case Q_CIRCULATION: got = foehn_flow_read_circulation(flow, m->at, value); break;
    case Q_MIN_DIV:
    case Q_LARGEST_DIV: {
        int status =
            extreme(flow, FOEHN_FLOW_DIVERGENCE, NULL, m->what == Q_MIN_DIV ? -1 : 1, value);
        *value *= info.spacing / info.reference_speed;
        return status;
    }
    case Q_MIN_PRESSURE: return extreme(flow, FOEHN_FLOW_P, NULL, -1, value);
    case Q_MAX_PRESSURE: return extreme(flow, FOEHN_FLOW_P, NULL, 1, value);
    case Q_SLOWEST: return extreme(flow, FOEHN_FLOW_U, m->at, -1, value);
    case Q_FASTEST: return extreme(flow, FOEHN_FLOW_U, m->at, 1, value);
    case Q_MEAN_U:
    case Q_MEAN_V: return of_line(flow, m, value);
    case Q_EDDY_X:
    case Q_EDDY_Y: return of_eddy(flow, m, value);
    case Q_ARRIVAL: break;
    default: return of_stats(flow, m, value);
    }
    return got == FOEHN_OK ? STATUS_OK : fail_library(got);
}

/* ---- over time ---- */

int flow_measures_begin(flow_scene *s)
{
    for (int n = 0; n < s->measure_count; n++) {
        flow_measure *m = &s->measures[n];
        m->value = NAN;
        for (int t = 0; t < m->tracers; t++) {
            double part = m->tracers > 1 ? (double)t / (m->tracers - 1) : 0.5;
            m->tracer[t][0] = m->at[0] + part * (m->at[2] - m->at[0]);
            m->tracer[t][1] = m->at[1] + part * (m->at[3] - m->at[1]);
        }
    }
    return STATUS_OK;
}

/* Move the tracers of an arrival over dt (midpoint rule); the first one past the gate counts. */
static int move_tracers(foehn_flow *flow, flow_measure *m, double time, double dt)
{
    double here[2 * MOST_TRACERS], half[2 * MOST_TRACERS], v[3 * MOST_TRACERS];
    size_t count = (size_t)m->tracers;
    memcpy(here, m->tracer, 2 * count * sizeof *here);
    foehn_status got = foehn_flow_read_points(flow, count, here, v);
    for (size_t t = 0; t < 2 * count; t++)
        half[t] = here[t] + 0.5 * dt * v[t / 2 * 3 + t % 2];
    if (got == FOEHN_OK)
        got = foehn_flow_read_points(flow, count, half, v);
    if (got != FOEHN_OK)
        return fail_library(got);
    for (size_t t = 0; t < count; t++) {
        double before = m->tracer[t][0];
        for (int a = 0; a < 2; a++)
            m->tracer[t][a] += dt * v[3 * t + (size_t)a];
        double x = m->tracer[t][0], y = m->tracer[t][1];
        if (before < m->gate[0] && x >= m->gate[0] && m->side * (y - m->gate[1]) > 0) {
            double when = time - dt * (x - m->gate[0]) / (x - before) - m->from;
            m->value = isnan(m->value) ? when : fmin(m->value, when);
        }
    }
    return STATUS_OK;
}

int flow_measure_keep(flow_measure *m, double time, double value)
{
    if (m->samples == m->capacity) {
        int capacity = m->capacity ? 2 * m->capacity : 256;
        double *series = realloc(m->series, (size_t)capacity * sizeof *series);
        if (series)
            m->series = series;
        double *times = realloc(m->times, (size_t)capacity * sizeof *times);
        if (times)
            m->times = times;
        if (!series || !times)
            return fail_memory();
        m->capacity = capacity;
    }
    m->series[m->samples] = value;
    m->times[m->samples++] = time;
    return STATUS_OK;
}

/* Frequency from the upward crossings of the mean, interpolated; NaN with fewer than two. */
static double frequency(const flow_measure *m)
{
    double mean = m->sum / m->samples, first = NAN, last = NAN;
    int crossings = 0;
    for (int n = 1; n < m->samples; n++) {
        double a = m->series[n - 1] - mean, b = m->series[n] - mean;
        if (a < 0 && b >= 0) {
            last = m->times[n - 1] + (m->times[n] - m->times[n - 1]) * a / (a - b);
            if (crossings++ == 0)
                first = last;
        }
    }
    return crossings > 1 ? (crossings - 1) / (last - first) : NAN;
}

static void reduce(flow_measure *m)
{
    double value = m->last;
    switch (m->how) {
    case R_LAST: break;
    case R_MEAN: value = m->sum / m->samples; break;
    case R_MIN: value = m->low; break;
    case R_MAX: value = m->high; break;
    case R_RANGE: value = m->high - m->low; break;
    case R_FREQUENCY: value = frequency(m); break;
    case R_RATIO: value = m->last / m->first; break;
    }
    m->value = value / m->scale;
}

/* Take a value and bring the figure up to date. */
static int take(flow_measure *m, foehn_flow *flow, double time)
{
    double value;
    int status = flow_measure_now(flow, m, &value);
    if (status == STATUS_OK)
        status = flow_measure_keep(m, time, value);
    if (status != STATUS_OK)
        return status;
    if (m->samples == 1)
        m->first = m->low = m->high = value;
    m->low = fmin(m->low, value);
    m->high = fmax(m->high, value);
    m->sum += value;
    m->last = value;
    reduce(m);
    return STATUS_OK;
}

int flow_measures_step(flow_scene *s, foehn_flow *flow, double time, double dt)
{
    const double slack = 0.5 * dt;
    for (int n = 0; n < s->measure_count; n++) {
        flow_measure *m = &s->measures[n];
        int status = STATUS_OK;
        if (m->what == Q_ARRIVAL) {
            if (time > m->from + slack && time <= m->to + slack)
                status = move_tracers(flow, m, time, dt);
        } else if (m->from == m->to && fabs(time - m->from) <= slack * 1.0001 && m->samples == 0)
            status = take(m, flow, time);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

int flow_measures_sample(flow_scene *s, foehn_flow *flow, double time, double dt)
{
    const double slack = 0.5 * dt;
    for (int n = 0; n < s->measure_count; n++) {
        flow_measure *m = &s->measures[n];
        bool due = m->what != Q_ARRIVAL && m->from != m->to && time > m->from - slack &&
                   time < m->to + slack;
        int status = due ? take(m, flow, time) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void flow_measures_end(flow_scene *s)
{
    for (int n = 0; n < s->measure_count; n++) {
        free(s->measures[n].series);
        free(s->measures[n].times);
        s->measures[n].series = s->measures[n].times = NULL;
    }
}

/* SPDX-License-Identifier: MIT */
/* See reference_momentum.h. */
#include "wind/reference_columns.h"

/* ---- limited upwind differences ---- */

static double koren(double up, double own, double down)
{
    const double a = own - up, b = down - own;
    if (!(a * b > 0))
        return 0;
    return copysign(fmin(fmin(fabs(a), fabs(b)), (fabs(a) + 2 * fabs(b)) / 6), a);
}

static double van_leer(double up, double own, double down)
{
    const double a = own - up, b = down - own;
    return a * b > 0 ? a * b / (a + b) : 0;
}

typedef double limiter(double up, double own, double down);
typedef double reader(const rm_step *s, const float *f, col a, int i, int k, double d);

/* -U df/dn + nu d2f/dn2 along x or z, from the neighbour columns at one's own share of the depth of
 * the air. */
static double beside(const rm_step *s, int kind, int along, int low, int high, limiter *limited,
                     reader *read, const float *f, int i, int k, double depth_share, double own,
                     double speed, double nu)
{
    const int n = along == 0 ? i : k, towards = speed >= 0 ? -1 : 1;
    double at[3]; /* two and one upwind, one downwind */
    for (int c = 0; c < 3; c++) {
        int there = clip(n + (c == 0 ? 2 : c == 1 ? 1 : -1) * towards, low, high);
        int ci = along == 0 ? there : i, ck = along == 0 ? k : there;
        col a = rm_col_at(s, kind, ci, ck);
        at[c] = read(s, f, a, ci, ck, depth_share / a.per_depth);
    }
    const double h = rm_spacing(s, along);
    const double carried = own + limited(at[1], own, at[2]) - at[1] - limited(at[0], at[1], own);
    return -fabs(speed) * carried / h + nu * (at[1] - 2 * own + at[2]) / (h * h);
}

/* ---- means of faces, those that are open ---- */

static double mean_open(const rm_step *s, int axis, const int at[][3], int count)
{
    double sum = 0, n = 0;
    for (int c = 0; c < count; c++)
        if (s->open[axis][rm_at(s, at[c][0], at[c][1], at[c][2])] > 0) {
            sum += rm_value(s, s->u[axis], at[c][0], at[c][1], at[c][2]);
            n++;
        }
    return n > 0 ? sum / n : 0;
}

/* A component at a cell's centre. */
static double centre(const rm_step *s, int axis, int i, int j, int k)
{
    const int at[2][3] = {{i, j, k}, {i + (axis == 0), j, k + (axis == 2)}};
    return mean_open(s, axis, at, 2);
}

/* A component at a face across another axis: the four faces around it. */
static double around(const rm_step *s, int axis, int face, int i, int j, int k)
{
    int at[4][3];
    for (int n = 0; n < 4; n++) {
        at[n][0] = i + (axis == 0 ? n & 1 : 0) - (face == 0 ? n >> 1 : 0);
        at[n][1] = j - (face == 1 ? n >> 1 : 0);
        at[n][2] = k + (axis == 2 ? n & 1 : 0) - (face == 2 ? n >> 1 : 0);
    }
    return mean_open(s, axis, at, 4);
}

/* ---- the wall ---- */

void rm_wall(const rm_step *s, int i, int k, double out[WALL_PLANES])
{
    const momentum *m = &s->m;
    const double d = (double)m->sample;
    const int next_i = clip(i + 1, 0, m->g.nx), next_k = clip(k + 1, 0, m->g.nz);
    double u0 = rm_log_value(s, s->u[0], rm_col_at(s, AT_X, i, k), i, k, d);
    double u1 = rm_log_value(s, s->u[0], rm_col_at(s, AT_X, i + 1, k), next_i, k, d);
    double w0 = rm_log_value(s, s->u[2], rm_col_at(s, AT_Z, i, k), i, k, d);
    double w1 = rm_log_value(s, s->u[2], rm_col_at(s, AT_Z, i, next_k), i, next_k, d);
    double a = 0.5 * (u0 + u1), b = 0.5 * (w0 + w1);
    double up =
        a * rm_plane(s, s->columns, SLOPE_X, i, k) + b * rm_plane(s, s->columns, SLOPE_Z, i, k);
    double z0 = rm_plane(s, s->columns, AT_CELLS + ROUGHNESS, i, k);
    double law = KAPPA / log((d * rm_plane(s, s->columns, COSINE, i, k) + z0) / z0),
           square = a * a + b * b + up * up;
    out[DRAG] = law * law * sqrt(square);
    out[FRICTION2] = law * law * square;
    out[SAMPLE_X] = u0;
    out[SAMPLE_Z] = w0;
    out[FASTEST] = 0;
    for (int j = 0; j < m->g.ny; j++)
        out[FASTEST] =
            fmax(out[FASTEST], fabs(rm_value(s, s->u[0], i, j, k)) / rm_spacing(s, 0) +
                                   fabs(rm_value(s, s->u[2], i, j, k)) / rm_spacing(s, 2));
}

/* ---- turbulence ---- */

static const double least_k = 1e-6, least_eps = 1e-9;

/* The mean of 0.4 (d + z0) with which the log law's difference is exact. */
static double mean_length(double low, double high, double z0)
{
    return KAPPA * (high - low) / log((high + z0) / (low + z0));
}

static double c0_cubed(const momentum *m)
{
    return pow((double)m->c0, 3);
}

double rm_viscosity(const rm_step *s, int i, int j, int k)
{
    const momentum *m = &s->m;
    const double hy = rm_spacing(s, 1), cosine = rm_plane(s, s->columns, COSINE, i, k);
    const col a = rm_col_at(s, AT_CELLS, i, k);
    const bool is_top = j == m->g.ny, has_below = j > a.lowest;
    if (j < a.lowest)
        return 0;
    const int high = is_top ? j - 1 : j, low = has_below ? j - 1 : high;
    double d_low = rm_height_at(s, a, j - 1), d_high = is_top ? d_low + hy : rm_height_at(s, a, j);
    double k_low = rm_value(s, s->k, i, low, k), k_high = rm_value(s, s->k, i, high, k);
    double face = fmax(j * hy - a.ground, 0.02 * hy);
    double length =
        cosine * (has_below ? mean_length(fmax(d_low, 0), d_high, a.z0) : KAPPA * (face + a.z0));
    /* By how much k and eps make it longer than that. */
    double upper =
        c0_cubed(m) * pow(fmax(k_high, least_k), 1.5) /
        (fmax(rm_value(s, s->eps, i, high, k), least_eps) * KAPPA * (d_high * cosine + a.z0));
    double lower =
        c0_cubed(m) * pow(fmax(rm_value(s, s->k, i, j - 1, k), least_k), 1.5) /
        (fmax(rm_value(s, s->eps, i, j - 1, k), least_eps) * KAPPA * (d_low * cosine + a.z0));
    double ratio = is_top ? lower : has_below ? 0.5 * (lower + upper) : upper;
    return (double)m->c0 * sqrt(fmax(0.5 * (k_low + k_high), 0)) * length *
           (m->closes ? fmin(ratio, 8) : 1);
}

double rm_slip(const rm_step *s, int i, int j, int k)
{
    const col a = rm_col_at(s, AT_CELLS, i, k);
    const bool is_top = j == s->m.g.ny;
    const int high = is_top ? j - 1 : j, low = j > a.lowest ? j - 1 : high;
    double u = 0.5 * (centre(s, 0, i, high, k) + centre(s, 0, i, low, k));
    double w = 0.5 * (centre(s, 2, i, high, k) + centre(s, 2, i, low, k));
    double along =
        u * rm_plane(s, s->columns, SLOPE_X, i, k) + w * rm_plane(s, s->columns, SLOPE_Z, i, k);
    double faded = 1 - between(0, (j * rm_spacing(s, 1) - a.ground) * a.per_depth, 1);
    return rm_share_open(s, 1, i, j, k) * (rm_value(s, s->u[1], i, j, k) - faded * along);
}

/* x of (1 + extra + up + down) x(j) - down x(j - 1) - up x(j + 1) = given; extra < 0: x = given.
 * Values are kept from low to high on the way up and down. */
static void solve(int count, const double *up, const double *down, const double *extra,
                  const double *given, double low, double high, double *x)
{
    double share[256], v = 0, c = 0;
    for (int j = 0; j < count; j++) {
        const bool held = extra[j] < 0;
        double pivot = 1 + extra[j] + up[j] + down[j] - down[j] * c;
        v = held ? given[j] : (given[j] + down[j] * v) / pivot;
        c = held ? 0 : up[j] / pivot;
        x[j] = v;
        share[j] = c;
    }
    double above = 0;
    for (int j = count - 1; j >= 0; j--)
        above = x[j] = between(low, x[j] + share[j] * above, high);
}

/* dx/dz + dz/dx of the horizontal wind at a cell, own values where a neighbour is ground or beyond
 * a side. */
static double twist(const rm_step *s, int i, int j, int k)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis += 2) { /* of u along z, of w along x */
        double own = centre(s, axis, i, j, k), side[2];
        for (int n = 0; n < 2; n++) {
            int ci = i + (axis == 2 ? 2 * n - 1 : 0), ck = k + (axis == 0 ? 2 * n - 1 : 0);
            bool there = ci >= 0 && ck >= 0 && ci < s->m.g.nx && ck < s->m.g.nz &&
                         rm_has_sides(s, ci, j, ck);
            side[n] = there ? centre(s, axis, ci, j, ck) : own;
        }
        sum += 0.5 * (side[1] - side[0]) / rm_spacing(s, 2 - axis);
    }
    return sum;
}

/* v on the floor of row j beside a column; the column's own where that face is ground or beyond a
 * side. */
static double v_beside(const rm_step *s, int i, int j, int k, int ci, int ck)
{
    bool there = ci >= 0 && ck >= 0 && ci < s->m.g.nx && ck < s->m.g.nz &&
                 rm_share_open(s, 1, ci, j, ck) > 0;
    return there ? rm_value(s, s->u[1], ci, j, ck) : rm_value(s, s->u[1], i, j, k);
}

/* Square of the shear on the face under row j, between two cells' horizontal winds. */
static double shear(const rm_step *s, int i, int j, int k, double apart, const double low[2],
                    const double high[2])
{
    double x = v_beside(s, i, j, k, i + 1, k) - v_beside(s, i, j, k, i - 1, k);
    double z = v_beside(s, i, j, k, i, k + 1) - v_beside(s, i, j, k, i, k - 1);
    double along_x = (high[0] - low[0]) / apart + 0.5 * x / rm_spacing(s, 0);
    double along_z = (high[1] - low[1]) / apart + 0.5 * z / rm_spacing(s, 2);
    return along_x * along_x + along_z * along_z;
}

/* What the limited scheme adds to the upwind values through the floor and the top of a row. */
static double along_column(const rm_step *s, const float *f, int i, int j, int k, double lowest,
                           double rising, double below)
{
    const int ny = s->m.g.ny;
    const double own = rm_value(s, f, i, j, k);
    double m1 = j <= lowest ? own : rm_value(s, f, i, j - 1, k),
           m2 = j - 1 <= lowest ? m1 : rm_value(s, f, i, j - 2, k);
    double p1 = j == ny - 1 ? own : rm_value(s, f, i, j + 1, k),
           p2 = j >= ny - 2 ? p1 : rm_value(s, f, i, j + 2, k);
    double upper = rising >= 0 ? van_leer(m1, own, p1) : van_leer(p2, p1, own);
    double lower = below >= 0 ? van_leer(m2, m1, own) : van_leer(p1, own, m1);
    return ((j <= lowest ? 0 : below * lower) - (j == ny - 1 ? 0 : rising * upper)) /
           rm_spacing(s, 1);
}

void rm_scalar(const rm_step *s, int which, int i, int k, double *out)
{
    const momentum *m = &s->m;
    const int ny = m->g.ny;
    const float *f = which ? s->eps : s->k;
    const double hy = rm_spacing(s, 1), cosine = rm_plane(s, s->columns, COSINE, i, k),
                 c3 = c0_cubed(m);
    const double sigma = which ? (double)m->per_sigma_eps : (double)m->per_sigma_k;
    const double friction = (double)m->friction, c1 = (double)m->c1, c2 = (double)m->c2;
    const col a = rm_col_at(s, AT_CELLS, i, k);
    double up[256], down[256], extra[256], given[256];
    for (int j = 0; j < ny; j++) {
        const bool is_bottom = j <= a.lowest, is_top = j == ny - 1;
        const int below_j = is_bottom ? j : j - 1, above_j = is_top ? j : j + 1;
        const double d = fmax(rm_height_at(s, a, j), a.distance);
        const double d_low = is_bottom ? 0 : rm_height_at(s, a, j - 1);
        const double d_high = is_top ? d + hy : fmax(rm_height_at(s, a, j + 1), d + 0.5 * hy);
        const double own = rm_value(s, f, i, j, k), own_k = rm_value(s, s->k, i, j, k),
                     own_eps = rm_value(s, s->eps, i, j, k);
        const double here[2] = {centre(s, 0, i, j, k), centre(s, 2, i, j, k)};
        const double below[2] = {centre(s, 0, i, below_j, k), centre(s, 2, i, below_j, k)};
        const double above[2] = {centre(s, 0, i, above_j, k), centre(s, 2, i, above_j, k)};
        const double nu_low = rm_value(s, s->nu, i, j, k),
                     nu_high = rm_value(s, s->nu, i, j + 1, k);
        const double nu = 0.5 * (nu_low + nu_high);
        const double length_low = mean_length(d_low, d, a.z0),
                     length_high = mean_length(d, d_high, a.z0);

        /* Production. */
        double from_low = nu_low * shear(s, i, j, k, fmax(d - d_low, 0.1 * hy), below, here);
        double from_high = nu_high * shear(s, i, j + 1, k, d_high - d, here, above);
        if (is_top) { /* as in the undisturbed wind */
            double length = cosine * length_high;
            from_high = (double)m->c0 * sqrt(fmax(own_k, 0)) * length * pow(friction / length, 2);
        }
        double production = 0.5 * (from_low + from_high) + nu * pow(twist(s, i, j, k), 2);
        for (int axis = 0; axis < 3; axis++) {
            const int ni = i + (axis == 0), nj = j + (axis == 1), nk = k + (axis == 2);
            bool counts = axis == 1 ? !is_bottom
                                    : rm_share_open(s, axis, i, j, k) > 0 &&
                                          rm_share_open(s, axis, ni, nj, nk) > 0;
            double stretch =
                (rm_value(s, s->u[axis], ni, nj, nk) - rm_value(s, s->u[axis], i, j, k)) /
                rm_spacing(s, axis);
            production += counts ? 2 * nu * stretch * stretch : 0;
        }

        /* Durbin: nu of production is at most a time of 0.6 / (sqrt(3) strain) times k. */
        if (production > 0)
            production *= fmin(0.6 / sqrt(3) * own_k / sqrt(production * nu), 1);

        /* Decay, corrected so that the log column is a solution. */
        double y = d + a.z0, inverse = 1 / length_low + 1 / length_high;
        double uneven = between(0.5, 0.5 * KAPPA * y * inverse, 3);
        double spread =
            y / (KAPPA * hy) * (length_low / (d_low + a.z0) - length_high / (d_high + a.z0));
        spread = between(0.3, spread, 3);
        double safe_k = fmax(own_k, least_k), rate = fmax(own_eps, least_eps) / safe_k, decay;
        /* By the ground: what the log law's shear makes of the stress there, what k leaves of it.
         */
        const bool is_wall = is_bottom || d < 0.75 * hy, is_sliver = is_wall && d_high < 0.75 * hy;
        const double n = d * cosine, stress = rm_plane(s, s->walls, FRICTION2, i, k);
        const double per_length =
            log((2 * n + a.z0) / a.z0) / (2 * n) / KAPPA; /* mean over the cell */
        if (is_wall)
            production = pow(stress, 1.5) * per_length;
        if (which)
            decay = rate * (c1 * uneven + (c2 - c1) * spread);
        else if (is_wall)
            decay = c3 * sqrt(safe_k) * per_length;
        else
            decay = m->closes ? rate * uneven : c3 * sqrt(safe_k) * 0.5 * inverse / cosine;

        double share = fmin(d * a.per_depth, 1), sum = which ? c1 * production * rate : production;
        sum += beside(s, AT_CELLS, 0, m->low_x, m->high_x, van_leer, rm_linear_value, f, i, k,
                      share, own, here[0], sigma * nu);
        sum += beside(s, AT_CELLS, 2, m->low_z, m->high_z, van_leer, rm_linear_value, f, i, k,
                      share, own, here[1], sigma * nu);
        sum += along_column(s, f, i, j, k, a.lowest, rm_value(s, s->slip, i, j + 1, k),
                            rm_value(s, s->slip, i, j, k));
        if (is_top && which) /* what the undisturbed eps loses through the lid */
            sum += sigma * friction * length_high * pow(friction, 3) / KAPPA *
                   (1 / (d_high + (double)m->z0) - 1 / (d + (double)m->z0)) / (hy * hy);

        double diffused = 2 * sigma * nu * (pow(rm_spacing(s, 0), -2) + pow(rm_spacing(s, 2), -2));
        double wall_k = is_sliver ? fmax(rm_value(s, s->k, i, above_j, k), least_k) : safe_k;
        double wall_eps = c3 * pow(wall_k, 1.5) / (KAPPA * (n + a.z0));
        const bool held = which ? is_wall : is_sliver;
        given[j] = held ? (which ? wall_eps : wall_k) : own + s->dt * (sum + diffused * own);
        extra[j] = held ? -1 : s->dt * (decay + diffused);

        /* Up and down: upwind and diffusion through what is open. */
        double sides = rm_share_open(s, 0, i, j, k) + rm_share_open(s, 0, i + 1, j, k) +
                       rm_share_open(s, 2, i, j, k) + rm_share_open(s, 2, i, j, k + 1);
        double scale = s->dt / hy / fmax(sides / 4, LEAST_SHARE);
        double rising = rm_value(s, s->slip, i, j + 1, k), entering = rm_value(s, s->slip, i, j, k);
        double conducts = nu_high * rm_share_open(s, 1, i, j + 1, k) * sigma /
                          (rm_height_at(s, a, j + 1) - rm_height_at(s, a, j));
        double conducted = nu_low * rm_share_open(s, 1, i, j, k) * sigma /
                           (rm_height_at(s, a, j) - rm_height_at(s, a, j - 1));
        const double slope_x = rm_plane(s, s->columns, SLOPE_X, i, k),
                     slope_z = rm_plane(s, s->columns, SLOPE_Z, i, k);
        conducts *= rm_steepened(a, (j + 1) * hy, slope_x, slope_z);
        conducted *= rm_steepened(a, j * hy, slope_x, slope_z);
        up[j] = is_top ? 0 : (fmax(-rising, 0) + conducts) * scale;
        down[j] = is_bottom ? 0 : (fmax(entering, 0) + conducted) * scale;
    }
    solve(ny, up, down, extra, given, which ? least_eps : least_k, INFINITY, out);
}

/* ---- velocity ---- */

/* A field of cells or columns on the two sides of a face; at a side of the box both are the one
 * there is. */
static void two_sides(const rm_step *s, const float *f, int axis, int i, int j, int k,
                      double out[2])
{
    const int n = axis == 0 ? i : axis == 2 ? k : j;
    const bool first = axis != 1 && n == 0, end = axis != 1 && n == rm_last(s, axis);
    const int low = first ? n : n - 1, high = end ? n - 1 : n;
    out[0] = rm_value(s, f, axis == 0 ? low : i, axis == 1 ? low : j, axis == 2 ? low : k);
    out[1] = rm_value(s, f, axis == 0 ? high : i, axis == 1 ? high : j, axis == 2 ? high : k);
}

static double mean_of_sides(const rm_step *s, const float *f, int axis, int i, int j, int k)
{
    double side[2];
    two_sides(s, f, axis, i, j, k, side);
    return 0.5 * (side[0] + side[1]);
}

static bool is_held(const rm_step *s, int axis, int i, int j, int k)
{
    const int inflow = s->m.inflow;
    if (rm_share_open(s, axis, i, j, k) <= 0)
        return true;
    if (axis == 1)
        return j == 0;
    return axis == 0
               ? (i == 0 && inflow & INFLOW_WEST) || (i == s->m.g.nx && inflow & INFLOW_EAST)
               : (k == 0 && inflow & INFLOW_NORTH) || (k == s->m.g.nz && inflow & INFLOW_SOUTH);
}

/* Explicit part of a face: its new value but for what is up and down, and its diagonal; -1: held.
 */
static void explicit_part(const rm_step *s, int axis, int i, int j, int k, double *given,
                          double *extra)
{
    const momentum *m = &s->m;
    const int ny = m->g.ny;
    const bool is_top = j == ny - 1;
    const double hy = rm_spacing(s, 1);
    const float *f = s->u[axis];
    const double own = rm_value(s, f, i, j, k), open = rm_share_open(s, axis, i, j, k);
    const col a = rm_col_at(s, rm_kind_of(axis), i, k);
    *given = own;
    *extra = -1;
    if (is_held(s, axis, i, j, k))
        return;

    /* From beside. */
    double d = axis == 1 ? fmax(j * hy - a.ground, 0) : rm_height_at(s, a, j),
           share = fmin(d * a.per_depth, 1);
    double nu = axis == 1
                    ? 0.25 * (rm_value(s, s->nu, i, j - 1, k) + 2 * rm_value(s, s->nu, i, j, k) +
                              rm_value(s, s->nu, i, j + 1, k))
                    : 0.5 * (mean_of_sides(s, s->nu, axis, i, j, k) +
                             mean_of_sides(s, s->nu, axis, i, j + 1, k));
    double sum = 0, diagonal = 0;
    for (int along = 0; along < 3; along += 2) {
        double speed = axis == along ? own : around(s, along, axis, i, j, k);
        int low = axis == along ? 0 : along == 0 ? m->low_x : m->low_z;
        int high = axis == along ? rm_last(s, along) : along == 0 ? m->high_x : m->high_z;
        sum += beside(s, rm_kind_of(axis), along, low, high, koren,
                      axis == 1 ? rm_floor_value : rm_log_value, f, i, k, share, own, speed, nu);
        diagonal += 2 * nu / pow(rm_spacing(s, along), 2);
    }

    /* Up and down: what the limited scheme adds to the upwind value. */
    double rising, below;
    if (axis == 1) {
        rising = 0.5 * (rm_value(s, s->slip, i, j, k) + rm_value(s, s->slip, i, j + 1, k));
        below = 0.5 * (rm_value(s, s->slip, i, j - 1, k) + rm_value(s, s->slip, i, j, k));
    } else {
        rising = mean_of_sides(s, s->slip, axis, i, j + 1, k);
        below = mean_of_sides(s, s->slip, axis, i, j, k);
    }
    const double volume = fmax(open, LEAST_SHARE), lowest = axis == 1 ? a.lowest + 1 : a.lowest;
    const int rows = axis == 1 ? ny + 1 : ny; /* that exist */
    double m1 = j <= lowest ? own : rm_value(s, f, i, j - 1, k),
           m2 = j - 1 <= lowest ? m1 : rm_value(s, f, i, j - 2, k);
    double p1 = j + 1 < rows ? rm_value(s, f, i, j + 1, k) : own,
           p2 = j + 2 < rows ? rm_value(s, f, i, j + 2, k) : p1;
    double upper = rising >= 0 ? koren(m1, own, p1) : koren(p2, p1, own);
    double lower = below >= 0 ? koren(m2, m1, own) : koren(p1, own, m1);
    sum -= ((is_top ? 0 : rising * upper) - (j <= lowest ? 0 : below * lower)) / (hy * volume);

    /* d nu/dy dv/dn, and the stress on the lid. */
    if (axis != 1) {
        const int di = axis == 0, dk = axis == 2;
        bool apart =
            rm_share_open(s, 1, i, j, k) > 0 && rm_share_open(s, 1, i - di, j, k - dk) > 0 &&
            rm_share_open(s, 1, i, j + 1, k) > 0 && rm_share_open(s, 1, i - di, j + 1, k - dk) > 0;
        double change =
            (mean_of_sides(s, s->nu, axis, i, j + 1, k) - mean_of_sides(s, s->nu, axis, i, j, k)) /
            hy;
        double tilt = 0.5 * (rm_value(s, s->u[1], i, j, k) + rm_value(s, s->u[1], i, j + 1, k) -
                             rm_value(s, s->u[1], i - di, j, k - dk) -
                             rm_value(s, s->u[1], i - di, j + 1, k - dk));
        sum += apart ? change * tilt / rm_spacing(s, axis) : 0;
        sum += is_top ? pow((double)m->friction, 2) * (double)(axis == 0 ? m->dx : m->dz) / hy : 0;
    }
    sum -= (rm_value(s, s->p, i, j, k) -
            rm_value(s, s->p, i - (axis == 0), j - (axis == 1), k - (axis == 2))) /
           rm_spacing(s, axis);

    /* The ground. */
    double drag[2], area, sampled = own, ratio = 1;
    const int before = axis == 0 ? (i > 0 ? i - 1 : i) : k > 0 ? k - 1 : k;
    const int after = axis == 0 ? (i < m->g.nx ? i : i - 1) : k < m->g.nz ? k : k - 1;
    if (axis == 1) {
        drag[0] = drag[1] = rm_plane(s, s->walls, DRAG, i, k);
        area = 0.5 * (rm_ground_area(s, i, j, k, j == m->g.ny - 1) +
                      rm_ground_area(s, i, j - 1, k, false));
    } else {
        drag[0] = rm_plane(s, s->walls, DRAG, axis == 0 ? before : i, axis == 0 ? k : before);
        drag[1] = rm_plane(s, s->walls, DRAG, axis == 0 ? after : i, axis == 0 ? k : after);
        area = rm_area_at_face(s, axis, i, j, k);
        area +=
            a.lowest == j ? rm_plane(s, s->columns, axis == 0 ? CARRIED_X : CARRIED_Z, i, k) : 0;
        sampled = rm_plane(s, s->walls, axis == 0 ? SAMPLE_X : SAMPLE_Z, i, k);
        ratio = sampled * own > 0 ? between(0.5, sampled / own, 4) : 0;
    }
    double rate = 0.5 * area * (drag[0] + drag[1]) / (hy * volume);
    sum -= rate * (sampled - ratio * own);
    *given = own + s->dt * (sum + diagonal * own);
    *extra = s->dt * (diagonal + rate * ratio);
}

void rm_velocity(const rm_step *s, int axis, int i, int k, double *out)
{
    const momentum *m = &s->m;
    const int ny = m->g.ny, n = axis == 0 ? i : k;
    const double hy = rm_spacing(s, 1);
    const col a = rm_col_at(s, rm_kind_of(axis), i, k);
    const double lowest = axis == 1 ? a.lowest + 1 : a.lowest;
    double up[256], down[256], extra[256], given[256];
    for (int j = 0; j < ny; j++) {
        explicit_part(s, axis, i, j, k, &given[j], &extra[j]);
        double scale = s->dt / hy / fmax(rm_share_open(s, axis, i, j, k), LEAST_SHARE), rising[2],
               conducts[2];
        for (int side = 0; side < 2; side++) { /* below, above */
            const int f = j + side;            /* for v the cell f - 1, else the y face f */
            if (axis == 1) {
                rising[side] =
                    0.5 * (rm_value(s, s->slip, i, f - 1, k) + rm_value(s, s->slip, i, f, k));
                conducts[side] =
                    0.5 * (rm_value(s, s->nu, i, f - 1, k) + rm_value(s, s->nu, i, f, k)) / hy *
                    0.5 * (rm_share_open(s, 1, i, f - 1, k) + rm_share_open(s, 1, i, f, k));
            } else {
                const int end = rm_last(s, axis), low = n == 0 ? n : n - 1,
                          high = n == end ? n - 1 : n;
                double o = rm_share_open(s, 1, axis == 0 ? low : i, f, axis == 2 ? low : k) +
                           rm_share_open(s, 1, axis == 0 ? high : i, f, axis == 2 ? high : k);
                rising[side] = mean_of_sides(s, s->slip, axis, i, f, k);
                conducts[side] = mean_of_sides(s, s->nu, axis, i, f, k) * 0.5 * o /
                                 (rm_height_at(s, a, f) - rm_height_at(s, a, f - 1));
            }
        }
        const int bi = i - (axis == 0), bk = k - (axis == 2);
        const double slope_x = 0.5 * (rm_plane(s, s->columns, SLOPE_X, bi, bk) +
                                      rm_plane(s, s->columns, SLOPE_X, i, k));
        const double slope_z = 0.5 * (rm_plane(s, s->columns, SLOPE_Z, bi, bk) +
                                      rm_plane(s, s->columns, SLOPE_Z, i, k));
        conducts[0] *= rm_steepened(a, j * hy, slope_x, slope_z);
        conducts[1] *= rm_steepened(a, (j + 1) * hy, slope_x, slope_z);
        const bool shut = j == ny - 1 && axis != 1; /* nothing goes through the lid */
        up[j] = shut ? 0 : (fmax(-rising[1], 0) + conducts[1]) * scale;
        down[j] = j <= lowest ? 0 : (fmax(rising[0], 0) + conducts[0]) * scale;
    }
    /* Nothing comes back in through an outflow side. */
    const int lower_bit = axis == 0 ? INFLOW_WEST : INFLOW_NORTH,
              upper_bit = axis == 0 ? INFLOW_EAST : INFLOW_SOUTH;
    const bool leaves_low = axis != 1 && n == 0 && !(m->inflow & lower_bit);
    const bool leaves_high = axis != 1 && n == rm_last(s, axis) && !(m->inflow & upper_bit);
    solve(ny, up, down, extra, given, leaves_high ? 0 : -INFINITY, leaves_low ? 0 : INFINITY, out);
}

/* ---- places ---- */

void rm_turbulence(const rm_step *s, double x, double z, double height, double out[2])
{
    const int nx = s->m.g.nx, nz = s->m.g.nz, ny = s->m.g.ny;
    const double hy = rm_spacing(s, 1);
    x = between(0, x - 0.5, nx - 1);
    z = between(0, z - 0.5, nz - 1);
    out[0] = out[1] = 0;
    for (int n = 0; n < 4; n++) {
        int i = clip((int)x + (n & 1), 0, nx - 1), k = clip((int)z + (n >> 1), 0, nz - 1);
        double wx = fabs(x - (int)x), wz = fabs(z - (int)z);
        double weight = (n & 1 ? wx : 1 - wx) * (n >> 1 ? wz : 1 - wz);
        const col a = rm_col_at(s, AT_CELLS, i, k);
        out[0] += weight * rm_linear_value(s, s->k, a, i, k, height);
        int row = clip((int)((height + a.ground) / hy), (int)a.lowest, ny - 1);
        double low = row == (int)a.lowest ? 0 : row * hy - a.ground,
               high = (row + 1) * hy - a.ground;
        double t = between(0, (height - low) / fmax(high - low, 0.01 * hy), 1);
        out[1] += weight *
                  ((1 - t) * rm_value(s, s->nu, i, row, k) + t * rm_value(s, s->nu, i, row + 1, k));
    }
}

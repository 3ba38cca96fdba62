/* SPDX-License-Identifier: MIT */
/* What is told of a run of foehn wind at its end. */
#include "config.h"

#include "wind/run.h"

#include "ranks.h"

#include <math.h>

static void add_steady(json *j, const steady *st)
{
    json_object(j, "steady");
    json_count(j, "window_steps", st->window);
    json_truth(j, "spun_up", st->spun_up);
    json_number(j, "spin_up_change", st->change);
    json_number(j, "spin_up_criterion", 0.005);
    json_truth(j, "converged", st->converged);
    json_number(j, "mean_difference", st->difference);
    json_number(j, "mean_criterion", 0.01);
    json_number(j, "average_start_s", st->average_start);
    json_close(j, '}');
}

/* NaN of nothing. */
static double per(double whole, uint64_t count)
{
    return count > 0 ? whole / (double)count : NAN;
}

bool run_was_cut(const run *r)
{
    return r->site.scene.hours && r->hour_count < r->weather->count;
}

void run_report_time(const run *r, double wall)
{
    const mean_wind *m = &r->mean;
    if (!r->o->steady)
        report("Time      %.1f s for %llu steps, %.3g ms a step", wall, (unsigned long long)r->step,
               step_timer_median_ms(&r->timer));
    else if (r->site.scene.hours)
        report("Time      %.1f s for %zu moments", wall, r->hour_count);
    else if (r->o->model == MODEL_MOMENTUM)
        report("Time      %.1f s for %llu steps, %.3g ms a step, kernels that were built included",
               wall, (unsigned long long)r->step, per(1e3 * wall, r->step));
    else if (m->solution.cycles == 0)
        report("Time      %.1f s, no cycle was needed", wall);
    else if (m->steps == 0)
        report("Time      %.1f s for %d cycles, %.3g ms a cycle", wall, m->solution.cycles,
               per(1e3 * m->solve_s, (uint64_t)m->solution.cycles));
    else
        report("Time      %.1f s for %d cycles, %.3g ms a cycle, and %llu steps, %.3g ms a step",
               wall, m->solution.cycles, per(1e3 * m->solve_s, (uint64_t)m->solution.cycles),
               (unsigned long long)m->steps, per(1e3 * m->advect_s, m->steps));
}

static void add_mean_wind(json *j, const mean_wind *m)
{
    json_object(j, "solution");
    json_count(j, "cycles", (uint64_t)m->solution.cycles);
    json_number(j, "cycle_ms", per(1e3 * m->solve_s, (uint64_t)m->solution.cycles));
    json_number(j, "residual", m->solution.residual);
    json_number(j, "mass_in_m3_s", m->solution.mass_in);
    json_number(j, "mass_imbalance", m->solution.mass_imbalance);
    json_count(j, "advection_steps", m->steps);
    json_number(j, "advection_step_ms", per(1e3 * m->advect_s, m->steps));
    json_number(j, "advection_change", m->change);
    json_close(j, '}');
}

static void add_settling(json *j, const foehn_wind_settling *s)
{
    json_object(j, "convergence");
    json_count(j, "steps", s->progress.steps);
    json_number(j, "flushes", s->flushes);
    json_number(j, "flush_s", s->progress.flush_time);
    json_number(j, "drift", s->drift);
    json_number(j, "criterion", foehn_wind_settle_params_default().drift);
    json_truth(j, "converged", s->settled);
    json_number(j, "unrest", s->unrest);
    json_number(j, "mass_in_m3_s", s->progress.mass_in);
    json_number(j, "mass_imbalance", s->progress.mass_imbalance);
    json_close(j, '}');
}

int run_write_stats(run *r, double wall, const foehn_wind_stats *stats, double mean_speed)
{
    const scene *s = &r->site.scene;
    foehn_wind_info info;
    foehn_wind_get_info(r->wind, &info);
    stats_file f;
    int status = stats_begin(&f, r->o->common.stats, &r->timer, r->step, s->dt, wall,
                             (uint64_t)s->nx * (uint64_t)s->ny * (uint64_t)s->nz);
    if (status != STATUS_OK)
        return status;
    json *j = &f.j;
    json_number(j, "mean_speed_10m", stats->mean_speed_10m);
    json_number(j, "mean_abs_divergence", stats->mean_abs_divergence);
    json_number(j, "max_abs_divergence", stats->max_abs_divergence);
    json_number(j, "max_speed", stats->max_speed);
    json_number(j, "turbulence_intensity_10m", stats->turbulence_intensity);
    json_count(j, "gusts", info.gusts_so_far);
    json_number(j, "pressure_residual", r->residual);
    if (info.cycles > 0) {
        json_count(j, "pressure_cycles", info.cycles);
        json_number(j, "pressure_cycles_a_step", per((double)info.cycles, r->step - r->first_step));
        json_number(j, "max_abs_divergence_h_u10",
                    stats->max_abs_divergence * s->spacing[0] / s->u10);
        json_number(j, "divergence_criterion", s->divergence);
    }
    json_number(j, "time_s", r->time);
    json_count(j, "parts", (uint64_t)ranks_count());
    json_truth(j, "interrupted", stop_requested());
    json_number(j, "height", s->height);
    json_number(j, "mean_speed_at_height", mean_speed);
    json_number(j, "u10", s->u10);
    json_number(j, "from_true", s->from_true);
    json_number(j, "from_grid", s->from_grid);
    json_number(j, "grid_convergence", s->place.convergence);
    json_count(j, "mean_samples", (uint64_t)info.samples);
    if (s->has_terrain) {
        json_text(j, "crs", s->place.authority[0] ? s->place.authority : s->place.name);
        json_number(j, "top", s->origin[2] + s->nz * s->spacing[2]);
        json_number(j, "hill_height", r->site.hill);
        json_number(j, "lid_hill_heights_above_summit", r->site.lid_above);
    }
    if (r->to_steady)
        add_steady(j, &r->steady);
    if (r->eddies.mean)
        eddies_add_stats(&r->eddies, s, s->dt, j);
    if (r->o->stations)
        inlet_add_stats(&r->inlet, j);
    if (s->hours)
        hours_add_stats(r, j);
    if (run_was_cut(r))
        ; /* what the device holds is no result */
    else if (r->o->model == MODEL_MOMENTUM)
        add_settling(j, &r->settling);
    else if (r->o->steady)
        add_mean_wind(j, &r->mean);
    return stats_end(&f);
}

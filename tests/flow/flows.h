/* SPDX-License-Identifier: MIT */
/* Flows for the tests of the flow lab, and short ways to run and read them. */
#ifndef FOEHN_TESTS_FLOWS_H
#define FOEHN_TESTS_FLOWS_H

#include "testing.h"

#include "flow/state.h"

#define PI 3.14159265358979323846

foehn_flow *flows_create(const foehn_flow_params *p);
void flows_step(foehn_flow *f, int count, double dt);

/* So many flows_step, or enough to run every kernel. */
int flows_few(int count);
foehn_flow_stats flows_stats(foehn_flow *f);
float *flows_read(foehn_flow *f, foehn_flow_field which);

/* nx x ny cells of a flows_stream from left to right between slip walls. */
foehn_flow_params flows_stream(int nx, int ny, float speed);
foehn_flow_params flows_ring(int n, double height);

/* ---- the files of tests, one subject each ---- */

void add_flow_exact_tests(TCase *tests);
void add_flow_pairs_tests(TCase *tests);
void add_flow_rules_tests(TCase *tests);
void add_flow_calls_tests(TCase *tests);

#endif

/* SPDX-License-Identifier: MIT */
#include "flow/flows.h"

foehn_flow *flows_create(const foehn_flow_params *p)
{
    foehn_flow *f;
    OK(foehn_flow_create(context, p, &f));
    return f;
}

void flows_step(foehn_flow *f, int count, double dt)
{
    for (int i = 0; i < count; i++)
        OK(foehn_flow_step(f, (float)dt));
}

/* So many steps, or enough to run every kernel. */
int flows_few(int count)
{
    return testing_is_tiny() ? 2 : count;
}

foehn_flow_stats flows_stats(foehn_flow *f)
{
    foehn_flow_stats s;
    OK(foehn_flow_read_stats(f, &s));
    return s;
}

float *flows_read(foehn_flow *f, foehn_flow_field which)
{
    float *out = testing_alloc(foehn_flow_get_field_size(f, which) * sizeof *out);
    OK(foehn_flow_read(f, which, out));
    return out;
}

/* nx x ny cells of a stream from left to right between slip walls. */
foehn_flow_params flows_stream(int nx, int ny, float speed)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = nx;
    p.ny = ny;
    p.sides[FOEHN_FLOW_LEFT] = (foehn_flow_side){FOEHN_FLOW_INFLOW, speed, 0};
    p.sides[FOEHN_FLOW_RIGHT].kind = FOEHN_FLOW_OUTFLOW;
    p.sides[FOEHN_FLOW_BOTTOM].kind = FOEHN_FLOW_SLIP;
    p.sides[FOEHN_FLOW_TOP].kind = FOEHN_FLOW_SLIP;
    return p;
}

foehn_flow_params flows_ring(int n, double height)
{
    foehn_flow_params p = foehn_flow_params_default();
    p.nx = p.ny = n;
    p.height = (float)height;
    for (int i = 0; i < 4; i++)
        p.sides[i].kind = FOEHN_FLOW_PERIODIC;
    return p;
}

int main(void)
{
    TCase *tests = testing_begin("flow", TESTING_NEEDS_DEVICE);
    add_flow_exact_tests(tests);
    add_flow_pairs_tests(tests);
    add_flow_rules_tests(tests);
    add_flow_calls_tests(tests);
    return testing_end();
}

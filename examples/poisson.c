/* SPDX-License-Identifier: MIT */
/* One Poisson problem: the potential of a point source in a box with p = 0 around it, once in free
 * space and once behind a wall with a gap; conjugate gradients, each with a multigrid cycle. */
#include <foehn/foehn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, WALL = 40, GAP = 8, NO_DEVICE = 77 };

static int check(foehn_status status)
{
    if (status == FOEHN_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", foehn_status_name(status), foehn_last_error());
    return 1;
}

static int solve(foehn_poisson *problem, const char *what)
{
    static float p[N * N];
    foehn_poisson_stats stats;
    if (check(foehn_poisson_solve(problem, FOEHN_POISSON_MGCG, 30, 1e-5, &stats)) ||
        check(foehn_poisson_read_solution(problem, p)))
        return 1;
    printf("%s: %d iterations, residual %.1e of the first; p = %.3f at the source, %.4f on the far "
           "side\n",
           what, stats.cycles, stats.residual_last / stats.residual_first,
           (double)p[N / 2 * N + 20], (double)p[N / 2 * N + 55]);
    return 0;
}

/* Close the faces across x at one i, but for a gap in the middle. */
static int put_wall(foehn_poisson *problem)
{
    static uint8_t open[N * (N + 1)]; /* [ny][nx + 1] */
    memset(open, 255, sizeof open);
    for (int j = 0; j < N; j++)
        if (j < (N - GAP) / 2 || j >= (N + GAP) / 2)
            open[j * (N + 1) + WALL] = 0;
    return check(foehn_poisson_write_open(problem, 0, open));
}

int main(void)
{
    static float rhs[N * N];
    foehn_context *ctx;
    foehn_poisson *problem = NULL;
    foehn_status opened = foehn_context_create(NULL, &ctx);
    if (check(opened))
        return opened == FOEHN_ERROR_DEVICE ? NO_DEVICE : EXIT_FAILURE;

    foehn_poisson_params params = foehn_poisson_params_default(); /* 2-D: nz = 1 */
    params.nx = params.ny = N;
    for (int side = 0; side < 4; side++)
        params.edges[side] = FOEHN_POISSON_DIRICHLET;
    rhs[N / 2 * N + 20] = -1;
    int failed = check(foehn_poisson_create(ctx, &params, &problem)) ||
                 check(foehn_poisson_write_rhs(problem, rhs)) || solve(problem, "no wall") ||
                 put_wall(problem) || solve(problem, "a wall with a gap"); /* starts warm */

    foehn_poisson_destroy(problem);
    foehn_context_destroy(ctx);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

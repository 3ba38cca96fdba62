/* SPDX-License-Identifier: MIT */
/* One wind over the ranks of an MPI run:
 *
 *   cc wind_mpi.c -o wind_mpi $(pkg-config --cflags --libs foehn mpi-c) && mpirun -n 4 ./wind_mpi
 *
 * The library knows no MPI: it is handed one function, exchange() below. */
#include <foehn/foehn.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != FOEHN_OK) {                                                                  \
            fprintf(stderr, "%s: %s\n", #call, foehn_last_error());                                \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

/* All messages at once; at most one a rank each way, so a tag tells nothing. */
static int exchange(void *data, size_t count, const foehn_message *messages)
{
    MPI_Request requests[512];
    int posted = 0;
    (void)data;
    for (size_t i = 0; i < count; i++) {
        const foehn_message *m = &messages[i];
        if (m->in_bytes > 0)
            MPI_Irecv(m->in, (int)m->in_bytes, MPI_BYTE, m->part, 0, MPI_COMM_WORLD,
                      &requests[posted++]);
        if (m->out_bytes > 0)
            MPI_Isend(m->out, (int)m->out_bytes, MPI_BYTE, m->part, 0, MPI_COMM_WORLD,
                      &requests[posted++]);
    }
    return MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    foehn_transport transport = foehn_transport_default();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &transport.part);
    MPI_Comm_size(MPI_COMM_WORLD, &transport.parts);
    transport.exchange = exchange;

    foehn_context *ctx;
    if (foehn_context_create(NULL, &ctx) == FOEHN_ERROR_DEVICE) {
        fprintf(stderr, "skipped: %s\n", foehn_last_error());
        MPI_Finalize();
        return 77;
    }
    foehn_domain *domain;
    foehn_wind *wind;
    CHECK(foehn_domain_create(&transport, &domain));
    foehn_wind_params params = foehn_wind_params_default();
    params.nx = params.nz = 48; /* of the whole box */
    params.domain = domain;
    CHECK(foehn_wind_create(ctx, &params, &wind));
    for (int n = 0; n < 20; n++)
        CHECK(foehn_wind_step(wind, 0.1f));

    /* Points are told to all ranks, whole fields to rank 0. */
    const double at[3] = {0, 10, 0};
    float here[4];
    CHECK(foehn_wind_read_points(wind, 0, 1, at, here));
    float *u = transport.part == 0 ? malloc(48 * 16 * 48 * sizeof *u) : NULL;
    CHECK(foehn_wind_read(wind, FOEHN_WIND_U, u));

    foehn_domain_block block;
    CHECK(foehn_wind_get_block(wind, transport.part, &block));
    printf("rank %d of %d keeps %d x %d columns from (%d, %d)\n", transport.part, transport.parts,
           block.nx, block.nz, block.x, block.z);
    if (u)
        printf("%.3f m/s at 10 m in the middle, %.3f in the first cell\n", (double)here[0],
               (double)u[0]);
    free(u);
    foehn_wind_destroy(wind);
    foehn_domain_destroy(domain);
    foehn_context_destroy(ctx);
    MPI_Finalize();
    return 0;
}

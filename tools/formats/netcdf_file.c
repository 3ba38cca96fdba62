/* SPDX-License-Identifier: MIT */
/* What NetCDF files have in common. */
#include "config.h"

#include "tool.h"

#ifdef HAVE_NETCDF

#include "formats/netcdf_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void netcdf_check(netcdf_file *n, int error)
{
    if (n->error == NC_NOERR)
        n->error = error;
}

int netcdf_status(const netcdf_file *n)
{
    if (n->error == NC_NOERR)
        return STATUS_OK;
    return fail(STATUS_FAILED, "%s: cannot be written: %s: is the disk full?", n->path,
                nc_strerror(n->error));
}

int netcdf_close(netcdf_file *n, bool keep)
{
    int status = STATUS_OK;
    if (n->id >= 0 && n->error == NC_NOERR && keep) {
        netcdf_check(n, nc_close(n->id));
        status = netcdf_status(n);
    } else if (n->id >= 0 && n->error == NC_NOERR)
        nc_abort(n->id);
    if (n->error !=
        NC_NOERR) /* nc_abort() would look at what HDF5 has half let go, and fall over it */
        leave_unclosed();
    return status;
}

void netcdf_put_text(netcdf_file *n, int variable, const char *name, const char *text)
{
    netcdf_check(n, nc_put_att_text(n->id, variable, name, strlen(text), text));
}

int netcdf_define(netcdf_file *n, const char *name, nc_type type, int count, const int *dims,
                  const char *standard_name, const char *long_name, const char *units)
{
    int variable = -1;
    netcdf_check(n, nc_def_var(n->id, name, type, count, dims, &variable));
    if (standard_name)
        netcdf_put_text(n, variable, "standard_name", standard_name);
    if (long_name)
        netcdf_put_text(n, variable, "long_name", long_name);
    if (units)
        netcdf_put_text(n, variable, "units", units);
    return variable;
}

void netcdf_put_history(netcdf_file *n, const char *command)
{
    char date[32] = "", history[1200];
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    long long seconds = epoch ? strtoll(epoch, &end, 10) : 0;
    time_t when = (time_t)seconds;
    struct tm utc;
    if (epoch && *epoch && !*end && gmtime_r(&when, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ ", &utc);
    snprintf(history, sizeof history, "%s%s (foehn %s)", date, command, foehn_version());
    netcdf_put_text(n, NC_GLOBAL, "history", history);
}

#endif

/* SPDX-License-Identifier: MIT */
/* What NetCDF files have in common: errors, texts, variables, what made them. */
#ifndef NETCDF_FILE_H
#define NETCDF_FILE_H

#include "tool.h"

#include <netcdf.h>

typedef struct netcdf_file {
    const char *path; /* for messages */
    int id;           /* -1: not open */
    int error;        /* the first one; later calls do nothing */
} netcdf_file;

/* Remember the first failure, so that a long list of definitions reads as a list. */
void netcdf_check(netcdf_file *n, int error);
int netcdf_status(const netcdf_file *n);
/* Close what was opened; keep: it is to stay, if nothing failed. */
int netcdf_close(netcdf_file *n, bool keep);

void netcdf_put_text(netcdf_file *n, int variable, const char *name, const char *text);
/* Texts may be NULL.  Returns the variable. */
int netcdf_define(netcdf_file *n, const char *name, nc_type type, int count, const int *dims,
                  const char *standard_name, const char *long_name, const char *units);

/* What made the file.  A date only where the environment gives one: equal runs, equal bytes. */
void netcdf_put_history(netcdf_file *n, const char *command);

#endif

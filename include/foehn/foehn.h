/* SPDX-License-Identifier: MIT */
/** libfoehn: wind, fire and a flow lab on any OpenCL device.  This header is the table of contents.
 */
#ifndef FOEHN_FOEHN_H
#define FOEHN_FOEHN_H

/* Ground rules: status, errors, devices, context. */
#include <foehn/base.h>

/* Shared with kernels: the log profile, gradient noise. */
#include <foehn/noise.h>
#include <foehn/profile.h>

/* Systems. */
#include <foehn/wind.h>
#include <foehn/site.h>
#include <foehn/fire.h>
#include <foehn/firebrands.h>
#include <foehn/flow.h>

/* The solver that they share. */
#include <foehn/poisson.h>

/* One box kept by several devices or hosts. */
#include <foehn/domain.h>

/* What they publish. */
#include <foehn/volume.h>

#endif

/* SPDX-License-Identifier: MIT */
/* OpenCL C's words for plain C, so that headers of kernels/ compile here.  Include it last but for
 * those headers. */
#ifndef FOEHN_EMULATE_H
#define FOEHN_EMULATE_H

#include <math.h>
#include <stdbool.h>

#define global

#endif

/* SPDX-License-Identifier: MIT */
/* Attributes of HDF5 objects. */
#ifndef ATTRIBUTE_H
#define ATTRIBUTE_H

#include <hdf5.h>
#include <stdbool.h>

/* count 0: a scalar. */
bool attribute_put(hid_t object, const char *name, hid_t stored, hid_t given, hsize_t count,
                   const void *values);
/* Text as long as it is, in ASCII. */
bool attribute_put_text(hid_t object, const char *name, const char *text);

#endif

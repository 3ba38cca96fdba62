/* SPDX-License-Identifier: MIT */
/* Published volumes as files of half floats, with a JSON file beside them. */
#ifndef RAW_H
#define RAW_H

#include "json.h"
#include "tool.h"

/* Write a volume's halves, little-endian, under a temporary name; messages call it `path`. */
int raw_write_halves(foehn_volume *volume, const char *temporary, const char *path);

/* Voxels, place, step and time, as members of the object that is open. */
void raw_describe(json *j, const foehn_volume_info *info);

#endif

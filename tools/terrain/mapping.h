/* SPDX-License-Identifier: MIT */
/* Projections in the words of CF-1.8. */
#ifndef MAPPING_H
#define MAPPING_H

#include "terrain/place.h"

#include <ogr_srs_api.h>

/* Fill in the attributes of a place's grid mapping. */
void mapping_add(place *p, OGRSpatialReferenceH srs);
/* A point of the system's own datum, degrees from its meridian; false where the system has none. */
bool mapping_project(OGRSpatialReferenceH srs, double latitude, double longitude, double *x,
                     double *y);

#endif

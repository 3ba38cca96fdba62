# SPDX-License-Identifier: MIT
EXTRA_DIST += %D%/tables.awk
foehn_SOURCES += \
  %D%/classes.c \
  %D%/classes.h \
  %D%/content.c \
  %D%/gaps.c \
  %D%/mapping.c \
  %D%/mapping.h \
  %D%/netcdf_plane.c \
  %D%/netcdf_plane.h \
  %D%/place.c \
  %D%/place.h \
  %D%/raster.c \
  %D%/raster.h \
  %D%/roughness.c \
  %D%/roughness.h \
  %D%/share.c \
  %D%/terrain.c \
  %D%/terrain.h \
  %D%/unit.c \
  %D%/voids.c

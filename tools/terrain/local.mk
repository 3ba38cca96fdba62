# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/gaps.c \
  %D%/place.c \
  %D%/place.h \
  %D%/raster.c \
  %D%/raster.h \
  %D%/terrain.c \
  %D%/terrain.h \
  %D%/unit.c \
  %D%/voids.c

# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/cover.c \
  %D%/input.c \
  %D%/input.h \
  %D%/mean.c \
  %D%/momentum.c \
  %D%/out_asc.c \
  %D%/out_csv.c \
  %D%/out_geotiff.c \
  %D%/out_gpkg.c \
  %D%/out_netcdf.c \
  %D%/out_png.c \
  %D%/out_raw.c \
  %D%/out_vtkhdf.c \
  %D%/output.c \
  %D%/output.h \
  %D%/reader.c \
  %D%/run.c \
  %D%/site.c \
  %D%/state.c \
  %D%/steady.c \
  %D%/wind.c \
  %D%/wind.h

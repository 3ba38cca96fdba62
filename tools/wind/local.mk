# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/cover.c \
  %D%/fit.c \
  %D%/fit.h \
  %D%/inlet.c \
  %D%/inlet.h \
  %D%/input.c \
  %D%/input.h \
  %D%/map.c \
  %D%/mean.c \
  %D%/moment.c \
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
  %D%/probe.c \
  %D%/quantity.c \
  %D%/quantity.h \
  %D%/reader.c \
  %D%/run.c \
  %D%/site.c \
  %D%/start.c \
  %D%/state.c \
  %D%/stations.c \
  %D%/stations.h \
  %D%/steady.c \
  %D%/weather.c \
  %D%/weather.h \
  %D%/wind.c \
  %D%/wind.h

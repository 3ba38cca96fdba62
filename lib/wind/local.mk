# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/averages.c \
  %D%/box.c \
  %D%/canopy.c \
  %D%/checkpoint.c \
  %D%/collocated.c \
  %D%/collocated.h \
  %D%/drive.c \
  %D%/faces.c \
  %D%/faces.h \
  %D%/fields.c \
  %D%/fields.h \
  %D%/forcing.c \
  %D%/ground.c \
  %D%/ground.h \
  %D%/gusts.c \
  %D%/gusts.h \
  %D%/mean.c \
  %D%/model.h \
  %D%/models.c \
  %D%/momentum.c \
  %D%/momentum.h \
  %D%/momentum_read.c \
  %D%/params.c \
  %D%/parts.c \
  %D%/points.c \
  %D%/publish.c \
  %D%/read.c \
  %D%/rest.c \
  %D%/rest.h \
  %D%/settle.c \
  %D%/sides.c \
  %D%/state.h \
  %D%/stats.c \
  %D%/vary.c \
  %D%/wind.c

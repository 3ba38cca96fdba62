# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/blocks.c \
  %D%/box.c \
  %D%/checkpoint.c \
  %D%/collide.c \
  %D%/combustion.c \
  %D%/daylight.c \
  %D%/emit.c \
  %D%/fire.c \
  %D%/firebrands.c \
  %D%/fuels.c \
  %D%/light.c \
  %D%/mesh.c \
  %D%/params.c \
  %D%/picture.c \
  %D%/pose.c \
  %D%/read.c \
  %D%/state.h \
  %D%/step.c \
  %D%/upload.c \
  %D%/wind.c

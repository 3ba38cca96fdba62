# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/checkpoint.c \
  %D%/faces.c \
  %D%/ground.c \
  %D%/gusts.c \
  %D%/params.c \
  %D%/read.c \
  %D%/solve.c \
  %D%/state.h \
  %D%/wind.c

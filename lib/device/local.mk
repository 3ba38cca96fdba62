# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/context.c \
  %D%/device.c \
  %D%/error.c \
  %D%/gl_sharing.c \
  %D%/grid.c \
  %D%/internal.h \
  %D%/params.c \
  %D%/program.c \
  %D%/together.c \
  %D%/tuning.h

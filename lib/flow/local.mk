# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/checkpoint.c \
  %D%/flow.c \
  %D%/obstacle.c \
  %D%/outline.c \
  %D%/push.c \
  %D%/read.c \
  %D%/state.h \
  %D%/step.c \
  %D%/surface.c

# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/contours.c \
  %D%/drawing.c \
  %D%/drawing.h \
  %D%/map.c \
  %D%/map.h \
  %D%/page.c \
  %D%/page.h \
  %D%/separated.c \
  %D%/streamlines.c

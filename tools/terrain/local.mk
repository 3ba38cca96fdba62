# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/gaps.c \
  %D%/place.c \
  %D%/place.h \
  %D%/terrain.c \
  %D%/terrain.h

# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/sides.h

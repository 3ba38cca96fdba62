# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/cut.c \
  %D%/cut.h \
  %D%/domain.c \
  %D%/domain.h \
  %D%/halo.c \
  %D%/halo.h \
  %D%/local.c \
  %D%/mail.c \
  %D%/mail.h \
  %D%/sides.h \
  %D%/whole.c \
  %D%/whole.h

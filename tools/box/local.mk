# SPDX-License-Identifier: MIT
# Boxes of turbulence.  What makes them is a library, which tests use, too: loops of arithmetic that compilers
# turn into vectors where neither errno nor traps matter, and whose bits do not depend on the processor.
foehn_SOURCES += \
  %D%/box.h \
  %D%/command.c \
  %D%/command.h
if HAVE_FFTW
foehn_SOURCES += \
  %D%/out_bts.c \
  %D%/out_hawc2.c \
  %D%/out_netcdf.c \
  %D%/out_png.c \
  %D%/out_wnd.c \
  %D%/output.c \
  %D%/settle.c \
  %D%/site.c \
  %D%/tables.c
noinst_LTLIBRARIES += libbox.la
libbox_la_CPPFLAGS = $(foehn_CPPFLAGS)
libbox_la_CFLAGS = $(FOEHN_CFLAGS) $(FFTW_CFLAGS) -fno-math-errno -fno-trapping-math -ffp-contract=off
libbox_la_LIBADD = $(FFTW_LIBS)
libbox_la_SOURCES = \
  %D%/constrain.c \
  %D%/kaimal.c \
  %D%/kaimal.h \
  %D%/lanes.h \
  %D%/large.h \
  %D%/mann.c \
  %D%/mann.h \
  %D%/parallel.c \
  %D%/parallel.h \
  %D%/spectrum.c \
  %D%/tensor.c \
  %D%/tensor.h
box_libs = libbox.la
foehn_LDADD += $(box_libs)
endif

# SPDX-License-Identifier: MIT
# The command; it knows the library by its public headers alone.
bin_PROGRAMS = foehn
foehn_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/tools
foehn_CFLAGS = $(FOEHN_CFLAGS) $(OPENCL_CFLAGS) $(GDAL_CFLAGS) $(NETCDF_CFLAGS) $(HDF5_CFLAGS) \
  $(CAIRO_CFLAGS) $(MPI_CFLAGS) $(YAML_CFLAGS) $(PNG_CFLAGS) $(OPENEXR_CFLAGS) $(SDL2_CFLAGS)
foehn_LDADD = libfoehn.la $(GDAL_LIBS) $(NETCDF_LIBS) $(HDF5_LIBS) $(CAIRO_LIBS) $(MPI_LIBS) $(YAML_LIBS) \
  $(PNG_LIBS) $(OPENEXR_LIBS) $(vdb_libs) $(SDL2_LIBS)
nodist_foehn_SOURCES =
foehn_SOURCES = \
  %D%/config_file.c \
  %D%/config_file.h \
  %D%/devices.c \
  %D%/file.c \
  %D%/file.h \
  %D%/guard.c \
  %D%/guard.h \
  %D%/json.c \
  %D%/json.h \
  %D%/main.c \
  %D%/options.c \
  %D%/options.h \
  %D%/output_clock.c \
  %D%/output_clock.h \
  %D%/progress.c \
  %D%/progress.h \
  %D%/ranks.c \
  %D%/ranks.h \
  %D%/stats.c \
  %D%/stats.h \
  %D%/stop.c \
  %D%/stop.h \
  %D%/target.c \
  %D%/target.h \
  %D%/tool.c \
  %D%/tool.h

if HAVE_MPI
foehn_SOURCES += %D%/mpi.c
endif

include %D%/formats/local.mk
include %D%/terrain/local.mk
include %D%/map/local.mk
include %D%/wind/local.mk
include %D%/flow/local.mk
include %D%/fire/local.mk
include %D%/view/local.mk
include %D%/bench/local.mk
include %D%/box/local.mk

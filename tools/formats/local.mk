# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/attribute.h \
  %D%/bts.h \
  %D%/builtin.h \
  %D%/bytes.h \
  %D%/csv.c \
  %D%/csv.h \
  %D%/exr.h \
  %D%/memory_file.c \
  %D%/memory_file.h \
  %D%/netcdf_file.c \
  %D%/netcdf_file.h \
  %D%/png_file.h \
  %D%/raw.h \
  %D%/schema.h \
  %D%/state.h \
  %D%/vdb.h \
  %D%/vtkhdf.h \
  %D%/attribute.c \
  %D%/bts.c \
  %D%/bytes.c \
  %D%/raw.c \
  %D%/state.c \
  %D%/vtkhdf.c
if HAVE_YAML
foehn_SOURCES += \
  %D%/builtin.c \
  %D%/png_file.c \
  %D%/schema.c
endif
if HAVE_OPENEXR
foehn_SOURCES += %D%/exr.c
endif
EXTRA_DIST += %D%/scenes.awk
# The one file of C++; a library of its own, so that the command is linked as C.
if HAVE_OPENVDB
noinst_LTLIBRARIES += libvdb.la
libvdb_la_SOURCES = %D%/vdb.cc %D%/vdb.h
libvdb_la_CPPFLAGS = $(foehn_CPPFLAGS)
libvdb_la_CXXFLAGS = $(FOEHN_CXXFLAGS)
vdb_libs = libvdb.la $(OPENVDB_LIBS)
endif

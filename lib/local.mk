# SPDX-License-Identifier: MIT
# The library: rooms, each knowing only those above it in this list.
lib_LTLIBRARIES = libfoehn.la
# Everything, visible to tests; the library proper adds only what it exports.
noinst_LTLIBRARIES += libfoehn-all.la
libfoehn_all_la_SOURCES =
nodist_libfoehn_all_la_SOURCES = $(kernel_sources:.cl=.cl.c)
libfoehn_all_la_LIBADD = $(OPENCL_LIBS)
libfoehn_la_SOURCES =
libfoehn_la_LIBADD = libfoehn-all.la
libfoehn_la_LDFLAGS = -version-info $(FOEHN_LIBTOOL_VERSION) -no-undefined

include %D%/device/local.mk
include %D%/domain/local.mk
include %D%/pressure/local.mk
include %D%/publish/local.mk
include %D%/wind/local.mk
include %D%/flow/local.mk
include %D%/fire/local.mk

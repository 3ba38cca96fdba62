# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/bench.c \
  %D%/bench.h \
  %D%/domain.c \
  %D%/fire.c \
  %D%/flow.c \
  %D%/momentum.c \
  %D%/pressure.c \
  %D%/start.c \
  %D%/table.c \
  %D%/timing.c \
  %D%/wind.c

# What publishing costs: a program of its own, which draws.
EXTRA_PROGRAMS += bench/publish
bench_publish_SOURCES = %D%/publish.c examples/offscreen.c examples/offscreen.h
bench_publish_CFLAGS = $(FOEHN_CFLAGS) $(EGL_CFLAGS) $(CAIRO_CFLAGS)
bench_publish_LDADD = libfoehn.la $(EGL_LIBS) $(VULKAN_LIBS) $(CAIRO_LIBS)
if HAVE_VULKAN
bench_publish_SOURCES += examples/compute.c examples/compute.h
endif
CLEANFILES += bench/publish
bench-publish: bench/publish
	bench/publish
.PHONY: bench-publish

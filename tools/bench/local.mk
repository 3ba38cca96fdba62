# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/bench.c \
  %D%/bench.h \
  %D%/domain.c \
  %D%/fire.c \
  %D%/flow.c \
  %D%/les.c \
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

# This library's multigrid beside hypre's, where configure was told --with-hypre.
EXTRA_DIST += %D%/pfmg.c
if HAVE_HYPRE
EXTRA_PROGRAMS += bench/pfmg
bench_pfmg_SOURCES = %D%/pfmg.c
bench_pfmg_CFLAGS = $(FOEHN_CFLAGS) $(HYPRE_CFLAGS) $(MPI_CFLAGS)
bench_pfmg_LDADD = libfoehn.la $(HYPRE_LIBS) $(MPI_LIBS) -lm
CLEANFILES += bench/pfmg
endif

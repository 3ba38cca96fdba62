# SPDX-License-Identifier: MIT
# Built and run by make check.
EXTRA_DIST += %D%/data %D%/shaders.awk
examplesdir = $(docdir)/examples
dist_examples_DATA = \
  %D%/compute.c \
  %D%/compute.h \
  %D%/hill.c \
  %D%/hill.h \
  %D%/offscreen.c \
  %D%/offscreen.h \
  %D%/poisson.c \
  %D%/wind_gl.c \
  %D%/wind_gl_legacy.c \
  %D%/wind_host.c \
  %D%/wind_mpi.c \
  %D%/wind_lee.c \
  %D%/wind_site.c \
  %D%/wind_vulkan.c \
  %D%/wind_vulkan.comp \
  %D%/wind_vulkan.comp.h
example_programs = \
  %D%/poisson \
  %D%/wind_host \
  %D%/wind_lee \
  %D%/wind_site
examples_poisson_LDADD = libfoehn.la
examples_wind_host_LDADD = libfoehn.la
examples_wind_lee_LDADD = libfoehn.la -lm
examples_wind_site_LDADD = libfoehn.la -lm
hill_sources = \
  %D%/hill.c \
  %D%/hill.h \
  %D%/offscreen.c \
  %D%/offscreen.h
drawing_cflags = $(FOEHN_CFLAGS) $(EGL_CFLAGS) $(CAIRO_CFLAGS)
if HAVE_EGL
example_programs += \
  %D%/wind_gl \
  %D%/wind_gl_legacy
examples_wind_gl_SOURCES = %D%/wind_gl.c $(hill_sources)
examples_wind_gl_CFLAGS = $(drawing_cflags)
examples_wind_gl_LDADD = libfoehn.la $(EGL_LIBS) $(CAIRO_LIBS)
examples_wind_gl_legacy_SOURCES = %D%/wind_gl_legacy.c $(hill_sources)
examples_wind_gl_legacy_CFLAGS = $(drawing_cflags)
examples_wind_gl_legacy_LDADD = libfoehn.la $(EGL_LIBS) $(CAIRO_LIBS)
endif
if HAVE_VULKAN
example_programs += %D%/wind_vulkan
examples_wind_vulkan_SOURCES = \
  %D%/compute.c \
  %D%/compute.h \
  %D%/wind_vulkan.c \
  %D%/wind_vulkan.comp.h \
  $(hill_sources)
examples_wind_vulkan_CFLAGS = $(drawing_cflags)
examples_wind_vulkan_LDADD = libfoehn.la $(VULKAN_LIBS) $(EGL_LIBS) $(CAIRO_LIBS)
endif
if HAVE_MPI
check_PROGRAMS += %D%/wind_mpi
examples_wind_mpi_CFLAGS = $(FOEHN_CFLAGS) $(MPI_CFLAGS)
examples_wind_mpi_LDADD = libfoehn.la $(MPI_LIBS)
endif
check_PROGRAMS += $(example_programs)
TESTS += $(example_programs)
CLEANFILES += wind_gl.png wind_gl_legacy.png wind_vulkan.png

# SPIR-V is kept beside its shaders, so that building needs no compiler of them; this makes it anew.
shaders += %D%/wind_vulkan.comp
EXTRA_DIST += $(shaders) $(shaders:.comp=.comp.h)
shaders:
	cd $(srcdir) && for s in $(shaders); do \
	  glslangValidator -V --target-env vulkan1.1 -o $$s.spv $$s && od -An -v -tx4 $$s.spv | \
	  $(AWK) -v name=`basename $$s .comp`_comp -v source=$$s -v sum=`cksum < $$s | cut -d' ' -f1` \
	  -f examples/shaders.awk > $$s.h.tmp && mv $$s.h.tmp $$s.h && rm $$s.spv || exit 1; done
.PHONY: shaders

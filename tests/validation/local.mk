# SPDX-License-Identifier: MIT
# Against exact solutions and measurements, some minutes; doc/validation.md tells what comes out.
validation_programs = \
  %D%/hard_ground \
  %D%/hills \
  %D%/poisson \
  %D%/resources \
  %D%/ridge
EXTRA_PROGRAMS += $(validation_programs) %D%/cavity %D%/les %D%/plume
CLEANFILES += $(validation_programs) %D%/cavity %D%/les %D%/plume
tests_validation_plume_LDADD = libfoehn.la
tests_validation_cavity_LDADD = libfoehn.la
tests_validation_hard_ground_SOURCES = %D%/hard_ground.c %D%/validation.h
tests_validation_hard_ground_LDADD = libfoehn.la
tests_validation_hills_SOURCES = %D%/hills.c %D%/validation.h
tests_validation_hills_LDADD = libfoehn.la
tests_validation_les_SOURCES = %D%/les.c %D%/validation.h
tests_validation_les_LDADD = libfoehn.la
tests_validation_poisson_SOURCES = %D%/poisson.c %D%/validation.h
tests_validation_poisson_LDADD = libfoehn.la
tests_validation_ridge_SOURCES = %D%/ridge.c %D%/validation.h
tests_validation_ridge_LDADD = libfoehn.la
EXTRA_DIST += \
  %D%/askervein.awk \
  %D%/askervein.sh \
  %D%/blender.py \
  %D%/blender.sh \
  %D%/bolund.awk \
  %D%/bolund.sh \
  %D%/butte.sh \
  %D%/cavity.awk \
  %D%/convergence.awk \
  %D%/data \
  %D%/eddies.sh \
  %D%/fire.sh \
  %D%/flow.sh \
  %D%/means.awk \
  %D%/plot.awk \
  %D%/validate.sh \
  %D%/wild.sh
check-validation: check-validation-wind check-validation-box
# Turbulence boxes: a minute; doc/box.md.
if HAVE_FFTW
EXTRA_PROGRAMS += %D%/box
CLEANFILES += %D%/box
tests_validation_box_SOURCES = \
  %D%/box.c \
  %D%/validation.h \
  tools/file.c \
  tools/stop.c \
  tools/target.c \
  tools/tool.c
tests_validation_box_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
tests_validation_box_CFLAGS = $(AM_CFLAGS) $(FFTW_CFLAGS)
tests_validation_box_LDADD = libbox.la libfoehn.la
check-validation-box: tests/validation/box
	tests/validation/box
else
check-validation-box:
	@echo 'check-validation-box is left out: install libfftw3-dev'
endif
check-validation-wind: foehn $(validation_programs)
	$(AM_TESTS_ENVIRONMENT) AWK='$(AWK)' $(srcdir)/tests/validation/validate.sh || \
	  test $$? -eq 77
# The flow lab alone: an hour on two cores, minutes on a GPU; doc/validation-flow.md.
check-validation-flow: foehn tests/validation/cavity
	$(AM_TESTS_ENVIRONMENT) AWK='$(AWK)' $(srcdir)/tests/validation/flow.sh
# Pool fires: a minute on a GPU, very long without one; doc/validation-fire.md.
check-validation-fire: tests/validation/plume
	$(AM_TESTS_ENVIRONMENT) AWK='$(AWK)' $(srcdir)/tests/validation/fire.sh
# OpenVDB of a campfire in Blender's module bpy, where a Python has it: a minute; doc/fire-gallery.md.
check-blender: foehn
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/validation/blender.sh || test $$? -eq 77
# A neutral half channel and Askervein by the LES: minutes on a GPU, very long without one; doc/validation.md.
# Both run, whatever the first one misses.
check-validation-les: foehn tests/validation/les
	status=0; ($(AM_TESTS_ENVIRONMENT) tests/validation/les) || status=1; \
	($(AM_TESTS_ENVIRONMENT) AWK='$(AWK)' $(srcdir)/tests/validation/eddies.sh) || status=1; \
	exit $$status
.PHONY: check-blender check-validation check-validation-les check-validation-box check-validation-fire check-validation-flow check-validation-wind

# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_alike \
  %D%/test_canopy \
  %D%/test_eddies \
  %D%/test_faces \
  %D%/test_kernels \
  %D%/test_ladder \
  %D%/test_march \
  %D%/test_les \
  %D%/test_momentum \
  %D%/test_settle \
  %D%/test_roughness \
  %D%/test_site \
  %D%/test_stability \
  %D%/test_wind
tests_wind_test_alike_SOURCES = %D%/test_alike.c
tests_wind_test_alike_LDADD = tests/libtesting.la
tests_wind_test_canopy_SOURCES = %D%/test_canopy.c
tests_wind_test_canopy_LDADD = tests/libtesting.la
tests_wind_test_eddies_SOURCES = \
  %D%/reference_les.c \
  %D%/reference_les.h \
  %D%/reference_columns.c \
  %D%/reference_columns.h \
  %D%/reference_momentum.c \
  %D%/reference_momentum.h \
  %D%/test_eddies.c
tests_wind_test_eddies_LDADD = tests/libtesting.la
tests_wind_test_faces_SOURCES = \
  %D%/bed.c \
  %D%/bed.h \
  %D%/faces_forcing.c \
  %D%/faces_ground.c \
  %D%/faces_momentum.c \
  %D%/faces_projection.c \
  %D%/faces_step.c \
  %D%/faces_transport.c \
  %D%/reference_faces.c \
  %D%/reference_faces.h
tests_wind_test_faces_LDADD = tests/libtesting.la
tests_wind_test_kernels_SOURCES = \
  %D%/cells.c \
  %D%/cells.h \
  %D%/cells_ground.c \
  %D%/cells_rest.c \
  %D%/cells_step.c \
  %D%/reference.c \
  %D%/reference.h
tests_wind_test_kernels_LDADD = tests/libtesting.la
tests_wind_test_ladder_SOURCES = %D%/test_ladder.c
tests_wind_test_ladder_LDADD = tests/libtesting.la
tests_wind_test_march_SOURCES = \
  %D%/reference_columns.c \
  %D%/reference_columns.h \
  %D%/reference_momentum.c \
  %D%/reference_momentum.h \
  %D%/test_march.c
tests_wind_test_march_LDADD = tests/libtesting.la
tests_wind_test_les_SOURCES = %D%/test_les.c
tests_wind_test_les_LDADD = tests/libtesting.la
tests_wind_test_momentum_SOURCES = %D%/test_momentum.c
tests_wind_test_momentum_LDADD = tests/libtesting.la
tests_wind_test_settle_SOURCES = %D%/test_settle.c
tests_wind_test_settle_LDADD = tests/libtesting.la
tests_wind_test_roughness_SOURCES = %D%/test_roughness.c
tests_wind_test_roughness_LDADD = tests/libtesting.la
tests_wind_test_site_SOURCES = %D%/test_site.c
tests_wind_test_site_LDADD = tests/libtesting.la
tests_wind_test_stability_SOURCES = %D%/test_stability.c
tests_wind_test_stability_LDADD = tests/libtesting.la
tests_wind_test_wind_SOURCES = \
  %D%/reference.c \
  %D%/reference.h \
  %D%/wind_checkpoint.c \
  %D%/wind_checks.c \
  %D%/wind_collocated.c \
  %D%/wind_params.c \
  %D%/wind_read.c \
  %D%/wind_steps.c \
  %D%/winds.c \
  %D%/winds.h
tests_wind_test_wind_LDADD = tests/libtesting.la
endif

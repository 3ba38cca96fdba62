# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_pressure \
  %D%/test_pressure_kernels
tests_pressure_test_pressure_SOURCES = \
  %D%/pressure_convergence.c \
  %D%/pressure_operator.c \
  %D%/problem.c \
  %D%/problem.h \
  %D%/test_pressure.c
tests_pressure_test_pressure_LDADD = tests/libtesting.la
tests_pressure_test_pressure_kernels_LDADD = tests/libtesting.la
endif

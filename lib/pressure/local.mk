# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/conjugate_gradients.c \
  %D%/create.c \
  %D%/cycle.c \
  %D%/openness.c \
  %D%/parts.c \
  %D%/plan.c \
  %D%/poisson.c \
  %D%/pressure.h \
  %D%/solve.c \
  %D%/solver.h \
  %D%/sums.c

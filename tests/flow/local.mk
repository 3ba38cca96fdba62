# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_flow \
  %D%/test_flow_checkpoint \
  %D%/test_flow_kernels
tests_flow_test_flow_SOURCES = \
  %D%/flow_calls.c \
  %D%/flow_exact.c \
  %D%/flow_pairs.c \
  %D%/flow_rules.c \
  %D%/flows.c \
  %D%/flows.h
tests_flow_test_flow_LDADD = tests/libtesting.la
tests_flow_test_flow_checkpoint_LDADD = tests/libtesting.la
tests_flow_test_flow_kernels_LDADD = tests/libtesting.la
endif

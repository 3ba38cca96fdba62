# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_flow \
  %D%/test_flow_checkpoint \
  %D%/test_flow_kernels
tests_flow_test_flow_LDADD = tests/libtesting.la
tests_flow_test_flow_checkpoint_LDADD = tests/libtesting.la
tests_flow_test_flow_kernels_LDADD = tests/libtesting.la
endif

# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_flow \
  %D%/test_flow_checkpoint
tests_flow_test_flow_LDADD = tests/libtesting.la
tests_flow_test_flow_checkpoint_LDADD = tests/libtesting.la
endif

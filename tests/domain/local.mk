# SPDX-License-Identifier: MIT
if HAVE_CHECK
test_programs += \
  %D%/test_domain \
  %D%/test_parts
tests_domain_test_domain_SOURCES = %D%/test_domain.c
tests_domain_test_domain_LDADD = tests/libtesting.la
tests_domain_test_parts_SOURCES = \
  %D%/parts.c \
  %D%/parts.h \
  %D%/test_parts.c
tests_domain_test_parts_LDADD = tests/libtesting.la
endif

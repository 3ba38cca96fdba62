# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += %D%/test_python.sh
EXTRA_DIST += %D%/test_foehn.py
if HAVE_PYTHON
TESTS += %D%/test_python.sh
endif

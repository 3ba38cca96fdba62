# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/correct.h \
  %D%/lanes.h \
  %D%/trace.h

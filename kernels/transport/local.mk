# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/lanes.h \
  %D%/trace.h

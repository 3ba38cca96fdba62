# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/trace.h

# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/structs.h
kernel_sources += \
  %D%/halo.cl

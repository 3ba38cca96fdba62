# SPDX-License-Identifier: MIT
kernel_sources += \
  %D%/copy.cl

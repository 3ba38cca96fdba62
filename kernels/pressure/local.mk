# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/four.h \
  %D%/operators.h \
  %D%/small.cl \
  %D%/split.h \
  %D%/structs.h
kernel_sources += \
  %D%/levels.cl \
  %D%/transfer.cl \
  %D%/wide.cl

# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/measure.cl \
  %D%/sixteen.h \
  %D%/structs.h \
  %D%/trace.h
kernel_sources += \
  %D%/flow.cl \
  %D%/sixteen.cl

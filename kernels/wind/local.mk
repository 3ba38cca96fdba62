# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/force.h \
  %D%/ground.h \
  %D%/structs.h
kernel_sources += \
  %D%/collocated.cl \
  %D%/faces.cl \
  %D%/ground.cl \
  %D%/potential.cl \
  %D%/read.cl \
  %D%/rows.cl \
  %D%/wide_faces.cl

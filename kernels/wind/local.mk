# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/columns.h \
  %D%/force.h \
  %D%/ground.cl \
  %D%/ground.h \
  %D%/law.h \
  %D%/les.h \
  %D%/les_ring.h \
  %D%/momentum.h \
  %D%/structs.h \
  %D%/surface_layer.h
kernel_sources += \
  %D%/collocated.cl \
  %D%/faces.cl \
  %D%/les.cl \
  %D%/les_eddies.cl \
  %D%/les_noise.cl \
  %D%/les_read.cl \
  %D%/les_sides.cl \
  %D%/momentum.cl \
  %D%/momentum_ground.cl \
  %D%/potential.cl \
  %D%/read.cl \
  %D%/rows.cl \
  %D%/tridiagonal.cl \
  %D%/turbulence.cl \
  %D%/vary.cl \
  %D%/wide_faces.cl

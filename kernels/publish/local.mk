# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/voxel.h

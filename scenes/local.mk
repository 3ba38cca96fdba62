# SPDX-License-Identifier: MIT
# Built-in scenes.
include %D%/flow/local.mk
include %D%/fire/local.mk

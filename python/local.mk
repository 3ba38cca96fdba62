# SPDX-License-Identifier: MIT
# The Python package: pip install ./python once the library is installed.
EXTRA_DIST += \
  %D%/examples/hill.py \
  %D%/foehn/__init__.py \
  %D%/foehn/_context.py \
  %D%/foehn/_dataset.py \
  %D%/foehn/_declarations.py \
  %D%/foehn/_fire.py \
  %D%/foehn/_flow.py \
  %D%/foehn/_library.py \
  %D%/foehn/_picture.py \
  %D%/foehn/_progress.py \
  %D%/foehn/_version.py \
  %D%/foehn/_wind.py \
  %D%/pyproject.toml

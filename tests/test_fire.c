/* SPDX-License-Identifier: MIT */
#include "testing.h"
int main(void){TCase *tests = testing_begin("fire", TESTING_NEEDS_DEVICE);(void)tests;return testing_end();}

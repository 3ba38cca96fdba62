/* SPDX-License-Identifier: MIT */
/* Kaimal's spectra and the coherence of IEC 61400-1. */
#ifndef BOX_KAIMAL_H
#define BOX_KAIMAL_H

#include "box/box.h"

/* One-sided spectrum of u, v or w (0, 1, 2) at a frequency in Hz, m^2/s. */
double kaimal_spectrum(const kaimal_params *p, int component, double f);

/* Of two points a distance in m apart, 0 to 1; the root of the coherence of other books. */
double kaimal_coherence(const kaimal_params *p, double f, double distance);

#endif

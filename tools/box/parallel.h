/* SPDX-License-Identifier: MIT */
/* Work that falls into parts, on all processors. */
#ifndef PARALLEL_H
#define PARALLEL_H

/* Call work(data, part, thread) for each part from 0 to count - 1; thread is less than
 * parallel_threads(). */
void parallel_for(int count, void (*work)(void *data, int part, int thread), void *data);
int parallel_threads(void);

#endif

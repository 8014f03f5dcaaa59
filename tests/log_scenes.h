/* SPDX-License-Identifier: MIT */
/* Small event logs that tests draw and sum up.  Each function adds events to a begun fixture. */
#ifndef TESTS_LOG_SCENES_H
#define TESTS_LOG_SCENES_H

#include "tests/log_fixture.h"

/* Adds a program like the recorded compute client: two submissions on channel 2 of a GPU with four
 * SMs.  It has an upload, a grid of 30 blocks, a draw, a copy, a grid of 7 blocks, fences and a
 * wait by rule.  The program computes for milliseconds in between. */
void log_scene_compute(struct log_fixture *fixture);
/* Adds events of an AMD GPU of two shader engines with three and two CUs.  Queue 1024 in slot ACE
 * 0.2 has a dispatch of 4 blocks.  The last block waits for room, is saved, and goes on when the
 * queue is in slot ACE 1.3.  Then comes a barrier packet.  Queue 1025 in ACE 1.2 has no work.
 * Queue 1280 has a copy on SDMA engine 1.  The HIQ is in MEC2 0.0. */
void log_scene_amd(struct log_fixture *fixture);
/* Adds six kernels on two SMs, in the manner of Amert et al. 2017, figure 3. */
void log_scene_paper(struct log_fixture *fixture);
/* Adds `block_count` short blocks on one SM, four at a time. */
void log_scene_many_blocks(struct log_fixture *fixture, uint32_t block_count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Names for the parts of a GPU in a log's pictures and lists, in the words of its own vendor.
 *
 * NVIDIA: blocks run on SMs, which are numbered in one row.  Channels hold the work, and copy
 * engines (CE) copy.
 *
 * AMD: blocks run on compute units (CU), which belong to shader engines (SE).  "CU 1.3" is the
 * fourth CU of the second SE; the log's head has the number of CUs of each SE ("engine_cus": "15 15
 * 15 15").  HSA queues hold the work, each known by its doorbell ("queue 1026").  A queue can run
 * while it occupies one of the hardware's slots (HQD).  "ACE 0.2" is queue 2 of pipe 0 of MEC1,
 * whose pipes are the paper's ACEs.  "MEC2 0.0" is a slot of the second micro engine, which the
 * firmware keeps for itself.  SDMA engines copy.
 *
 * Logs of older versions, whose heads have no engine_cus, number their CUs in one row.
 */
#ifndef GFE_EMU_LOG_GPU_WORDS_H
#define GFE_EMU_LOG_GPU_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/log/event_log.h"

enum {
    GPU_WORDS_ENGINES_MAX = 32,
    GPU_WORDS_BYTES = 28, /* size of a name */
    /* queues of a pipe and of a micro engine: parts of a slot's number */
    GPU_WORDS_PIPE_QUEUES = 8,
    GPU_WORDS_MEC_QUEUES = 32,
    GPU_WORDS_RUNLISTS = 64, /* numbers from here on are second runqueues */
};

struct gpu_words {
    bool is_amd;
    uint32_t engine_count; /* shader engines; 0 if the log does not have them */
    uint32_t first_cu[GPU_WORDS_ENGINES_MAX + 1];
    const char *sm, *sms;     /* "SM" and "SMs", or "CU" and "CUs" */
    const char *grid, *grids; /* "grid", or "dispatch" */
    const char *channel, *channels;
    const char *copier; /* "CE" or "SDMA" */
};

/* Fills the words from the log's head. */
void gpu_words_init(struct gpu_words *words, const struct event_log_reader *log);
/* Finds the shader engine of an SM or CU, and its number there.  Returns false if it belongs to
 * none. */
bool gpu_words_engine(const struct gpu_words *words, uint32_t sm_index, uint32_t *engine,
                      uint32_t *index);
/* Write "SM 5" or "CU 1.3"; "5" or "1.3" alone; "ACE 0.2".  Return `to`. */
const char *gpu_words_sm(const struct gpu_words *words, uint32_t sm_index,
                         char to[GPU_WORDS_BYTES]);
const char *gpu_words_sm_number(const struct gpu_words *words, uint32_t sm_index,
                                char to[GPU_WORDS_BYTES]);
const char *gpu_words_slot(uint64_t slot_id, char to[GPU_WORDS_BYTES]);
/* Writes "runlist 0", or "runlist 0.1" for its second runqueue (NV_TSG_START).  Returns `to`. */
const char *gpu_words_runlist(uint64_t runlist_id, char to[GPU_WORDS_BYTES]);

#endif

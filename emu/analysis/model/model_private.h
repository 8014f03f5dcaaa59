/* SPDX-License-Identifier: MIT */
/* The parts of the model of a log.  Private to emu/analysis/model. */
#ifndef GFE_EMU_ANALYSIS_MODEL_MODEL_PRIVATE_H
#define GFE_EMU_ANALYSIS_MODEL_MODEL_PRIVATE_H

#include "emu/analysis/model/model.h"

/* Keeps what the record says, and hands it to the listener with the records that come of it.
 * Returns false if the listener did, or when memory is short. */
bool model_fold(struct model *model, struct model_record *record);
/* The same for a block that comes to its SM, and for one that leaves it. */
bool model_fold_block_comes(struct model *model, struct model_record *record);
bool model_fold_block_leaves(struct model *model, struct model_record *record);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef GFE_TESTS_KFD_MQD_READ_H
#define GFE_TESTS_KFD_MQD_READ_H

#include "firmware-models/kfd/kfd_mqd.h"

/* Reads the state of a queue from its MQD, as debugfs shows it.  save_bytes is 0 without CWSR.
 * Returns false, and writes nothing, if `mqd` is not the MQD of a gfx9 compute queue. */
bool kfd_mqd_read(const uint32_t mqd[AMD_MQD_DWORDS], struct kfd_mqd_queue *queue);

#endif

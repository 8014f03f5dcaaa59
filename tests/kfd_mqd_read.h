/* SPDX-License-Identifier: MIT */
#ifndef GFE_TESTS_KFD_MQD_READ_H
#define GFE_TESTS_KFD_MQD_READ_H

#include "firmware-models/kfd/kfd_mqd.h"

/* What an MQD says of its queue, as debugfs shows it.  save_bytes is 0 without CWSR.  False: it is
 * no MQD of a gfx9 compute queue, and nothing was written. */
bool kfd_mqd_read(const uint32_t mqd[AMD_MQD_DWORDS], struct kfd_mqd_queue *queue);

#endif

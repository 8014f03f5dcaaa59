/* SPDX-License-Identifier: MIT */
/*
 * Marks around the structs that hold a machine's state.
 *
 * Such a struct lies in the arena and is compared and hashed byte by byte.  So it must have no
 * implicit padding; between these marks the compiler rejects padding.
 */
#ifndef GFE_EMU_BASE_STATE_H
#define GFE_EMU_BASE_STATE_H

#define GFE_STATE_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wpadded\"")
#define GFE_STATE_END   _Pragma("GCC diagnostic pop")

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Traces from bare pushbuffers and GP entries (gfe import raw): a text with the GPU that they are
 * for, the contents of its memory, and the submissions.
 *
 * A line is a statement, blanks separate words, # begins a comment.  Numbers are decimal, or
 * hexadecimal after 0x; sizes may end in k, M, G.
 *
 *     gfe-raw 1                     the first statement: version of this form
 *     gpu NAME                      gfe's name of the GPU (needed), as gfe gpus lists them
 *     chipset N                     the chip's number as nouveau has it (needed): 0x166 is TU106
 *     pci N                         vendor << 16 | device (default 0x10de0000)
 *     vram SIZE                     video memory (default 6G)
 *     driver NAME                   the driver that made the stream (default nouveau)
 *     completions hardware|stand-in the writer of the values of `expect` (default hardware)
 *
 *     memory VA SIZE [vram|sysmem]  a memory object of whole pages, mapped there (default vram)
 *     words VA                      dwords in hexadecimal on the lines that follow, up to
 *     end                           this; they are stored from VA on
 *     file VA PATH [FROM [SIZE]]    bytes of a file are stored there; PATH is relative to the
 *                                   text's folder, and the file lies in it, or below
 *
 *     channel N [CLASS]             a channel, with the class of its Host methods
 *     bind N SUBCHANNEL CLASS       before the channel's next submission a SET_OBJECT binds the
 *                                   class
 *     push VA SIZE [noprefetch]     an entry of the next submission: a pushbuffer segment
 *     ib WORD WORD                  the same as a GP entry's two dwords, hexadecimal
 *     submit N                      submits the entries so far to channel N
 *     wait N                        the program waits for channel N
 *     expect N VA VALUE             the final value of a semaphore of channel N
 *     time NS                       the time of the statements that follow
 *     mark TEXT                     a note
 *
 * `words` and `file` store into memory that `memory` has mapped.  SET_OBJECT is put into a memory
 * object of the importer's own, at IMPORT_RAW_VA, and submitted by itself, because a captured
 * pushbuffer often relies on earlier bindings.  GP entries that a submission through the kernel
 * cannot express (privileged, conditional, subroutines, control entries) are refused.
 */
#ifndef GFE_TRACES_IMPORT_IMPORT_RAW_H
#define GFE_TRACES_IMPORT_IMPORT_RAW_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/error.h"

/* The address of the importer's own memory object: near the end of a 40-bit address space. */
#define IMPORT_RAW_VA UINT64_C(0xfffff00000)

/* Reads a text and writes a trace to `fd`.  `name` is the text's path, for messages and for the
 * paths in it.  Returns false with a message that names the line on error. */
bool import_raw(FILE *file, const char *name, int fd, const char *output_name,
                struct gfe_error *error);

#endif

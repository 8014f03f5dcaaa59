/* SPDX-License-Identifier: MIT */
/*
 * Imports a .nvt recording of the nouveau kernel interface: pushbuf, as Mesa's GL driver uses it,
 * or VM_BIND and EXEC, as NVK does.
 *
 * Such a file is a row of little-endian records {u32 'NVTR', u32 type, u64 t_ns, u64 length,
 * payload}; the types are listed in import_nvt.c.  It becomes a trace of layer UAPI with one
 * client, one thread and one address space:
 *
 *     BO_NEW, BO_CLOSE   AS_MAP, AS_UNMAP (the aperture from the domain)
 *     CHAN, OBJ          CHANNEL, OBJECT; objects of the device (no class) are left out
 *     PAGES              MEM
 *     SUBMIT             SUBMIT: buffer indices become handles
 *     VMBIND             AS_CREATE and VM_INIT of a client, or VM_BIND; buffers then lie in
 *                        TRACE_AS_OBJECTS
 *     EXEC               EXEC
 *     GPUWRITE           GPU_WRITE, never replayed; bytes that PAGES repeats from one are left out
 *                        of MEM
 *
 * PUSHDATA holds nothing new: it is checked against the memory that PAGES gave.  Completion values
 * are the recorder's, so the trace says TRACE_COMPLETIONS_STAND_IN.  Not imported:
 * submissions with relocations.  The file lacks the synchronisation objects of an EXEC or VM_BIND,
 * and the program's waits.  A MARK says how many there were, and in the replay nothing waits for
 * them.
 */
#ifndef GFE_TRACES_IMPORT_IMPORT_NVT_H
#define GFE_TRACES_IMPORT_IMPORT_NVT_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/error.h"

/* Reads `file`, called `name` in messages, and writes a whole trace to `fd`, called `output_name`.
 * Returns false with a message on error. */
bool import_nvt(FILE *file, const char *name, int fd, const char *output_name,
                struct gfe_error *error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The stand-in's driver in this process, without preloading: ioctls as a client makes them, and the
 * resulting records as text (traces/format/trace_dump.h).  Uses Check.
 */
#ifndef TESTS_CHECK_RECORD_H
#define TESTS_CHECK_RECORD_H

#include <sys/ioctl.h>

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/nouveau/record_uapi.h"

#define CHECK_RECORD_DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

/* Begins a stand-in for a gtx1060.  Only one may exist at a time. */
void check_record_begin(void);
void check_record_free(void);
/* Sets the client of the following calls. */
void check_record_client(uint32_t client_id);
int check_record_call(unsigned long request, void *argument);
/* Calls check_record_call() with the request of a type: RECORD_CALL(VM_INIT, vm_init, &init). */
#define RECORD_CALL(nr, type, argument)                                                            \
    check_record_call(CHECK_RECORD_DRM(UAPI_##nr, struct uapi_##type), (argument))
/* Returns the file descriptor of the node's memory. */
int check_record_fd(void);
/* Makes an object.  Sets *bytes to the object's CPU mapping, unless `bytes` is NULL. */
struct uapi_gem_info check_record_bo(uint32_t domain, uint64_t bytes_count, uint8_t **bytes);
/* Lets the client manage its addresses from now on, except for the upper half. */
void check_record_vm(void);
/* Makes a channel and returns its number, or a negative errno. */
int check_record_channel(void);
/* Binds `bytes` of an object, from `offset` on, at `va`. */
int check_record_bind(uint32_t handle, uint64_t va, uint64_t offset, uint64_t bytes);
/* Return the driver, and a caller one nanosecond later than the last.  They serve tests of the code
 * above a real driver. */
struct record_nouveau *check_record_nouveau(void);
struct record_caller check_record_caller(void);
/* Ends the trace and returns the text of all its records, one a line. */
const char *check_record_end(void);
/* Returns the number of lines of that text that contain `words`. */
unsigned check_record_count(const char *words);

#endif

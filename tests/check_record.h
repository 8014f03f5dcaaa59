/* SPDX-License-Identifier: MIT */
/*
 * The stand-in's driver in this process, without preloading: ioctls as a client would make them,
 * and the records that follow, as text (traces/format/trace_dump.h).  Uses Check.
 */
#ifndef TESTS_CHECK_RECORD_H
#define TESTS_CHECK_RECORD_H

#include <sys/ioctl.h>

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/nouveau/record_uapi.h"

#define CHECK_RECORD_DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(type))

/* A stand-in for a gtx1060; one at a time. */
void check_record_begin(void);
void check_record_free(void);
/* Of the calls that follow. */
void check_record_client(uint32_t client_id);
int check_record_call(unsigned long request, void *argument);
/* check_record_call() with the request of a type: RECORD_CALL(VM_INIT, vm_init, &init). */
#define RECORD_CALL(nr, type, argument)                                                            \
    check_record_call(CHECK_RECORD_DRM(UAPI_##nr, struct uapi_##type), (argument))
/* The memory of the node. */
int check_record_fd(void);
/* An object; its mapping by the CPU is *bytes (unless NULL). */
struct uapi_gem_info check_record_bo(uint32_t domain, uint64_t bytes_count, uint8_t **bytes);
/* The client manages its addresses from now on, but for the upper half. */
void check_record_vm(void);
/* A channel's number, or a negative errno. */
int check_record_channel(void);
/* Binds an object there as a whole. */
int check_record_bind(uint32_t handle, uint64_t va, uint64_t offset, uint64_t bytes);
/* The driver, and a caller that is a nanosecond later than the last, for what is above a real
 * driver. */
struct record_nouveau *check_record_nouveau(void);
struct record_caller check_record_caller(void);
/* Ends the trace: all its records, one a line. */
const char *check_record_end(void);
/* How many lines of that text hold `words`. */
unsigned check_record_count(const char *words);

#endif

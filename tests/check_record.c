/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_record.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/format/trace_dump.h"

enum { CLIENTS_MAX = 8 };

static struct {
    struct record_memory *memory;
    struct record_out out;
    struct record_nouveau *nouveau;
    int trace_fd;
    uint64_t now_ns;
    uint32_t client_id;
    int fds[CLIENTS_MAX]; /* of the clients; 0: has not opened the node */
    char *text;
    size_t text_bytes;
} state;

static struct record_caller caller_next(void)
{
    return (struct record_caller){.thread_id = 1, .now_ns = ++state.now_ns};
}

void check_record_begin(void)
{
    struct trace_record meta = {0};
    struct gfe_error error = {0};
    struct record_caller caller;

    memset(&state, 0, sizeof state);
    state.client_id = 1;
    caller = caller_next();
    state.memory = record_memory_new(&error);
    ck_assert_msg(state.memory != NULL, "%s", error.text);
    state.trace_fd = memfd_create("trace", 0);
    ck_assert_int_ge(state.trace_fd, 0);
    state.out = (struct record_out){.process_id = 1,
                                    .writer = trace_writer_new(state.trace_fd, "t", &error)};
    ck_assert_ptr_nonnull(state.out.writer);
    meta.meta.format = TRACE_FORMAT;
    meta.meta.driver = meta.meta.gpu = meta.meta.recorder = record_out_str("");
    meta.meta.host = meta.meta.program = record_out_str("");
    record_out_put(&state.out, &caller, TRACE_META, &meta);
    state.nouveau =
        record_nouveau_new(record_board_find("gtx1060"), state.memory, &state.out, NULL, NULL);
    ck_assert_ptr_nonnull(state.nouveau);
}

void check_record_free(void)
{
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (state.fds[i] > 0)
            close(state.fds[i]);
    record_nouveau_free(state.nouveau);
    record_memory_free(state.memory);
    trace_writer_free(state.out.writer);
    close(state.trace_fd);
    free(state.text);
    memset(&state, 0, sizeof state);
}

void check_record_client(uint32_t client_id)
{
    state.client_id = client_id;
}

int check_record_call(unsigned long request, void *argument)
{
    const struct record_caller caller = caller_next();
    int *fd = &state.fds[state.client_id];

    if (*fd == 0)
        *fd = record_nouveau_open(state.nouveau, &caller, O_CLOEXEC);
    ck_assert_int_gt(*fd, 0);
    return record_nouveau_ioctl(state.nouveau, &caller, *fd, request, (uintptr_t)argument);
}

struct record_nouveau *check_record_nouveau(void)
{
    return state.nouveau;
}

struct record_caller check_record_caller(void)
{
    return caller_next();
}

int check_record_fd(void)
{
    return record_memory_fd(state.memory);
}

struct uapi_gem_info check_record_bo(uint32_t domain, uint64_t bytes_count, uint8_t **bytes)
{
    struct uapi_gem_new new = {.info = {.domain = domain, .size = bytes_count}};

    ck_assert_int_eq(RECORD_CALL(GEM_NEW, gem_new, &new), 0);
    if (bytes) {
        *bytes = mmap(NULL, new.info.size, PROT_READ | PROT_WRITE, MAP_SHARED, check_record_fd(),
                      (off_t) new.info.map_handle);
        ck_assert_ptr_ne(*bytes, MAP_FAILED);
    }
    return new.info;
}

void check_record_vm(void)
{
    struct uapi_vm_init init = {1ull << 39, 1ull << 39};

    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), 0);
}

int check_record_channel(void)
{
    struct uapi_channel_alloc alloc = {0};
    const int result = RECORD_CALL(CHANNEL_ALLOC, channel_alloc, &alloc);

    return result == 0 ? alloc.channel : result;
}

int check_record_bind(uint32_t handle, uint64_t va, uint64_t offset, uint64_t bytes)
{
    struct uapi_vm_bind_op op = {.handle = handle, .addr = va, .bo_offset = offset, .range = bytes};
    struct uapi_vm_bind bind = {.op_count = 1, .op_ptr = (uintptr_t)&op};

    return RECORD_CALL(VM_BIND, vm_bind, &bind);
}

const char *check_record_end(void)
{
    const struct record_caller caller = caller_next();
    struct trace_record record = {0};
    struct gfe_error error = {0};
    struct trace_reader *reader;
    char path[64];
    FILE *file;

    record.end.record_count = trace_writer_record_count(state.out.writer);
    record_out_put(&state.out, &caller, TRACE_END, &record);
    ck_assert(!state.out.failed && trace_writer_finish(state.out.writer, &error));
    snprintf(path, sizeof path, "/proc/self/fd/%d", state.trace_fd);
    reader = trace_reader_open(path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    file = open_memstream(&state.text, &state.text_bytes);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        trace_dump(file, &record);
    fclose(file);
    ck_assert_msg(!error.text[0], "%s", error.text);
    trace_reader_free(reader);
    return state.text;
}

unsigned check_record_count(const char *words)
{
    unsigned count = 0;

    for (const char *at = state.text; (at = strstr(at, words)) != NULL; count++) {
        at = strchr(at, '\n');
        ck_assert_ptr_nonnull(at);
    }
    return count;
}

/* SPDX-License-Identifier: MIT */
/*
 * The part of a trace that one process writes.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/record_preload.h"
#include "traces/record/record_process_state.h"

static void meta_of_board(const struct record_board *board, struct trace_meta *meta)
{
    meta->driver = record_out_str(RECORD_NOUVEAU_DRIVER);
    meta->gpu = record_out_str(board->gpu);
    meta->chipset = board->chipset;
    meta->pci_id = (uint32_t)board->pci_vendor << 16 | board->pci_device;
    meta->vram_bytes = (uint64_t)board->vram_mib << 20;
    meta->completions = TRACE_COMPLETIONS_STAND_IN;
}

static void meta_of_kfd(const struct record_kfd_board *board, struct trace_meta *meta)
{
    meta->driver = record_out_str(RECORD_KFD_DRIVER);
    meta->gpu = record_out_str(board->gpu);
    meta->chipset = board->gfx_version;
    meta->pci_id = 0x1002u << 16 | board->pci_device;
    meta->vram_bytes = (uint64_t)board->vram_mib << 20;
    meta->completions = TRACE_COMPLETIONS_STAND_IN;
}

static void meta_of_kfd_device(const struct record_kfd_device *device, struct trace_meta *meta)
{
    meta->driver = record_out_str(device->driver);
    meta->gpu = record_out_str(device->gpus[0].gpu);
    meta->chipset = device->gpus[0].gfx_version;
    meta->pci_id = 0x1002u << 16 | device->gpus[0].pci_device;
    meta->vram_bytes = (uint64_t)device->gpus[0].vram_mib << 20;
    meta->completions = TRACE_COMPLETIONS_HARDWARE;
}

static void meta_of_device(const struct record_pass_device *device, struct trace_meta *meta)
{
    meta->driver = record_out_str(device->driver);
    meta->gpu = record_out_str(device->gpu);
    meta->chipset = device->chipset;
    meta->pci_id = device->pci_vendor << 16 | device->pci_device;
    meta->vram_bytes = device->vram_bytes;
    meta->completions = TRACE_COMPLETIONS_HARDWARE;
}

static bool write_meta(const struct record_caller *caller)
{
    struct record_process_state *state = record_process_state();
    struct trace_record record = {0};
    const char *command = getenv(RECORD_ENV_COMMAND); /* with --keep-command-line */
    struct utsname host;
    char text[sizeof host.sysname + sizeof host.release + sizeof host.machine + 2] = "";
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (uname(&host) == 0)
        snprintf(text, sizeof text, "%s %s %s", host.sysname, host.release, host.machine);
    record.meta.format = TRACE_FORMAT;
    if (state->passing && state->kfd_board_count > 0)
        meta_of_kfd_device(&state->shared->kfd_device, &record.meta);
    else if (state->passing)
        meta_of_device(&state->shared->device, &record.meta);
    else if (state->kfd_board_count > 0)
        meta_of_kfd(state->kfd_boards[0], &record.meta);
    else
        meta_of_board(state->board, &record.meta);
    record.meta.recorder = record_out_str(PACKAGE_STRING);
    record.meta.host = record_out_str(text);
    record.meta.program = record_out_str(command ? command : program_invocation_short_name);
    record.meta.epoch_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    record_out_put(&state->out, caller, TRACE_META, &record);
    record_out_flush(&state->out); /* a part is a trace from its first moment */
    return !state->out.failed;
}

/* Makes this process's part of the trace, under another name until META is in it. */
static bool part_make(struct gfe_error *error)
{
    struct record_process_state *state = record_process_state();
    char name[RECORD_PART_NAME_BYTES], path[PATH_MAX];
    struct record_caller caller;
    int fd;

    if (state->shared->part_count == 0)
        state->shared->start_ns = record_process_clock_ns();
    caller = record_process_caller();
    snprintf(name, sizeof name, RECORD_PART_FORMAT, (unsigned)state->shared->part_count++);
    record_process_path(state->part_path, name);
    record_process_path(path, RECORD_NAME_NEW);
    (void)unlink(path); /* the process that made it is dead, because we have the lock */
    fd = record_process_real()->openat(AT_FDCWD, path,
                                       O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (!record_own_fd_take(&state->part, fd))
        return error_set_errno(error, errno, "%s", path);
    state->out.writer = trace_writer_new(state->part.fd, name, error);
    if (!state->out.writer)
        return false;
    trace_writer_window(state->out.writer, TRACE_PART_WINDOW_BYTES);
    if (!write_meta(&caller)) {
        *error = state->out.error;
        return false;
    }
    return rename(path, state->part_path) == 0 ||
           error_set_errno(error, errno, "%s", state->part_path);
}

bool record_process_part_ready(struct gfe_error *error)
{
    struct record_process_state *state = record_process_state();
    if (state->shared->over)
        state->out.failed = true;
    if (state->out.failed)
        return true;
    if (!state->out.writer)
        return part_make(error);
    if (record_own_fd_good(&state->part))
        return true;
    if (!record_own_fd_take(&state->part,
                            record_process_real()->openat(AT_FDCWD, state->part_path,
                                                          O_WRONLY | O_APPEND | O_CLOEXEC)))
        return error_set_errno(error, errno, "%s", state->part_path);
    trace_writer_set_fd(state->out.writer, state->part.fd);
    return true;
}

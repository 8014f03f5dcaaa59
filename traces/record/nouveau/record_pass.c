/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/record_user.h"

enum { MAPPINGS_BYTES = RECORD_MEMORY_BUFFERS_MAX * sizeof(struct pass_mapping) };

/* ---- coming and going ------------------------------------------------------------------------ */

/* What is known of a board that has a real driver: its figures, and those of the stand-in's board
 * of the same chip. */
static struct record_board board_of(const struct record_pass_device *device)
{
    const struct record_board *known = record_board_of_chipset(device->chipset);
    struct record_board board = known ? *known : (struct record_board){.copy_class = 0xa0b5};

    board.gpu = device->gpu;
    board.chipset = device->chipset;
    board.pci_vendor = (uint16_t)device->pci_vendor;
    board.pci_device = (uint16_t)device->pci_device;
    board.vram_mib = (uint32_t)(device->vram_bytes >> 20);
    return board;
}

bool record_pass_begin(struct record_nouveau *nouveau, const struct record_pass_device *device,
                       const struct record_pass_next *next)
{
    struct record_pass *pass = calloc(1, sizeof *pass);
    void *at;

    if (!pass)
        return false;
    at = mmap(NULL, MAPPINGS_BYTES, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED || madvise(at, MAPPINGS_BYTES, MADV_WIPEONFORK) != 0) {
        free(pass);
        return false;
    }
    pass->mappings = at;
    pass->next = *next;
    pass->device = device;
    pass->board = board_of(device);
    pass->nonce = (uint32_t)(nouveau->table->nonce >> 32 ^ nouveau->table->nonce);
    nouveau->board = &pass->board;
    nouveau->pass = pass;
    return true;
}

void record_pass_forked(struct record_nouveau *nouveau)
{
    nouveau->pass->pending_count = nouveau->pass->mapped_count = 0;
}

void record_pass_free(struct record_pass *pass)
{
    if (!pass)
        return;
    for (uint32_t i = 0; i < pass->mapped_count; i++) {
        const struct pass_mapping *mapping = &pass->mappings[pass->mapped[i]];

        if (mapping->at)
            munmap(mapping->at, mapping->bytes);
    }
    munmap(pass->mappings, MAPPINGS_BYTES);
    free(pass->mapped);
    free(pass);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Which part records a call. */
static const struct pass_row {
    unsigned nr;
    enum { OBJECT, SUBMIT, SYNC } part;
} pass_rows[] = {
    {UAPI_GEM_CLOSE, OBJECT},
    {UAPI_GEM_FLINK, OBJECT},
    {UAPI_GEM_OPEN, OBJECT},
    {UAPI_PRIME_HANDLE_TO_FD, OBJECT},
    {UAPI_PRIME_FD_TO_HANDLE, OBJECT},
    {UAPI_CHANNEL_ALLOC, OBJECT},
    {UAPI_CHANNEL_FREE, OBJECT},
    {UAPI_GROBJ_ALLOC, OBJECT},
    {UAPI_NVIF, OBJECT},
    {UAPI_GEM_NEW, OBJECT},
    {UAPI_GEM_INFO, OBJECT},
    {UAPI_VM_INIT, SUBMIT},
    {UAPI_VM_BIND, SUBMIT},
    {UAPI_EXEC, SUBMIT},
    {UAPI_GEM_PUSHBUF, SUBMIT},
    {UAPI_GEM_CPU_PREP, SUBMIT},
    {UAPI_SYNCOBJ_CREATE, SYNC},
    {UAPI_SYNCOBJ_DESTROY, SYNC},
    {UAPI_SYNCOBJ_HANDLE_TO_FD, SYNC},
    {UAPI_SYNCOBJ_FD_TO_HANDLE, SYNC},
    {UAPI_SYNCOBJ_WAIT, SYNC},
    {UAPI_SYNCOBJ_RESET, SYNC},
    {UAPI_SYNCOBJ_SIGNAL, SYNC},
    {UAPI_SYNCOBJ_TIMELINE_WAIT, SYNC},
    {UAPI_SYNCOBJ_QUERY, SYNC},
    {UAPI_SYNCOBJ_TRANSFER, SYNC},
    {UAPI_SYNCOBJ_TIMELINE_SIGNAL, SYNC},
};

static const struct pass_row *row_find(unsigned long request)
{
    for (size_t i = 0; i < sizeof pass_rows / sizeof pass_rows[0]; i++)
        if (_IOC_TYPE(request) == UAPI_DRM_TYPE && pass_rows[i].nr == _IOC_NR(request))
            return &pass_rows[i];
    return NULL;
}

bool record_pass_is_ordered(unsigned long request)
{
    return _IOC_TYPE(request) == UAPI_DRM_TYPE &&
           (_IOC_NR(request) == UAPI_GEM_PUSHBUF || _IOC_NR(request) == UAPI_EXEC);
}

pthread_mutex_t *record_pass_order(struct record_nouveau *nouveau,
                                   const struct record_caller *caller, int fd)
{
    nouveau->pass->fd = fd;
    return record_nouveau_file_enter(nouveau, caller, fd) ? &nouveau->file->order : NULL;
}

/* The argument as it is now, zeros behind it. */
static bool argument_read(struct record_pass_call *call)
{
    const size_t bytes = _IOC_SIZE(call->request);

    memset(call->words, 0, sizeof call->words);
    return record_user_read(call->words, call->argument,
                            bytes < sizeof call->words ? bytes : sizeof call->words);
}

void record_pass_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                        struct record_pass_call *call)
{
    const struct pass_row *row = row_find(call->request);

    nouveau->pass->fd = call->fd;
    call->begin_ns = caller->now_ns;
    if (!record_nouveau_file_enter(nouveau, caller, call->fd) || !row || !argument_read(call))
        return;
    call->file = nouveau->file->serial;
    call->is_looked_at = true;
    if (row->part == OBJECT)
        record_pass_object_before(nouveau, caller, call);
    else if (row->part == SUBMIT)
        record_pass_submit_before(nouveau, caller, call);
    else
        record_pass_sync_before(nouveau, caller, call);
}

void record_pass_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_pass_call *call, int result)
{
    const struct pass_row *row = row_find(call->request);

    /* Not by the descriptor: that may be another's by now. */
    nouveau->pass->fd = call->fd;
    nouveau->file = record_nouveau_file_find(nouveau, call->file);
    if (call->is_looked_at && nouveau->file && row) {
        if (row->part == SUBMIT)
            record_pass_submit_after(nouveau, caller, call, result);
        else if (row->part == SYNC)
            record_pass_sync_after(nouveau, caller, call, result);
        else if (result >= 0 && argument_read(call))
            record_pass_object_after(nouveau, caller, call);
    }
    record_pass_submit_free(call);
}

/* ---- mmap ------------------------------------------------------------------------------------ */

void record_pass_mapped(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                        bool is_node, uint64_t offset, uint64_t bytes)
{
    const uint8_t *at;
    struct record_nouveau_bo *bo;

    nouveau->pass->fd = fd;
    if (is_node && !record_nouveau_file_enter(nouveau, caller, fd))
        return;
    bo = is_node ? record_pass_object_at(nouveau, offset)
                 : record_pass_object_of_dmabuf(nouveau, fd);
    if (!bo || bo->is_mapped || bytes == 0)
        return;
    at = record_pass_memory_at(nouveau, caller, bo, fd, is_node ? bo->map_handle : 0);
    if (!at)
        return;
    record_pass_memory_take(nouveau, bo, at);
    bo->is_mapped = 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * What belongs to one open(2) of the node: which descriptors are of it, whether any still is, its
 * handles, and its end.
 *
 * All descriptors of the node are of one file in memory, but each open(2) makes a file description
 * of its own, and that is what dup(2), fork(2) and SCM_RIGHTS share, as they do of a real node. Two
 * things hang on a description.  Its offset, which nothing else uses, says which struct
 * nouveau_file it is; reads behind the end of the file do not move it and writes there are refused
 * by a seal.  And a lock on one byte (F_OFD_SETLK) goes when the last descriptor is closed, however
 * the processes that had it end: so it tells that the file is still open.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/nouveau/record_pass_state.h"

/* Far behind the end of the memory. */
#define MARK_OFFSET ((off_t)1 << 62)
#define LOCK_OFFSET ((off_t)1 << 61)

enum { PATH_BYTES = 40 };

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Returns the serial that a descriptor of the node carries, or 0 if it was not marked. */
static uint32_t mark_read(const struct record_nouveau *nouveau, int fd)
{
    const off_t offset = nouveau->pass ? 0 : lseek(fd, 0, SEEK_CUR);

    if (nouveau->pass)
        return record_pass_mark_read(nouveau->pass, fd, RECORD_PASS_FILE);
    return offset > MARK_OFFSET && offset - MARK_OFFSET <= (off_t)UINT32_MAX
               ? (uint32_t)(offset - MARK_OFFSET)
               : 0;
}

static struct flock lock_of(uint32_t serial, short type)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_OFFSET + (off_t)serial, .l_len = 1};
}

static bool mark_write(const struct record_nouveau *nouveau, int fd, uint32_t serial)
{
    struct flock lock = lock_of(serial, F_RDLCK);
    const off_t mark = MARK_OFFSET + (off_t)serial;

    if (nouveau->pass)
        return record_pass_mark_write(nouveau->pass, fd, RECORD_PASS_FILE, serial);
    return lseek(fd, mark, SEEK_SET) == mark && fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/* True while a descriptor of the file is open in any process. */
static bool file_is_open(const struct record_nouveau *nouveau,
                         const struct record_nouveau_file *file)
{
    struct flock lock = lock_of(file->serial, F_WRLCK);

    if (nouveau->pass) /* no lock is in the way of the one who has it */
        return file == nouveau->file || record_pass_file_is_open(nouveau->pass, file->serial);
    return fcntl(record_memory_fd(nouveau->memory), F_OFD_GETLK, &lock) != 0 ||
           lock.l_type != F_UNLCK;
}

struct record_nouveau_file *record_nouveau_file_find(const struct record_nouveau *nouveau,
                                                     uint32_t serial)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILES_MAX && serial != 0; i++)
        if (nouveau->table->files[i].serial == serial)
            return &nouveau->table->files[i];
    return NULL;
}

/* A place for a new file, or NULL. */
static struct record_nouveau_file *file_place(struct record_nouveau *nouveau)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILES_MAX; i++)
        if (nouveau->table->files[i].serial == 0)
            return &nouveau->table->files[i];
    return NULL;
}

/* A new file for a description of the node that has none; NULL when there is no room. */
static struct record_nouveau_file *file_new(struct record_nouveau *nouveau,
                                            const struct record_caller *caller, int fd)
{
    struct record_nouveau_file *file;

    record_nouveau_reap(nouveau, caller);
    file = file_place(nouveau);
    if (!file || !mark_write(nouveau, fd, nouveau->table->file_count + 1))
        return NULL;
    memset(file, 0, sizeof *file);
    record_pass_order_init(&file->order);
    file->process_id = caller->process_id ? caller->process_id : nouveau->out->process_id;
    file->thread_id = caller->thread_id;
    file->free_hint = 1;
    file->serial = ++nouveau->table->file_count;
    return file;
}

int record_nouveau_open(struct record_nouveau *nouveau, const struct record_caller *caller,
                        int flags)
{
    char path[PATH_BYTES];
    int fd;

    snprintf(path, sizeof path, "/proc/self/fd/%d", record_memory_fd(nouveau->memory));
    fd = openat(AT_FDCWD, path, O_RDWR | (flags & O_CLOEXEC));
    if (fd < 0)
        return errno == EMFILE || errno == ENFILE ? -errno : -ENODEV;
    if (file_new(nouveau, caller, fd))
        return fd;
    close(fd);
    return -ENFILE;
}

bool record_nouveau_file_enter(struct record_nouveau *nouveau, const struct record_caller *caller,
                               int fd)
{
    nouveau->file = record_nouveau_file_find(nouveau, mark_read(nouveau, fd));
    /* A descriptor that somebody made by opening /proc/.../fd/N. */
    if (!nouveau->file)
        nouveau->file = file_new(nouveau, caller, fd);
    if (!nouveau->file)
        return false;
    nouveau->file->process_id = caller->process_id ? caller->process_id : nouveau->out->process_id;
    nouveau->file->thread_id = caller->thread_id;
    return true;
}

/* ---- in the trace ---------------------------------------------------------------------------- */

void record_nouveau_file_client(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    struct record_nouveau_file *file = nouveau->file;
    struct trace_record record = {0};

    if (file->is_client)
        return;
    file->client_id = nouveau->table->client_count++;
    record.client.client_id = file->client_id;
    record.client.layer = TRACE_LAYER_UAPI;
    record.client.name = record_out_str(program_invocation_short_name);
    record_out_put(nouveau->out, caller, TRACE_CLIENT, &record);
    record_out_flush(nouveau->out);
    file->is_client = 1;
}

void record_nouveau_file_tell(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    struct record_nouveau_file *file = nouveau->file;
    struct trace_record record = {0};

    record_nouveau_file_client(nouveau, caller);
    if (file->has_space)
        return;
    file->as_id = nouveau->table->space_count++;
    record.as_create.as_id = file->as_id;
    record.as_create.client_id = file->client_id;
    record_out_put(nouveau->out, caller, TRACE_AS_CREATE, &record);
    record_out_flush(nouveau->out);
    file->has_space = 1;
}

/* ---- address spaces that a file manages itself ----------------------------------------------- */

struct record_vm *record_nouveau_space_new(struct record_nouveau *nouveau, uint32_t as_id,
                                           uint64_t kernel_va, uint64_t kernel_bytes)
{
    struct record_vm *vm;

    if (nouveau->space_count == nouveau->space_capacity) {
        const uint32_t capacity = nouveau->space_capacity ? 2 * nouveau->space_capacity : 4;
        struct record_nouveau_space *grown = realloc(nouveau->spaces, capacity * sizeof *grown);

        if (!grown)
            return NULL;
        nouveau->spaces = grown;
        nouveau->space_capacity = capacity;
    }
    vm = record_vm_new(kernel_va, kernel_bytes);
    if (vm)
        nouveau->spaces[nouveau->space_count++] =
            (struct record_nouveau_space){nouveau->file->serial, as_id, vm};
    return vm;
}

/* In a process that got the file from another, nothing is known to be bound. */
static struct record_vm *space_find(struct record_nouveau *nouveau, uint32_t file, uint32_t as_id)
{
    for (uint32_t i = 0; i < nouveau->space_count; i++)
        if (nouveau->spaces[i].file == file && nouveau->spaces[i].as_id == as_id)
            return nouveau->spaces[i].vm;
    return record_nouveau_space_new(nouveau, as_id, 0, 0);
}

struct record_vm *record_nouveau_client_vm(struct record_nouveau *nouveau)
{
    const struct record_nouveau_file *file = nouveau->file;

    return file->has_vm ? space_find(nouveau, file->serial, file->as_id) : NULL;
}

struct record_vm *record_nouveau_channel_vm(struct record_nouveau *nouveau,
                                            const struct record_nouveau_channel *channel)
{
    return nouveau->file->has_vm ? space_find(nouveau, channel->file, channel->as_id) : NULL;
}

/* ---- handles --------------------------------------------------------------------------------- */

/* A free page of handles: index + 1, or 0. */
static uint32_t page_new(struct record_nouveau_table *table)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_PAGES_MAX; i++)
        if (!table->pages[i].used) {
            memset(&table->pages[i], 0, sizeof table->pages[i]);
            table->pages[i].used = 1;
            return i + 1;
        }
    return 0;
}

uint32_t *record_nouveau_handle_place(struct record_nouveau *nouveau, uint32_t handle, bool make)
{
    struct record_nouveau_table *table = nouveau->table;
    uint32_t *page;

    if (handle == 0 || handle > RECORD_NOUVEAU_HANDLES_MAX)
        return NULL;
    page = &nouveau->file->pages[(handle - 1) / RECORD_NOUVEAU_PAGE_HANDLES];
    if (*page == 0 && make)
        *page = page_new(table);
    return *page ? &table->pages[*page - 1].bos[(handle - 1) % RECORD_NOUVEAU_PAGE_HANDLES] : NULL;
}

uint64_t record_nouveau_handle_va(const struct record_nouveau *nouveau, uint32_t handle)
{
    const uint32_t page = nouveau->file->pages[(handle - 1) / RECORD_NOUVEAU_PAGE_HANDLES];

    return nouveau->table->pages[page - 1].vas[(handle - 1) % RECORD_NOUVEAU_PAGE_HANDLES];
}

void record_nouveau_handle_va_set(struct record_nouveau *nouveau, uint32_t handle, uint64_t va)
{
    const uint32_t page = nouveau->file->pages[(handle - 1) / RECORD_NOUVEAU_PAGE_HANDLES];

    nouveau->table->pages[page - 1].vas[(handle - 1) % RECORD_NOUVEAU_PAGE_HANDLES] = va;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* As the kernel when the last descriptor is closed. */
static void file_end(struct record_nouveau *nouveau, struct record_nouveau_file *file,
                     uint64_t now_ns)
{
    const struct record_caller caller = {
        .thread_id = file->thread_id, .now_ns = now_ns, .process_id = file->process_id};

    nouveau->file = file;
    for (uint32_t i = 0; i < RECORD_NOUVEAU_CHANNELS_MAX; i++) {
        struct record_nouveau_channel *channel = &nouveau->table->channels[i];

        if (channel->used == RECORD_NOUVEAU_CHANNEL_USED && channel->file == file->serial)
            record_nouveau_channel_end(nouveau, &caller, channel);
    }
    if (file->sync_count > 0)
        record_pass_sync_end(nouveau, &caller);
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILE_PAGES; i++) {
        if (file->pages[i] == 0)
            continue;
        for (uint32_t handle = 1; handle <= RECORD_NOUVEAU_PAGE_HANDLES; handle++)
            (void)record_nouveau_bo_close(nouveau, &caller,
                                          i * RECORD_NOUVEAU_PAGE_HANDLES + handle);
        nouveau->table->pages[file->pages[i] - 1].used = 0;
        file->pages[i] = 0;
    }
    file->serial = 0;
}

void record_nouveau_reap(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    struct record_nouveau_file *calling = nouveau->file;

    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILES_MAX; i++) {
        struct record_nouveau_file *file = &nouveau->table->files[i];

        if (file->serial != 0 && !file_is_open(nouveau, file))
            file_end(nouveau, file, caller->now_ns);
    }
    nouveau->file = calling;
    record_nouveau_bo_sweep(nouveau);
}

/* ---- repair ---------------------------------------------------------------------------------- */

static void handle_count(struct record_nouveau_bo *bo, const struct record_nouveau_file *file)
{
    bo->handle_count++;
    bo->vm_files += file->has_vm;
}

/* Handles of objects that there are, counted; pages that files have. */
static void handles_repair(struct record_nouveau *nouveau)
{
    struct record_nouveau_table *table = nouveau->table;

    for (uint32_t i = 0; i < RECORD_NOUVEAU_PAGES_MAX; i++)
        table->pages[i].used = 0;
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILES_MAX * RECORD_NOUVEAU_FILE_PAGES; i++) {
        struct record_nouveau_file *file = &table->files[i / RECORD_NOUVEAU_FILE_PAGES];
        const uint32_t page = file->pages[i % RECORD_NOUVEAU_FILE_PAGES];

        if (file->serial == 0 || page == 0)
            continue;
        file->free_hint = 1;
        table->pages[page - 1].used = 1;
        for (uint32_t n = 0; n < RECORD_NOUVEAU_PAGE_HANDLES; n++) {
            uint32_t *place = &table->pages[page - 1].bos[n];

            if (*place != 0 && table->bos[*place - 1].number == 0)
                *place = 0;
            else if (*place != 0)
                handle_count(&table->bos[*place - 1], file);
        }
    }
}

void record_nouveau_repair(struct record_nouveau *nouveau)
{
    struct record_nouveau_table *table = nouveau->table;

    record_memory_repair(nouveau->memory);
    for (uint32_t i = 0; i < RECORD_MEMORY_BUFFERS_MAX; i++) {
        struct record_buffer *buffer = record_memory_at(nouveau->memory, i);
        struct record_nouveau_bo *bo = &table->bos[i];

        if (bo->number != 0)
            bo->handle_count = bo->vm_files = 0;
        if (bo->number != 0 && buffer->size_bytes == 0)
            bo->number = 0;
        else if (bo->number == 0 && buffer->size_bytes != 0)
            record_memory_remove(nouveau->memory, buffer);
    }
    handles_repair(nouveau);
    record_nouveau_bo_sweep(nouveau);
    table->vram_used_bytes = 0;
    for (uint32_t i = 0; i < RECORD_MEMORY_BUFFERS_MAX; i++)
        if (table->bos[i].number != 0 && table->bos[i].domain == UAPI_DOMAIN_VRAM)
            table->vram_used_bytes += record_memory_at(nouveau->memory, i)->size_bytes;
}

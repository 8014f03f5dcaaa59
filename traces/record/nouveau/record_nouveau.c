/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_nouveau_private.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/record_user.h"

/* The largest argument that a request can declare (_IOC_SIZE has 14 bits). */
enum { ARGUMENT_BYTES_MAX = 1 << 14 };

static int refuse(struct record_nouveau *nouveau, const struct record_nouveau_call *call,
                  unsigned nr);

/* No other stand-in has it, in whatever process. */
static uint64_t nonce_new(const struct record_nouveau *nouveau)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)getpid() << 32) ^ (uintptr_t)nouveau ^ (uint64_t)now.tv_nsec << 12;
}

size_t record_nouveau_table_bytes(void)
{
    return sizeof(struct record_nouveau_table);
}

struct record_nouveau *record_nouveau_new(const struct record_board *board,
                                          struct record_memory *memory, struct record_out *out,
                                          void *table, const char *directory)
{
    struct record_nouveau *nouveau = calloc(1, sizeof *nouveau);

    if (!nouveau)
        return NULL;
    nouveau->board = board;
    nouveau->memory = memory;
    nouveau->out = out;
    nouveau->directory = directory;
    nouveau->own_table = table == NULL;
    nouveau->table = table ? table : calloc(1, sizeof *nouveau->table);
    if (!nouveau->table) {
        free(nouveau);
        return NULL;
    }
    nouveau->syncobjs.table = &nouveau->table->syncobjs;
    if (nouveau->table->nonce == 0)
        nouveau->table->nonce = nonce_new(nouveau);
    return nouveau;
}

void record_nouveau_free(struct record_nouveau *nouveau)
{
    if (!nouveau)
        return;
    for (uint32_t i = 0; i < nouveau->space_count; i++)
        record_vm_free(nouveau->spaces[i].vm);
    free(nouveau->spaces);
    record_pass_free(nouveau->pass);
    if (nouveau->own_table)
        free(nouveau->table);
    free(nouveau);
}

uint32_t record_nouveau_submission(const struct record_nouveau *nouveau)
{
    return nouveau->table->submission_count;
}

#ifdef RECORD_BROKEN
void record_nouveau_break(struct record_nouveau *nouveau, enum record_nouveau_fault fault)
{
    nouveau->fault = fault;
}
#endif

/* ---- waits ----------------------------------------------------------------------------------- */

void record_nouveau_wait_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                                const struct trace_cpu_wait *wait)
{
    struct trace_record record = {.cpu_wait = *wait};

    record.cpu_wait.end_ns = caller->now_ns;
    record_out_put(nouveau->out, caller, TRACE_CPU_WAIT, &record);
}

static int gem_cpu_prep(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_cpu_prep *prep = call->argument;
    const struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, prep->handle);

    if (!bo)
        return -ENOENT;
    if (nouveau->live_ops)
        return record_nouveau_live_prep(nouveau, call->caller, bo->last_submission,
                                        !(prep->flags & UAPI_CPU_PREP_NOWAIT));
    /* With NOWAIT the program asks and goes on whatever the answer: not a wait. */
    if (prep->flags & UAPI_CPU_PREP_NOWAIT)
        return 0;
    record_nouveau_wait_record(nouveau, call->caller,
                               &(struct trace_cpu_wait){
                                   .how = TRACE_WAIT_IOCTL,
                                   .channel_id = TRACE_ANY,
                                   .handle = bo->number,
                                   .submission_id = bo->last_submission,
                                   .begin_ns = call->caller->now_ns,
                                   .call = record_out_str("GEM_CPU_PREP"),
                               });
    return 0;
}

static int gem_cpu_fini(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_cpu_fini *fini = call->argument;

    return record_nouveau_bo_find(nouveau, fini->handle) ? 0 : -ENOENT;
}

void record_nouveau_wait(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const char *call, uint64_t begin_ns, uint32_t submission_id)
{
    record_nouveau_wait_record(nouveau, caller,
                               &(struct trace_cpu_wait){
                                   .how = TRACE_WAIT_CALL,
                                   .channel_id = TRACE_ANY,
                                   .handle = TRACE_ANY,
                                   .submission_id = submission_id,
                                   .begin_ns = begin_ns,
                                   .call = record_out_str(call),
                               });
}

/* ---- channels -------------------------------------------------------------------------------- */

struct record_nouveau_channel *record_nouveau_channel_find(struct record_nouveau *nouveau,
                                                           uint32_t channel)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_CHANNELS_MAX; i++) {
        struct record_nouveau_channel *found = &nouveau->table->channels[i];

        if (found->used == RECORD_NOUVEAU_CHANNEL_USED && found->number == channel &&
            found->file == nouveau->file->serial)
            return found;
    }
    return NULL;
}

static struct record_nouveau_channel *channel_free_place(struct record_nouveau *nouveau)
{
    for (uint32_t i = 0; i < RECORD_NOUVEAU_CHANNELS_MAX; i++)
        if (nouveau->table->channels[i].used == RECORD_NOUVEAU_CHANNEL_FREE)
            return &nouveau->table->channels[i];
    return NULL;
}

struct record_nouveau_channel *record_nouveau_channel_place(struct record_nouveau *nouveau,
                                                            const struct record_caller *caller)
{
    struct record_nouveau_channel *place = channel_free_place(nouveau);

    if (place)
        return place;
    record_nouveau_reap(nouveau, caller);
    return channel_free_place(nouveau);
}

void record_nouveau_channel_begin(struct record_nouveau *nouveau,
                                  const struct record_caller *caller,
                                  struct record_nouveau_channel *channel, uint32_t number,
                                  uint32_t engine)
{
    struct trace_record record = {0};

    channel->used = RECORD_NOUVEAU_CHANNEL_CHANGING;
    record.channel.channel_id = number;
    record.channel.client_id = nouveau->file->client_id;
    record.channel.as_id = nouveau->file->as_id;
    record.channel.engine = engine;
    record_out_put(nouveau->out, caller, TRACE_CHANNEL, &record);
    record_out_flush(nouveau->out);
    channel->number = number;
    channel->file = nouveau->file->serial;
    channel->as_id = nouveau->file->as_id;
    record_walk_init(&channel->walk, nouveau->board->copy_class);
}

static int channel_alloc(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    static const struct uapi_gem_new notifier = {.info.size = RECORD_MEMORY_PAGE_BYTES};
    struct uapi_channel_alloc *alloc = call->argument;
    struct record_nouveau_channel *channel = record_nouveau_channel_place(nouveau, call->caller);
    uint32_t number, handle; /* the lowest free number, as the hardware's */

    if (!channel)
        return -ENOSPC;
    number = (uint32_t)(channel - nouveau->table->channels);
    nouveau->file->is_legacy = 1;
    handle = record_nouveau_bo_add(nouveau, call->caller, &notifier, UAPI_DOMAIN_GART);
    if (handle == 0)
        return -ENOMEM;
    record_nouveau_channel_begin(nouveau, call->caller, channel, number, alloc->tt_ctxdma);
    channel->notifier = handle;
    channel->used = RECORD_NOUVEAU_CHANNEL_USED;

    alloc->channel = (int32_t)number;
    alloc->pushbuf_domains = UAPI_DOMAIN_VRAM | UAPI_DOMAIN_GART;
    alloc->notifier = handle;
    memset(alloc->subchannel, 0, sizeof alloc->subchannel);
    alloc->subchannel_count = 2;
    return 0;
}

void record_nouveau_channel_end(struct record_nouveau *nouveau, const struct record_caller *caller,
                                struct record_nouveau_channel *channel)
{
    struct trace_record record = {0};

    channel->used = RECORD_NOUVEAU_CHANNEL_CHANGING;
    record.channel_end.channel_id = channel->number;
    record_out_put(nouveau->out, caller, TRACE_CHANNEL_END, &record);
    record_out_flush(nouveau->out);
    channel->used = RECORD_NOUVEAU_CHANNEL_FREE;
    /* Its notifier goes with it, unless the program closed that handle itself. */
    (void)record_nouveau_bo_close(nouveau, caller, channel->notifier);
}

static int channel_free(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_channel_free *which = call->argument;
    struct record_nouveau_channel *channel =
        record_nouveau_channel_find(nouveau, (uint32_t)which->channel);

    if (!channel)
        return -ENOENT;
    record_nouveau_channel_end(nouveau, call->caller, channel);
    return 0;
}

void record_nouveau_object_record(struct record_nouveau *nouveau,
                                  const struct record_caller *caller, uint32_t channel,
                                  uint32_t handle, int32_t class_id)
{
    struct trace_record record = {0};

    record.object.channel_id = channel;
    record.object.handle = handle;
    /* nouveau numbers its software classes from -1 down; the stream binds this one as 906e. */
    record.object.class_id = class_id == UAPI_CLASS_SOFTWARE_GF100 ? 0x906e : (uint32_t)class_id;
    record_out_put(nouveau->out, caller, TRACE_OBJECT, &record);
    record_out_flush(nouveau->out);
}

int record_nouveau_object_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                              uint32_t channel, uint32_t handle, int32_t class_id)
{
    bool known = class_id == UAPI_CLASS_SOFTWARE_GF100;

    if (!record_nouveau_channel_find(nouveau, channel))
        return -ENOENT;
    for (int i = 0; i < RECORD_BOARD_CLASSES; i++)
        known = known || class_id == nouveau->board->classes[i];
    if (!known) {
        record_out_mark(nouveau->out, caller, "class %#x is not on this chip: refused",
                        (unsigned)class_id);
        return -EINVAL;
    }
    record_nouveau_object_record(nouveau, caller, channel, handle, class_id);
    return 0;
}

static int grobj_alloc(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_grobj_alloc *alloc = call->argument;

    return record_nouveau_object_add(nouveau, call->caller, (uint32_t)alloc->channel, alloc->handle,
                                     alloc->class_id);
}

/* ---- the device ------------------------------------------------------------------------------ */

static bool string_answer(uint64_t to, uint64_t *bytes, const char *text)
{
    const uint64_t length = strlen(text);
    const uint64_t part = length < *bytes ? length : *bytes;

    *bytes = length;
    return to == 0 || record_user_write(to, text, (size_t)part);
}

static int version(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_version *answer = call->argument;

    (void)nouveau;
    answer->major = 1;
    answer->minor = 4;
    answer->patch = 0;
    if (!string_answer(answer->name, &answer->name_bytes, "nouveau") ||
        !string_answer(answer->date, &answer->date_bytes, "20120801") ||
        !string_answer(answer->text, &answer->text_bytes, "nVidia Riva/TNT/GeForce/Quadro/Tesla"))
        return -EFAULT;
    return 0;
}

static int get_cap(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_get_cap *cap = call->argument;

    (void)nouveau;
    if (cap->capability == UAPI_CAP_PRIME)
        cap->value = UAPI_PRIME_IMPORT | UAPI_PRIME_EXPORT;
    else
        cap->value = cap->capability == UAPI_CAP_TIMESTAMP_MONOTONIC ||
                     cap->capability == UAPI_CAP_SYNCOBJ ||
                     cap->capability == UAPI_CAP_SYNCOBJ_TIMELINE;
    return 0;
}

static int getparam(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct record_board *board = nouveau->board;
    const struct uapi_getparam answers[] = {
        {UAPI_PARAM_PCI_VENDOR, board->pci_vendor},
        {UAPI_PARAM_PCI_DEVICE, board->pci_device},
        {UAPI_PARAM_BUS_TYPE, UAPI_BUS_PCIE},
        {UAPI_PARAM_FB_SIZE, (uint64_t)board->vram_mib << 20},
        {UAPI_PARAM_AGP_SIZE, RECORD_NOUVEAU_GART_BYTES},
        {UAPI_PARAM_CHIPSET_ID, board->chipset},
        {UAPI_PARAM_VM_VRAM_BASE, 0},
        {UAPI_PARAM_GRAPH_UNITS,
         (uint64_t)board->rop_count << 32 | (uint64_t)board->tpc_count << 8 | board->gpc_count},
        {UAPI_PARAM_PTIMER_TIME, call->caller->now_ns},
        {UAPI_PARAM_HAS_BO_USAGE, 1},
        {UAPI_PARAM_HAS_PAGEFLIP, 1},
        {UAPI_PARAM_EXEC_PUSH_MAX, UAPI_EXEC_PUSH_MAX},
        {UAPI_PARAM_VRAM_BAR_SIZE, RECORD_NOUVEAU_BAR_BYTES},
        {UAPI_PARAM_VRAM_USED, nouveau->table->vram_used_bytes},
        {UAPI_PARAM_HAS_VMA_TILEMODE, 1},
    };
    struct uapi_getparam *get = call->argument;

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (answers[i].param == get->param) {
            get->value = answers[i].value;
            return 0;
        }
    return -EINVAL;
}

/* ---- dispatch -------------------------------------------------------------------------------- */

static const struct ioctl_row {
    unsigned nr;
    size_t bytes; /* of the argument as this interface has it; 0: any, at least a head */
    int (*answer)(struct record_nouveau *nouveau, struct record_nouveau_call *call);
} ioctl_rows[] = {
    {UAPI_VERSION, sizeof(struct uapi_version), version},
    {UAPI_GEM_CLOSE, sizeof(struct uapi_gem_close), record_object_close},
    {UAPI_GEM_FLINK, sizeof(struct uapi_gem_flink), record_object_flink},
    {UAPI_GEM_OPEN, sizeof(struct uapi_gem_open), record_object_open},
    {UAPI_GET_CAP, sizeof(struct uapi_get_cap), get_cap},
    {UAPI_PRIME_HANDLE_TO_FD, sizeof(struct uapi_prime), record_object_export},
    {UAPI_PRIME_FD_TO_HANDLE, sizeof(struct uapi_prime), record_object_import},
    {UAPI_GETPARAM, sizeof(struct uapi_getparam), getparam},
    {UAPI_CHANNEL_ALLOC, sizeof(struct uapi_channel_alloc), channel_alloc},
    {UAPI_CHANNEL_FREE, sizeof(struct uapi_channel_free), channel_free},
    {UAPI_GROBJ_ALLOC, sizeof(struct uapi_grobj_alloc), grobj_alloc},
    {UAPI_NVIF, 0, record_nvif_ioctl},
    {UAPI_VM_INIT, sizeof(struct uapi_vm_init), record_bind_init},
    {UAPI_VM_BIND, sizeof(struct uapi_vm_bind), record_bind_ioctl},
    {UAPI_EXEC, sizeof(struct uapi_exec), record_exec_ioctl},
    {UAPI_GEM_NEW, sizeof(struct uapi_gem_new), record_object_new},
    {UAPI_GEM_PUSHBUF, sizeof(struct uapi_gem_pushbuf), record_submit_pushbuf},
    {UAPI_GEM_CPU_PREP, sizeof(struct uapi_cpu_prep), gem_cpu_prep},
    {UAPI_GEM_CPU_FINI, sizeof(struct uapi_cpu_fini), gem_cpu_fini},
    {UAPI_GEM_INFO, sizeof(struct uapi_gem_info), record_object_info},
    {UAPI_SYNCOBJ_CREATE, sizeof(struct uapi_syncobj_create), record_sync_create},
    {UAPI_SYNCOBJ_DESTROY, sizeof(struct uapi_syncobj_destroy), record_sync_destroy},
    {UAPI_SYNCOBJ_HANDLE_TO_FD, sizeof(struct uapi_syncobj_handle), record_sync_to_fd},
    {UAPI_SYNCOBJ_FD_TO_HANDLE, sizeof(struct uapi_syncobj_handle), record_sync_from_fd},
    {UAPI_SYNCOBJ_WAIT, sizeof(struct uapi_syncobj_wait), record_sync_wait},
    {UAPI_SYNCOBJ_RESET, sizeof(struct uapi_syncobj_array), record_sync_reset},
    {UAPI_SYNCOBJ_SIGNAL, sizeof(struct uapi_syncobj_array), record_sync_signal},
    {UAPI_SYNCOBJ_TIMELINE_WAIT, sizeof(struct uapi_syncobj_timeline_wait),
     record_sync_timeline_wait},
    {UAPI_SYNCOBJ_QUERY, sizeof(struct uapi_syncobj_timeline_array), record_sync_query},
    {UAPI_SYNCOBJ_TRANSFER, sizeof(struct uapi_syncobj_transfer), record_sync_transfer},
    {UAPI_SYNCOBJ_TIMELINE_SIGNAL, sizeof(struct uapi_syncobj_timeline_array),
     record_sync_timeline_signal},
};

static const struct ioctl_row *row_find(unsigned nr)
{
    for (size_t i = 0; i < sizeof ioctl_rows / sizeof ioctl_rows[0]; i++)
        if (ioctl_rows[i].nr == nr)
            return &ioctl_rows[i];
    return NULL;
}

static int refuse(struct record_nouveau *nouveau, const struct record_nouveau_call *call,
                  unsigned nr)
{
    if (!nouveau->refused[nr])
        record_out_mark(nouveau->out, call->caller, "ioctl %#x of %zu bytes is unknown: refused",
                        nr, call->bytes);
    nouveau->refused[nr] = true;
    return -EINVAL;
}

/* As drm_ioctl(): an argument shorter than the interface's is continued with zeros, of a longer
 * one the rest is passed over. */
int record_nouveau_ioctl(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                         unsigned long request, uint64_t argument)
{
    uint64_t words[ARGUMENT_BYTES_MAX / sizeof(uint64_t)];
    struct record_nouveau_call call = {
        .caller = caller, .argument = words, .bytes = _IOC_SIZE(request)};
    const struct ioctl_row *row = row_find(_IOC_NR(request));
    size_t cleared;
    int result;

    assert(_IOC_TYPE(request) == UAPI_DRM_TYPE);
    if (!record_nouveau_file_enter(nouveau, caller, fd))
        return -ENFILE;
    if (!row)
        return refuse(nouveau, &call, _IOC_NR(request));
    cleared = row->bytes > call.bytes ? row->bytes : call.bytes;
    memset(words, 0, cleared);
    if ((_IOC_DIR(request) & _IOC_WRITE) && !record_user_read(words, argument, call.bytes))
        return -EFAULT;
    result = row->answer(nouveau, &call);
    if (result == 0 && (_IOC_DIR(request) & _IOC_READ) &&
        !record_user_write(argument, words, call.bytes))
        result = -EFAULT;
    return result;
}

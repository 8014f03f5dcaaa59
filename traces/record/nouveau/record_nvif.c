/* SPDX-License-Identifier: MIT */
/*
 * NVIF, the object interface inside one ioctl: what libdrm 2.4.114 asks of it, and SCLASS.
 * Objects other than a channel's are not kept: there is one device, and nothing depends on them.
 */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "traces/record/nouveau/record_nouveau_private.h"

/* What stands behind the head, if the caller's argument is long enough for it; else NULL. */
static void *payload(const struct record_nouveau_call *call, size_t at, size_t bytes)
{
    return call->bytes >= at && call->bytes - at >= bytes ? (char *)call->argument + at : NULL;
}

static int object_new(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_nvif *head = call->argument;
    const struct uapi_nvif_new *new = payload(call, sizeof *head, sizeof *new);

    if (!new || new->version != 0)
        return -EINVAL;
    if (head->route == UAPI_NVIF_ROUTE_CHANNEL) {
        if (head->token > UINT32_MAX)
            return -ENOENT;
        return record_nouveau_object_add(nouveau, call->caller, (uint32_t)head->token, new->handle,
                                         new->class_id);
    }
    return new->class_id == UAPI_CLASS_DEVICE ? 0 : -EINVAL;
}

static int class_list(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_nvif_sclass *list = payload(call, sizeof(struct uapi_nvif), sizeof *list);
    struct uapi_nvif_sclass_row *rows;
    unsigned room;

    if (!list || list->version != 0)
        return -EINVAL;
    room = list->count;
    rows = payload(call, sizeof(struct uapi_nvif) + sizeof *list, room * sizeof *rows);
    if (!rows)
        return -EINVAL;
    for (unsigned i = 0; i < RECORD_BOARD_CLASSES && i < room; i++)
        rows[i] = (struct uapi_nvif_sclass_row){nouveau->board->classes[i], -1, -1};
    list->count = RECORD_BOARD_CLASSES;
    return 0;
}

static void device_info(const struct record_board *board, struct uapi_device_info *info)
{
    *info = (struct uapi_device_info){
        .platform = UAPI_PLATFORM_PCIE,
        .chipset = (uint16_t)board->chipset,
        .revision = board->pci_revision,
        .family = board->family,
        .ram_size = (uint64_t)board->vram_mib << 20,
        .ram_user = (uint64_t)board->vram_mib << 20,
    };
    snprintf(info->chip, sizeof info->chip, "%s", board->chip_name);
    snprintf(info->name, sizeof info->name, "%s", board->name);
}

static int object_method(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const size_t behind = sizeof(struct uapi_nvif) + sizeof(struct uapi_nvif_method);
    const struct uapi_nvif_method *method = payload(call, sizeof(struct uapi_nvif), sizeof *method);
    struct uapi_device_info *info = payload(call, behind, sizeof *info);
    struct uapi_device_time *time = payload(call, behind, sizeof *time);

    if (!method || method->version != 0)
        return -EINVAL;
    if (method->method == UAPI_DEVICE_INFO && info) {
        device_info(nouveau->board, info);
        return 0;
    }
    if (method->method == UAPI_DEVICE_TIME && time) {
        time->time_ns = call->caller->now_ns;
        return 0;
    }
    return -EINVAL;
}

int record_nvif_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_nvif *head = payload(call, 0, sizeof *head);

    if (!head)
        return -EINVAL;
    if (head->version != 0)
        return -ENOSYS;
    switch (head->type) {
    case UAPI_NVIF_NOP:
    case UAPI_NVIF_DEL:
        return 0;
    case UAPI_NVIF_SCLASS:
        return class_list(nouveau, call);
    case UAPI_NVIF_NEW:
        return object_new(nouveau, call);
    case UAPI_NVIF_MTHD:
        return object_method(nouveau, call);
    default:
        return -EINVAL;
    }
}

/* SPDX-License-Identifier: MIT */
/* The names of what is not modelled, of all vendors. */
#include <config.h>

#include "emu/log/event_loss.h"

#include <inttypes.h>
#include <stdio.h>

#include "devices/amd/formats/amd_effect.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_effect.h"
#include "emu/log/event_list.h"

static bool loss_say(struct event_loss *loss, const char *name, const char *field, const char *lost)
{
    (void)snprintf(loss->name, sizeof loss->name, "%s%s%s", name, field ? "." : "",
                   field ? field : "");
    loss->lost = lost;
    return true;
}

/* A method, by class and byte offset; the elements of an array have one name. */
static bool loss_of_method(uint64_t address, uint64_t value, uint32_t n, struct event_loss *loss)
{
    const uint32_t class_id = (uint32_t)(address >> 16 & 0xffff);
    const uint32_t offset = (uint32_t)(address & 0xffff);
    const struct nv_loss *row = NULL;
    struct nv_class_method method;

    if (!nv_class_lookup(nv_class_find(class_id), offset, &method)) {
        (void)snprintf(loss->name, sizeof loss->name, "%04" PRIx32 " of class %04" PRIx32, offset,
                       class_id);
        loss->lost = "methods that the class does not have";
        return n == 0;
    }
    do {
        row = nv_loss_next(class_id, offset, (uint32_t)value, row);
    } while (row != NULL && n-- > 0);
    return row != NULL && loss_say(loss, nv_class_row_name(method.row), row->field, row->lost);
}

static bool loss_of_descriptor(uint64_t name, uint64_t value, struct event_loss *loss)
{
    unsigned index;
    const struct nv_qmd_row *field = nv_qmd_named(name, &index);
    const char *lost = field ? nv_qmd_lost(field, index, (uint32_t)value) : NULL;

    return lost != NULL && loss_say(loss, "QMD", field->name, lost);
}

static bool loss_of_packet(enum amd_packet_kind kind, uint64_t name, uint64_t value,
                           struct event_loss *loss)
{
    const struct amd_loss *row = amd_loss_named(kind, name, value);

    return row != NULL && loss_say(loss, row->packet, row->field, row->lost);
}

static bool loss_find(uint64_t what, uint64_t address, uint64_t value, uint32_t n,
                      struct event_loss *loss)
{
    switch (what) {
    case UNMODELLED_METHOD:
    case UNMODELLED_FIELD:
    case UNMODELLED_MACRO:
        return loss_of_method(address, value, n, loss);
    case UNMODELLED_QMD:
        return n == 0 && loss_of_descriptor(address, value, loss);
    case UNMODELLED_PM4:
        return n == 0 && loss_of_packet(AMD_PACKET_PM4, address, value, loss);
    case UNMODELLED_SDMA:
        return n == 0 && loss_of_packet(AMD_PACKET_SDMA, address, value, loss);
    default:
        return false;
    }
}

static bool loss_work(uint64_t class_id, uint64_t method, struct event_loss *loss)
{
    struct nv_class_method found;

    return class_id <= UINT16_MAX && method < UINT64_C(4) * NV_CLASS_METHODS &&
           nv_class_lookup(nv_class_find((uint32_t)class_id), (uint32_t)method, &found) &&
           loss_say(loss, nv_class_row_name(found.row), NULL,
                    "draws, clears and blits have a time, and no pixels");
}

const struct event_loss_names gfe_event_losses = {.find = loss_find, .work = loss_work};

/* SPDX-License-Identifier: MIT */
/* channels and tsgs: what registers, runlists and instance blocks say of each. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inspect.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "emu/base/json_text.h"

/* ---- channels -------------------------------------------------------------------------------- */

/* Where the lists have a channel. */
struct place {
    uint32_t runlist_id, tsg_id; /* UINT32_MAX: none */
    uint64_t instance;           /* as the entry has it */
    uint32_t target;
    bool listed;
};

/* Fills in the places of the channels that the runlist has; `places` by channel id. */
static void places_read(struct machine *machine, uint32_t runlist_id, struct place *places,
                        uint32_t count)
{
    struct nv_inspect_entry entry;
    struct nv_inspect_list list;
    uint32_t tsg_id = UINT32_MAX, left = 0;

    if (!nv_inspect_list(machine, runlist_id, &list))
        return;
    for (uint32_t i = 0; i < list.length && nv_inspect_entry(machine, &list, i, &entry); i++) {
        if (entry.is_tsg) {
            tsg_id = entry.id;
            left = entry.length;
            continue;
        }
        if (entry.id < count)
            places[entry.id] = (struct place){runlist_id, left > 0 ? tsg_id : UINT32_MAX,
                                              entry.instance, entry.instance_target, true};
        left -= left > 0;
    }
}

/* The name of a field's value, or its number. */
static json_t *value_json(const struct reg_assign *reg, uint32_t word, const char *field)
{
    const struct reg_row *end = reg->list->rows + reg->list->row_count;
    uint32_t value;

    if (!reg_assign_field(reg, word, field, &value))
        return json_string("-");
    for (const struct reg_row *row = reg->row + 1; row < end && row->kind != ROW_REG; row++) {
        const size_t bytes = strlen(reg->row->name) + 1 + strlen(field);

        if (row->kind == ROW_VALUE && row->number == value &&
            strncmp(row->name + strlen(reg->row->name) + 1, field, strlen(field)) == 0 &&
            row->name[bytes] == '_')
            return json_string(row->name + bytes + 1);
    }
    return json_integer(value);
}

static uint32_t memory_word(struct machine *machine, uint32_t aperture, uint64_t address)
{
    uint32_t word = 0;

    (void)machine_read(machine, (enum memory_aperture)aperture, address, &word, sizeof word);
    return word;
}

/* What the instance block in memory has; a channel on a PBDMA has the rest in there. */
static bool put_instance(struct machine *machine, json_t *row, uint64_t instance, uint32_t target)
{
    const uint32_t aperture = nv_host_aperture(target);

    return json_object_set_new(row, "instance", json_sprintf("0x%" PRIx64, instance)) == 0 &&
           json_object_set_new(
               row, "gp_get",
               json_integer(memory_word(machine, aperture, instance + NV_PPBDMA_GP_GET))) == 0 &&
           json_object_set_new(
               row, "gp_put",
               json_integer(memory_word(machine, aperture, instance + NV_PPBDMA_GP_PUT))) == 0 &&
           json_object_set_new(
               row, "page_directory",
               json_sprintf(
                   "0x%" PRIx64,
                   (uint64_t)memory_word(machine, aperture, instance + NV_RAMIN_PAGE_DIR_BASE_HI)
                           << 32 |
                       (memory_word(machine, aperture, instance + NV_RAMIN_PAGE_DIR_BASE) &
                        0xfffff000))) == 0;
}

static json_t *number_or_dash(uint32_t number)
{
    return number == UINT32_MAX ? json_string("-") : json_integer(number);
}

static json_t *channel_row(struct machine *machine, uint32_t channel_id, const struct place *place,
                           const struct reg_assign *reg, uint32_t word)
{
    const bool blocks = nv_inspect_has_blocks(machine);
    const uint32_t any = REG_ASSIGN_ANY_UNIT;
    json_t *row = json_object();
    bool good = row != NULL;

    good = good && json_object_set_new(row, "channel", json_integer(channel_id)) == 0 &&
           json_object_set_new(row, "runlist", number_or_dash(place->runlist_id)) == 0 &&
           json_object_set_new(row, "tsg", number_or_dash(place->tsg_id)) == 0 &&
           json_object_set_new(row, "enabled", value_json(reg, word, "ENABLE")) == 0 &&
           json_object_set_new(row, "next", value_json(reg, word, "NEXT")) == 0;
    good = good &&
           json_object_set_new(row, "pbdma_faulted", value_json(reg, word, "PBDMA_FAULTED")) == 0 &&
           json_object_set_new(row, "eng_faulted", value_json(reg, word, "ENG_FAULTED")) == 0 &&
           json_object_set_new(row, "busy", value_json(reg, word, "BUSY")) == 0;
    if (good && !blocks)
        good = json_object_set_new(row, "status", value_json(reg, word, "STATUS")) == 0;
    if (good && blocks)
        good = json_object_set_new(row, "pending", value_json(reg, word, "PENDING")) == 0 &&
               json_object_set_new(row, "on_pbdma", value_json(reg, word, "ON_PBDMA")) == 0 &&
               json_object_set_new(row, "on_eng", value_json(reg, word, "ON_ENG")) == 0;
    good = good && (blocks ? put_instance(machine, row, place->instance, place->target)
                           : put_instance(machine, row, nv_inspect_instance(machine, channel_id),
                                          nv_inspect_field(machine, "NV_PCCSR_CHANNEL_INST", any,
                                                           channel_id, "TARGET")));
    if (good)
        return row;
    json_decref(row);
    return NULL;
}

/* Channels of channel RAM (of one runlist) or CCSR (UINT32_MAX) that are anything. */
static bool channels_add(json_t *view, struct machine *machine, uint32_t runlist_id,
                         const struct place *places, uint32_t count)
{
    struct reg_assign reg, inst = {0};
    bool has_reg = nv_inspect_channel(machine, runlist_id, 0, &reg);
    bool has_inst =
        !nv_inspect_has_blocks(machine) &&
        reg_assign_named(&machine->mmio, "NV_PCCSR_CHANNEL_INST", REG_ASSIGN_ANY_UNIT, 0, &inst);

    for (uint32_t id = 0; id < count && has_reg; id++) {
        const uint32_t word = machine_read32(machine, reg.offset);
        uint32_t is_bound = 0;

        if (word == 0 && !places[id].listed && has_inst)
            (void)reg_assign_field(&inst, machine_read32(machine, inst.offset), "BIND", &is_bound);
        if ((word != 0 || places[id].listed || is_bound) &&
            !inspect_add(view, channel_row(machine, id, &places[id], &reg, word)))
            return false;
        has_reg = reg_assign_next(&machine->mmio, &reg);
        has_inst = has_inst && reg_assign_next(&machine->mmio, &inst);
    }
    return true;
}

static void places_clear(struct place *places, uint32_t count, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < count; i++)
        places[i] = (struct place){.runlist_id = runlist_id, .tsg_id = UINT32_MAX};
}

json_t *nv_inspect_build_channels(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    const uint32_t count = 4096, runlists = subject->model->runlist_count;
    struct place *places = calloc(count, sizeof *places);
    json_t *view = places ? inspect_new("channels") : NULL;
    bool good = view != NULL;

    if (good && !nv_inspect_has_blocks(machine)) {
        places_clear(places, count, UINT32_MAX);
        for (uint32_t r = 0; r < runlists; r++)
            places_read(machine, r, places, count);
        good = channels_add(view, machine, UINT32_MAX, places, count);
    } else if (good) {
        for (uint32_t r = 0; r < runlists && good; r++) {
            places_clear(places, count, r);
            places_read(machine, r, places, count);
            good = channels_add(view, machine, r, places, count);
        }
    }
    free(places);
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- TSGs ------------------------------------------------------------------------------------ */

/* The channels behind the TSG's entry; NULL when memory is short. */
static json_t *tsg_channels(struct machine *machine, const struct nv_inspect_list *list,
                            uint32_t index, uint32_t length)
{
    json_t *channels = json_array();
    struct nv_inspect_entry entry;

    for (uint32_t i = index + 1; channels && i - index <= length && i < list->length; i++) {
        if (!nv_inspect_entry(machine, list, i, &entry) || entry.is_tsg)
            break;
        channels = json_text_append(channels, json_integer(entry.id));
    }
    return channels;
}

static json_t *tsg_row(struct machine *machine, uint32_t runlist_id,
                       const struct nv_inspect_list *list, uint32_t index,
                       const struct nv_inspect_entry *entry)
{
    const uint64_t units = (uint64_t)entry->timeout << entry->scale;

    return json_pack("{si si si si sI si so}", "runlist", (int)runlist_id, "tsg", (int)entry->id,
                     "scale", (int)entry->scale, "timeout", (int)entry->timeout, "timeslice_ps",
                     (json_int_t)((units ? units : 1) * 1024000), "length", (int)entry->length,
                     "channels", tsg_channels(machine, list, index, entry->length));
}

json_t *nv_inspect_build_tsgs(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    json_t *view = inspect_new("tsgs");
    struct nv_inspect_entry entry;
    struct nv_inspect_list list;
    bool good = view != NULL;

    for (uint32_t r = 0; r < subject->model->runlist_count && good; r++) {
        if (!nv_inspect_list(machine, r, &list))
            continue;
        for (uint32_t i = 0; i < list.length && good && nv_inspect_entry(machine, &list, i, &entry);
             i++)
            if (entry.is_tsg)
                good = inspect_add(view, tsg_row(machine, r, &list, i, &entry));
    }
    return good ? view : inspect_no_memory(view, subject->error);
}

/* SPDX-License-Identifier: MIT */
/*
 * pce_map, lce_for_pceN and shared_lce_for_grceN: what the copy engines' registers say of logical
 * and physical engines.  The chip's layout (nv_ce_layout.h) has the registers' places, as nvdebug
 * has them by generation; up to Maxwell there are none.
 *
 * Pascal packs four bits for each PCE into one register, 7 for none, and a byte for each GRCE with
 * a bit for "shared" into another.  From Volta on each PCE and each GRCE has a register, 15 for
 * none; nvdebug goes by that alone.
 */
#include <config.h>

#include <stdio.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_ce_layout.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_inspect_views.h"

enum { PACKED_PCES = 8, PACKED_NONE = NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE_NONE };

static json_t *value_view(const struct inspect_subject *subject, const char *name, json_t *value,
                          const char *text)
{
    json_t *view = inspect_new(name);
    json_t *row = json_pack("{so ss}", "value", value, "text", text);

    if (view && inspect_add(view, row))
        return view;
    return inspect_no_memory(view, subject->error);
}

void nv_inspect_print_value(FILE *file, const json_t *view)
{
    const json_t *row = json_array_get(json_object_get(view, "rows"), 0);

    fprintf(file, "%s\n", json_string_value(json_object_get(row, "text")));
}

/* Returns the layout of the subject's chip.  Returns NULL, with a message, for a chip without such
 * registers. */
static const struct nv_ce_layout *layout_of(const struct inspect_subject *subject)
{
    const struct nv_ce_layout *layout = nv_ce_layout_of(subject->model->class_host);

    if (layout->shared)
        return layout;
    error_set(
        subject->error, ERROR_USAGE,
        "this GPU has no map of copy engines: logical and physical ones are apart from Pascal "
        "on");
    return NULL;
}

static uint32_t word_at(const struct inspect_subject *subject, uint32_t offset)
{
    return machine_read32(subject->machine, NV_CE_BASE + offset);
}

/* An LCE's number, or that there is none. */
static json_t *lce_view(const struct inspect_subject *subject, const char *name, bool is_there,
                        uint32_t lce)
{
    char text[16];

    (void)snprintf(text, sizeof text, is_there ? "0x%x" : "none", lce);
    return value_view(subject, name, is_there ? json_integer(lce) : json_null(), text);
}

json_t *nv_inspect_build_pce_map(const struct inspect_subject *subject)
{
    uint32_t map;
    char text[16];

    if (!layout_of(subject))
        return NULL;
    map = word_at(subject, NV_CE_PCE_MAP); /* the same place in each layout */
    (void)snprintf(text, sizeof text, "0x%x", map);
    return value_view(subject, "pce_map", json_integer(map), text);
}

json_t *nv_inspect_build_lce_for_pce(const struct inspect_subject *subject)
{
    const struct nv_ce_layout *layout = layout_of(subject);
    const uint32_t pce = subject->number;
    uint32_t words, lce, none;

    if (!layout)
        return NULL;
    words = layout->packed ? PACKED_PCES : layout->pce_words;
    if (pce >= words || !(word_at(subject, NV_CE_PCE_MAP) >> pce & 1)) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no PCE %u: pce_map shows those it has",
                  pce);
        return NULL;
    }
    none = layout->packed ? PACKED_NONE : NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_NONE;
    lce = layout->packed ? word_at(subject, layout->pce_at) >> 4 * pce
                         : word_at(subject, layout->pce_at + 4 * pce);
    lce &= 0xf;
    return lce_view(subject, "lce_for_pce", lce != none && lce != 0xf, lce);
}

json_t *nv_inspect_build_shared_lce_for_grce(const struct inspect_subject *subject)
{
    const struct nv_ce_layout *layout = layout_of(subject);
    const uint32_t grce = subject->number;
    uint32_t word;

    if (!layout)
        return NULL;
    if (grce >= NV_CE_GRCES) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no GRCE %u: it has 0 to %d", grce,
                  NV_CE_GRCES - 1);
        return NULL;
    }
    if (layout->packed) {
        word = word_at(subject, layout->grce_at) >> 8 * grce;
        return lce_view(subject, "shared_lce_for_grce", word >> 3 & 1, word & 7);
    }
    word = word_at(subject, layout->grce_at + 4 * grce) & 0xf;
    return lce_view(subject, "shared_lce_for_grce", word != NV_CE_GV100_GRCE_CONFIG_SHARED_LCE_NONE,
                    word);
}

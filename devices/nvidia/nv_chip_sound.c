/* SPDX-License-Identifier: MIT */
/* Which chips of a file a machine can be wired from: what members have to say of one another. */
#include <config.h>

#include <stdio.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_chip_fields.h"
#include "devices/nvidia/nv_chips.h"

/* Widths of registers (formats/nv_top.h): rows of PTOP up to Turing, and blocks of runlists. */
enum {
    OLD_RUNLISTS = 16,
    OLD_ENGINES = 16,
    OLD_ID_MAX = 31,
    OLD_FAULT_MAX = 127,
    OLD_PRI_END = 1 << 24,
    OLD_PTOP_ENGINES = 21,
    RUNQUEUES_MAX = 2, /* of a runlist, from Ampere on */
    BLOCK_FIRST = 0xc00000,
    BLOCK_BYTES = 0x400,
    BLOCK_END = 0x3ffffff,
    PARTITION_WARPS_MAX = 255,
    PARTITION_REGISTERS_MAX = 16384,
};

static bool wrong_at(struct chip_fault *fault, const char *list, uint32_t index, const char *member,
                     const char *text)
{
    (void)chip_fault_set(fault, "", "%s", text);
    (void)snprintf(fault->path, sizeof fault->path, "%s[%u]%s", list, (unsigned)index, member);
    return false;
}

/* ---- SMs -------------------------------------------------------------------------------------
 */

/* The splits of L1 and shared memory rise, up to all of the shared memory. */
static bool splits_are_sound(const struct exec_limits *sm, struct chip_fault *fault)
{
    for (uint32_t i = 1; i < sm->split_count; i++)
        if (sm->splits_kib[i] <= sm->splits_kib[i - 1])
            return wrong_at(fault, "sm.splits_kib", i, "", "is not more than the one before it");
    return sm->split_count == 0 ||
           (uint32_t)sm->splits_kib[sm->split_count - 1] << 10 == sm->shared_bytes_per_sm ||
           chip_fault_set(
               fault, "sm.splits_kib",
               "the last one is not shared_bytes_per_sm, %u; [] if L1 has a memory of its own",
               sm->shared_bytes_per_sm);
}

static bool sm_is_sound(const struct exec_limits *sm, struct chip_fault *fault)
{
    if (sm->partitions == 3)
        return chip_fault_set(fault, "sm.partitions", "3 is not 1, 2 or 4");
    if (sm->warps_per_sm % sm->partitions || sm->registers_per_sm % sm->partitions)
        return chip_fault_set(fault, "sm.partitions",
                              "%u sub-partitions cannot share %u warps and %u registers equally",
                              sm->partitions, sm->warps_per_sm, sm->registers_per_sm);
    if (sm->warps_per_sm / sm->partitions > PARTITION_WARPS_MAX ||
        sm->registers_per_sm / sm->partitions > PARTITION_REGISTERS_MAX)
        return chip_fault_set(fault, "sm.partitions",
                              "a sub-partition has at most %d warps and %d registers",
                              PARTITION_WARPS_MAX, PARTITION_REGISTERS_MAX);
    if (sm->registers_per_block > sm->registers_per_sm)
        return chip_fault_set(fault, "sm.registers_per_block", "%u is more than the %u of the SM",
                              sm->registers_per_block, sm->registers_per_sm);
    if (sm->register_unit > sm->registers_per_sm / sm->partitions)
        return chip_fault_set(fault, "sm.register_unit",
                              "%u is more than the %u of a sub-partition", sm->register_unit,
                              sm->registers_per_sm / sm->partitions);
    if (sm->shared_bytes_per_block > sm->shared_bytes_per_sm)
        return chip_fault_set(fault, "sm.shared_bytes_per_block",
                              "%u is more than the %u of the SM", sm->shared_bytes_per_block,
                              sm->shared_bytes_per_sm);
    if (sm->threads_per_block > sm->threads_per_sm)
        return chip_fault_set(fault, "sm.threads_per_block", "%u is more than the %u of the SM",
                              sm->threads_per_block, sm->threads_per_sm);
    return splits_are_sound(sm, fault);
}

static bool sms_are_sound(const struct nv_chip *chip, struct chip_fault *fault)
{
    uint32_t tpcs = chip->singleton_tpcs;

    if (chip->gpc_count > chip->tpc_count)
        return chip_fault_set(fault, "gpc_count", "%u GPCs have only %u TPCs", chip->gpc_count,
                              chip->tpc_count);
    if (chip->sm_count % chip->tpc_count)
        return chip_fault_set(fault, "tpc_count", "%u TPCs cannot share %u SMs equally",
                              chip->tpc_count, chip->sm_count);
    for (uint32_t i = 0; i < chip->vgpc_count; i++)
        tpcs += chip->vgpc_tpcs[i];
    if (chip->vgpc_count > 0 && tpcs != chip->tpc_count)
        return chip_fault_set(
            fault, "vgpc_tpcs",
            "the virtual GPCs and singleton_tpcs have %u TPCs, but tpc_count says %u; "
            "[] and 0 if they are not known",
            tpcs, chip->tpc_count);
    if (chip->vgpc_count == 0 && chip->singleton_tpcs > 0)
        return chip_fault_set(fault, "singleton_tpcs", "must be 0 where vgpc_tpcs is empty");
    return sm_is_sound(&chip->sm, fault);
}

/* ---- classes ----------------------------------------------------------------------------------
 */

static bool classes_are_alike(const struct nv_chip *a, const struct nv_chip *b)
{
    return a->class_host == b->class_host && a->class_compute == b->class_compute &&
           a->class_3d == b->class_3d && a->class_2d == b->class_2d &&
           a->class_inline == b->class_inline && a->class_copy == b->class_copy &&
           a->class_copy_older == b->class_copy_older;
}

/* The classes of chips that no built-in GPU has: GA102 to GA107 (nouveau, torvalds/linux
 * drivers/gpu/drm/nouveau/nvkm/subdev/gsp/rm/ga1xx.c). */
static const struct nv_chip ga10x = {
    .chip_id = 0x172,
    .class_host = 0xc56f,
    .class_compute = 0xc7c0,
    .class_3d = 0xc797,
    .class_2d = FERMI_TWOD_A,
    .class_inline = KEPLER_INLINE_TO_MEMORY_B,
    .class_copy = 0xc7b5,
};

static bool host_is_known(const struct nv_chip *chip)
{
    for (uint32_t i = 0; i < nv_chip_count; i++)
        if (nv_chips[i]->class_host == chip->class_host)
            return true;
    return false;
}

static bool classes_are_sound(const struct nv_chip *chip, struct chip_fault *fault)
{
    const struct nv_chip *like = classes_are_alike(chip, &ga10x) ? &ga10x : NULL;
    const char *name = "a GPU of GA102 to GA107";

    for (uint32_t i = 0; i < nv_chip_count && !like; i++)
        if (classes_are_alike(chip, nv_chips[i])) {
            like = nv_chips[i];
            name = like->name;
        }
    for (uint32_t i = 0; like != &ga10x && i < nv_chip_count; i++)
        if (classes_are_alike(chip, nv_chips[i]) &&
            nv_chip_reg_variants(nv_chips[i]) == nv_chip_reg_variants(chip))
            return true;
    if (!like)
        return chip_fault_set(
            fault, "classes",
            "these are together the classes of no chip that gfe knows; gfe gpus NAME "
            "prints those of NAME");
    if (nv_chip_reg_variants(like) != nv_chip_reg_variants(chip))
        return chip_fault_set(
            fault, "chip_id",
            "0x%x is a chip of another generation than the classes, which are those of %s",
            chip->chip_id, name);
    return true;
}

/* ---- runlists, PBDMAs ------------------------------------------------------------------------ */

static uint32_t pbdmas_of(const struct nv_chip *chip, uint32_t runlist)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < chip->pbdma_count; i++)
        count += chip->pbdma_runlists[i] >> runlist & 1;
    return count;
}

static bool pbdmas_are_sound(const struct nv_chip *chip, bool blocks, struct chip_fault *fault)
{
    uint32_t queues = 0;

    for (uint32_t i = 0; i < chip->pbdma_count; i++)
        if (chip->runlist_count < 32 && chip->pbdma_runlists[i] >> chip->runlist_count)
            return wrong_at(fault, "pbdma_runlists", i, "", "names a runlist that is not there");
    for (uint32_t i = 0; i < chip->runlist_count; i++) {
        const uint32_t count = pbdmas_of(chip, i);

        if (count == 0)
            return wrong_at(fault, "runlists", i, "", "no PBDMA serves it (pbdma_runlists)");
        if (blocks && count > RUNQUEUES_MAX)
            return wrong_at(fault, "runlists", i, "", "more than two PBDMAs serve it");
        queues += count - 1;
    }
    if (queues > NV_CHIP_PBDMAS_MAX)
        return chip_fault_set(fault, "pbdma_runlists",
                              "the runlists have more than %d runqueues in all",
                              NV_CHIP_PBDMAS_MAX);
    return true;
}

static bool block_is_sound(const struct nv_chip *chip, uint32_t index, struct chip_fault *fault)
{
    const struct nv_chip_runlist *row = &chip->runlists[index];

    if (row->pri_base % BLOCK_BYTES || row->pri_base < BLOCK_FIRST || row->pri_base > BLOCK_END)
        return wrong_at(fault, "runlists", index, ".pri_base",
                        "is not a multiple of 0x400 from 0xc00000 to 0x3fffc00");
    for (uint32_t i = 0; i < index; i++) {
        if (chip->runlists[i].pri_base == row->pri_base)
            return wrong_at(fault, "runlists", index, ".pri_base", "is another runlist's, too");
        if (chip->runlists[i].doorbell_id == row->doorbell_id)
            return wrong_at(fault, "runlists", index, ".doorbell_id", "is another runlist's, too");
    }
    return true;
}

static bool runlists_are_sound(const struct nv_chip *chip, bool blocks, struct chip_fault *fault)
{
    if (!blocks && chip->runlist_count > OLD_RUNLISTS)
        return chip_fault_set(fault, "runlists", "a chip before Ampere has at most %d",
                              OLD_RUNLISTS);
    for (uint32_t i = 0; i < chip->runlist_count; i++) {
        if (!blocks && chip->runlists[i].pri_base != 0)
            return wrong_at(fault, "runlists", i, ".pri_base", "must be 0 before Ampere");
        if (!blocks && chip->runlists[i].doorbell_id != i)
            return wrong_at(fault, "runlists", i, ".doorbell_id",
                            "must be the runlist's number before Ampere");
        if (blocks && !block_is_sound(chip, i, fault))
            return false;
    }
    return pbdmas_are_sound(chip, blocks, fault);
}

/* ---- engines ----------------------------------------------------------------------------------
 */

static bool fits(uint32_t id, uint32_t most)
{
    return id == NV_CHIP_ID_NONE || id <= most;
}

static bool old_engine_is_sound(const struct nv_chip *chip, uint32_t index,
                                struct chip_fault *fault)
{
    const struct nv_chip_engine *engine = &chip->engines[index];

    if (engine->engine_id >= OLD_ENGINES)
        return wrong_at(fault, "engines", index, ".engine_id", "is more than 15 before Ampere");
    if (!fits(engine->reset_id, OLD_ID_MAX))
        return wrong_at(fault, "engines", index, ".reset_id", "is more than 31 before Ampere");
    if (!fits(engine->intr_id, OLD_ID_MAX))
        return wrong_at(fault, "engines", index, ".intr_id", "is more than 31 before Ampere");
    if (!fits(engine->fault_id, OLD_FAULT_MAX))
        return wrong_at(fault, "engines", index, ".fault_id", "is more than 127 before Ampere");
    if (engine->pri_base >= OLD_PRI_END)
        return wrong_at(fault, "engines", index, ".pri_base", "is beyond 16 MiB before Ampere");
    return true;
}

static bool engine_is_sound(const struct nv_chip *chip, uint32_t index, bool blocks,
                            struct chip_fault *fault)
{
    const struct nv_chip_engine *engine = &chip->engines[index];

    if (engine->runlist_id >= chip->runlist_count)
        return wrong_at(fault, "engines", index, ".runlist_id", "there is no such runlist");
    if (engine->engine_id >= chip->engine_count)
        return wrong_at(fault, "engines", index, ".engine_id",
                        "is not less than the number of engines");
    for (uint32_t i = 0; i < index; i++) {
        if (chip->engines[i].engine_id == engine->engine_id)
            return wrong_at(fault, "engines", index, ".engine_id", "is another engine's, too");
        if (chip->engines[i].kind == engine->kind && chip->engines[i].instance == engine->instance)
            return wrong_at(fault, "engines", index, ".instance",
                            "another engine of this kind has it, too");
    }
    return blocks || old_engine_is_sound(chip, index, fault);
}

static const struct nv_chip_engine *engine_of(const struct nv_chip *chip,
                                              enum nv_chip_engine_kind kind, uint32_t instance)
{
    for (uint32_t i = 0; i < chip->engine_count; i++)
        if (chip->engines[i].kind == kind && chip->engines[i].instance == instance)
            return &chip->engines[i];
    return NULL;
}

static bool engines_are_sound(const struct nv_chip *chip, bool blocks, struct chip_fault *fault)
{
    const struct nv_chip_engine *graphics = engine_of(chip, NV_CHIP_GRAPHICS, 0);

    if (!blocks && chip->engine_count > OLD_PTOP_ENGINES)
        return chip_fault_set(fault, "engines", "a chip before Ampere has at most %d",
                              OLD_PTOP_ENGINES);
    for (uint32_t i = 0; i < chip->engine_count; i++)
        if (!engine_is_sound(chip, i, blocks, fault))
            return false;
    if (!graphics)
        return chip_fault_set(fault, "engines", "there is no graphics engine with instance 0");
    if (graphics->runlist_id != 0)
        return chip_fault_set(fault, "engines",
                              "the graphics engine with instance 0 is not on runlist 0");
    return true;
}

static bool has_lce(const struct nv_chip *chip, uint32_t lce)
{
    return engine_of(chip, NV_CHIP_LCE, lce) || engine_of(chip, NV_CHIP_GRCE, lce);
}

static bool copies_are_sound(const struct nv_chip *chip, struct chip_fault *fault)
{
    bool any = false;

    for (uint32_t i = 0; i < chip->pce_count; i++) {
        const uint32_t lce = chip->pce_to_lce[i];

        any = any || lce != NV_CHIP_PCE_UNUSED;
        if (lce != NV_CHIP_PCE_UNUSED && !has_lce(chip, lce))
            return wrong_at(fault, "pce_to_lce", i, "", "there is no such LCE among the engines");
    }
    if (!any)
        return chip_fault_set(fault, "pce_to_lce", "no PCE serves an LCE");
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        if (chip->grce[i].is_shared && !has_lce(chip, chip->grce[i].shared_lce))
            return wrong_at(fault, "grces", i, ".shared_lce",
                            "there is no such LCE among the engines");
    return true;
}

bool nv_chip_is_sound(const struct nv_chip *chip, struct chip_fault *fault)
{
    bool blocks;

    if (!host_is_known(chip))
        return chip_fault_set(fault, "classes.host",
                              "0x%x is Host's class of no chip that gfe knows", chip->class_host);
    if (!sms_are_sound(chip, fault) || !classes_are_sound(chip, fault))
        return false;
    blocks = nv_generation_of(chip->class_host, chip->chip_id)->runlists_have_blocks;
    return runlists_are_sound(chip, blocks, fault) && engines_are_sound(chip, blocks, fault) &&
           copies_are_sound(chip, fault);
}

/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pce.h"

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_tables.h"

enum { NV_PCE_PACKED = 8 /* PCEs that one word has room for */ };

static void nv_pce_event(void *unit, const struct event *event);
static uint32_t nv_pce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                            uint32_t stored);
static void nv_pce_write(void *unit, const struct mmio_window *window, uint32_t offset,
                         uint32_t old, uint32_t written);
static void nv_pce_finish(void *unit);
static const struct unit_ops nv_pce_ops = {
    .event = nv_pce_event, .read = nv_pce_read, .write = nv_pce_write, .finish = nv_pce_finish};

/* ---- wiring and registers -------------------------------------------------------------------- */

static uint32_t *nv_pce_reg(const struct nv_pce *pce, uint32_t offset)
{
    return &pce->regs->storage[offset / 4];
}

static void nv_pce_reset(const struct nv_pce *pce)
{
    const struct nv_ce_layout *layout = pce->layout;
    const struct nv_chip *model = pce->model;

    *nv_pce_reg(pce, NV_CE_PCE_MAP) = nv_ce_reset_pce_map(model);
    for (uint32_t i = 0; i < layout->pce_words; i++)
        *nv_pce_reg(pce, layout->pce_at + 4 * i) = nv_ce_reset_pce_word(layout, model, i);
    for (uint32_t i = 0; i < layout->grce_words; i++)
        *nv_pce_reg(pce, layout->grce_at + 4 * i) = nv_ce_reset_grce_word(layout, model, i);
}

void nv_pce_wire(struct nv_pce *pce, struct nv_host *host, struct nv_ce *ces, uint32_t ce_count)
{
    struct machine *machine = host->machine;

    pce->machine = machine;
    pce->model = host->model;
    pce->host = host;
    pce->ces = ces;
    pce->ce_count = ce_count;
    pce->layout = nv_ce_layout_of(host->model->class_host);
    pce->unit = machine_add_unit(machine, "nv_pce", &nv_pce_ops, pce);
    pce->state = machine_alloc(machine, sizeof *pce->state);
    for (uint32_t i = 0; i < NV_CHIP_ENGINES_MAX; i++)
        pce->state->users[i].slice_ps = pce->state->users[i].due_ps = GFE_PS_NEVER;
    if (!pce->layout->shared)
        return; /* each copy engine is its own PCE */
    pce->regs =
        machine_add_window(machine, pce->unit, pce->layout->shared, NV_CE_BASE, NV_CE_BYTES, 0);
    pce->pipes =
        machine_add_window(machine, pce->unit, &nv_pce_list, NV_CE_PCE_BASE, NV_CE_PCE_BYTES, 0);
    if (pce->regs)
        nv_pce_reset(pce);
}

/* Returns the LCE that a PCE serves, or UINT32_MAX if it serves none. */
static uint32_t nv_pce_assigned(const struct nv_pce *pce, uint32_t index)
{
    const struct nv_ce_layout *layout = pce->layout;
    uint32_t word;

    if (layout->packed) {
        word = *nv_pce_reg(pce, layout->pce_at) >> 4 * index & 0xf;
        return word == NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE_NONE ? UINT32_MAX : word;
    }
    word = REG_GET(*nv_pce_reg(pce, layout->pce_at + 4 * index),
                   NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE);
    return word == NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_NONE ? UINT32_MAX : word;
}

/* Where its four bits are; false: nowhere. */
static bool nv_pce_config_at(const struct nv_pce *pce, uint32_t index, uint32_t **word,
                             uint32_t *shift)
{
    const struct nv_ce_layout *layout = pce->layout;

    if (!layout->shared || index >= (layout->packed ? NV_PCE_PACKED : layout->pce_words))
        return false;
    *word = nv_pce_reg(pce, layout->pce_at + (layout->packed ? 0 : 4 * index));
    *shift = layout->packed ? 4 * index : NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_LO;
    return true;
}

bool nv_pce_config(const struct nv_pce *pce, uint32_t index, uint32_t *config)
{
    uint32_t *word, shift;

    if (!nv_pce_config_at(pce, index, &word, &shift))
        return false;
    *config = (*word >> shift & 0xf) | (*nv_pce_reg(pce, NV_CE_PCE_MAP) >> index & 1) << 4;
    return true;
}

void nv_pce_set_config(struct nv_pce *pce, uint32_t index, uint32_t config)
{
    uint32_t *map = nv_pce_reg(pce, NV_CE_PCE_MAP), *word, shift;

    if (!nv_pce_config_at(pce, index, &word, &shift))
        return;
    *word = (*word & ~(UINT32_C(0xf) << shift)) | (config & 0xf) << shift;
    *map = (*map & ~(UINT32_C(1) << index)) | (config >> 4 & 1) << index;
}

/* GRCE_CONFIG of a GRCE in the form of Volta and later; 0 (not shared) for others. */
static uint32_t nv_pce_grce_config(const struct nv_pce *pce, uint32_t instance)
{
    const struct nv_ce_layout *layout = pce->layout;
    uint32_t word;

    if (!layout->shared || instance >= NV_CE_GRCES)
        return 0;
    if (!layout->packed)
        return *nv_pce_reg(pce, layout->grce_at + 4 * instance);
    word = *nv_pce_reg(pce, layout->grce_at) >> 8 * instance;
    return REG_PUT(REG_GET(word, NV_CE_GRCE_CONFIG_0_SHARED_LCE), NV_CE_GV100_GRCE_CONFIG_SHARED,
                   REG_GET(word, NV_CE_GRCE_CONFIG_0_SHARED));
}

uint32_t nv_pce_serving(const struct nv_pce *pce, uint32_t instance)
{
    const uint32_t config = nv_pce_grce_config(pce, instance);
    uint32_t pces = 0, lce = instance;

    if (!pce->layout->shared)
        return 1u << instance;
    if (REG_GET(config, NV_CE_GV100_GRCE_CONFIG_SHARED))
        lce = REG_GET(config, NV_CE_GV100_GRCE_CONFIG_SHARED_LCE);
    for (uint32_t i = 0; i < NV_CE_PCES_MAX; i++)
        if (*nv_pce_reg(pce, NV_CE_PCE_MAP) >> i & 1 && nv_pce_assigned(pce, i) == lce)
            pces |= 1u << i;
    return pces;
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void nv_pce_settle(struct nv_pce *pce)
{
    for (uint32_t i = 0; i < pce->ce_count; i++)
        if (pce->state->users[i].phase == NV_PCE_MOVES)
            (void)copy_flow_settle(&pce->state->flows[i], machine_now(pce->machine));
}

/* What the user has been waiting for until now; the log need not hear of no time at all. */
static void nv_pce_tell_waiting(struct nv_pce *pce, uint32_t ce)
{
    struct nv_pce_user *user = &pce->state->users[ce];

    if (user->waiting_ps < machine_now(pce->machine))
        MACHINE_LOG(pce->machine, pce->ces[ce].unit, EVENT_WAIT, RULE_B_R8, user->waiting_ps,
                    SUBJECT_COPY, user->copy_id, SUBJECT_COPY, user->blocker_id);
    user->waiting_ps = machine_now(pce->machine);
}

/* Returns the waiting copy engine with the first turn after `turn`; ce_count means none. */
static uint32_t nv_pce_next(const struct nv_pce *pce, uint64_t turn)
{
    uint32_t next = pce->ce_count;

    for (uint32_t i = 0; i < pce->ce_count; i++) {
        const struct nv_pce_user *user = &pce->state->users[i];

        if (user->phase == NV_PCE_WAITS && user->turn > turn &&
            (next == pce->ce_count || user->turn < pce->state->users[next].turn))
            next = i;
    }
    return next;
}

static void nv_pce_wait(struct nv_pce *pce, uint32_t ce)
{
    struct nv_pce_user *user = &pce->state->users[ce];

    user->phase = NV_PCE_WAITS;
    user->turn = ++pce->state->turns;
    user->waiting_ps = machine_now(pce->machine);
    user->slice_ps = GFE_PS_NEVER;
    user->blocker_id = 0;
    pce->state->flows[ce].moves = 0;
}

/* In their turns those get their PCEs of whose PCEs no copy has one, nor is one kept for somebody
 * whose turn it is before. */
static void nv_pce_grant(struct nv_pce *pce)
{
    struct nv_pce_state *state = pce->state;
    uint32_t taken = 0;

    for (uint32_t i = 0; i < pce->ce_count; i++)
        if (state->users[i].phase == NV_PCE_MOVES)
            taken |= state->users[i].pces;
    for (uint64_t turn = 0;;) {
        const uint32_t ce = nv_pce_next(pce, turn);
        struct nv_pce_user *user = &state->users[ce];

        if (ce == pce->ce_count)
            return;
        turn = user->turn;
        if (!(user->pces & taken)) {
            nv_pce_tell_waiting(pce, ce);
            user->phase = NV_PCE_MOVES;
            state->flows[ce].moves = 1;
            state->flows[ce].since_ps = machine_now(pce->machine);
        }
        taken |= user->pces;
    }
}

/* A slice of `has` when `wants` waits: that of the GRCE of the two.  Two LCEs meet only on a
 * mapping that was written while they ran; they take short turns. */
static gfe_ps nv_pce_slice(const struct nv_pce *pce, uint32_t has, uint32_t wants)
{
    const uint32_t instance = pce->ces[has].instance;
    const uint32_t grce = instance < NV_CE_GRCES && REG_GET(nv_pce_grce_config(pce, instance),
                                                            NV_CE_GV100_GRCE_CONFIG_SHARED)
                              ? instance
                              : pce->ces[wants].instance;
    const bool is_long =
        REG_GET(nv_pce_grce_config(pce, grce), NV_CE_GV100_GRCE_CONFIG_TIMESLICE) ==
        NV_CE_GV100_GRCE_CONFIG_TIMESLICE_LONG;
    const uint64_t slice_ps = machine_parameter(
        pce->machine, is_long ? PARAM_NV_PCE_TIMESLICE_LONG : PARAM_NV_PCE_TIMESLICE_SHORT);

    return clock_add(machine_now(pce->machine), slice_ps ? slice_ps : 1);
}

/* Returns the first waiting copy engine that wants one of these PCEs, or ce_count if none does. */
static uint32_t nv_pce_wanted_by(const struct nv_pce *pce, uint32_t pces)
{
    uint32_t ce = nv_pce_next(pce, 0);

    while (ce < pce->ce_count && !(pce->state->users[ce].pces & pces))
        ce = nv_pce_next(pce, pce->state->users[ce].turn);
    return ce;
}

/* Slices begin and end with there being somebody to take over; who waits knows for whom. */
static void nv_pce_slices(struct nv_pce *pce)
{
    struct nv_pce_state *state = pce->state;

    for (uint32_t i = 0; i < pce->ce_count; i++) {
        struct nv_pce_user *user = &state->users[i];
        const uint32_t wants =
            user->phase == NV_PCE_MOVES ? nv_pce_wanted_by(pce, user->pces) : pce->ce_count;

        if (wants == pce->ce_count)
            user->slice_ps = GFE_PS_NEVER;
        else if (user->slice_ps == GFE_PS_NEVER)
            user->slice_ps = nv_pce_slice(pce, i, wants);
        for (uint32_t w = 0; w < pce->ce_count && user->phase == NV_PCE_MOVES; w++) {
            struct nv_pce_user *waiting = &state->users[w];

            if (waiting->phase != NV_PCE_WAITS || !(waiting->pces & user->pces))
                continue;
            if (waiting->blocker_id != user->copy_id)
                nv_pce_tell_waiting(pce, w);
            waiting->blocker_id = user->copy_id;
        }
    }
}

/* When something happens to the user next. */
static gfe_ps nv_pce_due(const struct nv_pce *pce, uint32_t ce)
{
    const struct nv_pce_user *user = &pce->state->users[ce];
    gfe_ps due;

    if (user->phase == NV_PCE_SETUP)
        return user->ready_ps;
    if (user->phase != NV_PCE_MOVES)
        return GFE_PS_NEVER;
    due = copy_flow_due_ps(&pce->state->flows[ce]);
    return user->slice_ps < due ? user->slice_ps : due;
}

/* Events follow; kind = copy engine, so that each has one of its own. */
static void nv_pce_retime(struct nv_pce *pce)
{
    for (uint32_t i = 0; i < pce->ce_count; i++) {
        struct nv_pce_user *user = &pce->state->users[i];
        const gfe_ps due = nv_pce_due(pce, i);

        if (due == user->due_ps)
            continue;
        if (user->due_ps != GFE_PS_NEVER)
            (void)machine_cancel(pce->machine, pce->unit, i);
        user->due_ps = due;
        if (due != GFE_PS_NEVER)
            machine_schedule(pce->machine, pce->unit, due, i, 0);
    }
}

/* Speeds have changed: the log hears of those that move. */
static void nv_pce_tell_speeds(struct nv_pce *pce)
{
    for (uint32_t i = 0; i < pce->ce_count; i++) {
        struct nv_pce_user *user = &pce->state->users[i];
        const struct copy_flow *flow = &pce->state->flows[i];

        if (user->phase != NV_PCE_MOVES || flow->speed == user->told_speed)
            continue;
        user->told_speed = flow->speed;
        MACHINE_LOG(pce->machine, pce->ces[i].unit, EVENT_COPY_SPEED, RULE_CORE_COPY_SHARE,
                    user->copy_id, user->channel_id, pce->ces[i].engine_id,
                    flow->speed * 1000000 >> 32, flow->limit);
    }
}

/* Somebody came, went or has had its slice; all are settled. */
static void nv_pce_arrange(struct nv_pce *pce)
{
    nv_pce_grant(pce);
    nv_pce_slices(pce);
    copy_share(pce->state->flows, pce->ce_count);
    nv_pce_tell_speeds(pce);
    nv_pce_retime(pce);
}

static void nv_pce_leave(struct nv_pce *pce, uint32_t ce)
{
    struct nv_pce_user *user = &pce->state->users[ce];

    if (user->phase == NV_PCE_WAITS)
        nv_pce_tell_waiting(pce, ce);
    user->phase = NV_PCE_NOTHING;
    user->slice_ps = GFE_PS_NEVER;
    pce->state->flows[ce].moves = 0;
    nv_pce_arrange(pce);
}

/* ---- copies ---------------------------------------------------------------------------------- */

void nv_pce_move(struct nv_pce *pce, uint32_t ce, const struct nv_pce_request *request)
{
    struct nv_pce_user *user = &pce->state->users[ce];
    const gfe_ps now = machine_now(pce->machine);

    assert(user->phase == NV_PCE_NOTHING && request->pces != 0);
    nv_pce_settle(pce);
    copy_flow_begin(&pce->state->flows[ce], request->left, &request->rates, &request->traffic, now);
    user->copy_id = request->copy_id;
    user->channel_id = request->channel_id;
    user->pces = request->pces;
    user->ready_ps = request->ready_ps;
    user->told_speed = COPY_SPEED_FULL;
    if (request->ready_ps > now)
        user->phase = NV_PCE_SETUP;
    else
        nv_pce_wait(pce, ce);
    nv_pce_arrange(pce);
}

bool nv_pce_stop_at(struct nv_pce *pce, uint32_t ce, struct copy_work goal)
{
    struct nv_pce_user *user = &pce->state->users[ce];
    struct copy_flow *flow = &pce->state->flows[ce];

    assert(user->phase != NV_PCE_NOTHING);
    nv_pce_settle(pce);
    assert(copy_work_compare(goal, flow->left) <= 0);
    flow->goal = goal;
    if (user->phase == NV_PCE_SETUP || copy_work_compare(goal, flow->left) == 0) {
        nv_pce_leave(pce, ce);
        return true;
    }
    nv_pce_retime(pce);
    return false;
}

void nv_pce_drop(struct nv_pce *pce, uint32_t ce)
{
    assert(pce->state->users[ce].phase != NV_PCE_NOTHING);
    nv_pce_settle(pce);
    nv_pce_leave(pce, ce);
}

struct copy_work nv_pce_left(struct nv_pce *pce, uint32_t ce)
{
    nv_pce_settle(pce);
    return pce->state->flows[ce].left;
}

static void nv_pce_event(void *unit, const struct event *event)
{
    struct nv_pce *pce = unit;
    const uint32_t ce = event->kind;
    struct nv_pce_user *user = &pce->state->users[ce];
    const struct copy_flow *flow = &pce->state->flows[ce];

    user->due_ps = GFE_PS_NEVER;
    nv_pce_settle(pce);
    if (user->phase == NV_PCE_MOVES && copy_work_compare(flow->left, flow->goal) == 0) {
        nv_pce_leave(pce, ce);
        nv_ce_moved(&pce->ces[ce]);
        return;
    }
    if (user->phase == NV_PCE_SETUP || user->slice_ps <= machine_now(pce->machine))
        nv_pce_wait(pce, ce);
    nv_pce_arrange(pce);
}

/* Nothing is left to happen, and a copy waits for its turn, or moves. */
static void nv_pce_finish(void *unit)
{
    const struct nv_pce *pce = unit;

    for (uint32_t i = 0; i < pce->ce_count; i++) {
        const struct nv_pce_user *user = &pce->state->users[i];
        const bool waits = user->phase == NV_PCE_WAITS;
        const struct machine_wait wait = {user->waiting_ps, SUBJECT_COPY, user->copy_id,
                                          waits ? SUBJECT_COPY : SUBJECT_NONE,
                                          waits ? user->blocker_id : 0};

        if (waits)
            machine_log_open(pce->machine, pce->ces[i].unit, RULE_B_R8, &wait);
        else if (user->phase != NV_PCE_NOTHING)
            machine_log_lost(pce->machine, pce->ces[i].unit, &wait);
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

/* PIPESTATUS: the stages of the pipe are all that one copy is in (ASSUMED). */
static uint32_t nv_pce_pipestatus(const struct nv_pce *pce, uint32_t index)
{
    for (uint32_t i = 0; i < pce->ce_count; i++)
        if (pce->state->users[i].phase == NV_PCE_MOVES && pce->state->users[i].pces >> index & 1)
            return NV_CE_PCE_PIPESTATUS_BUSY;
    return 0;
}

/* False for registers of PCEs behind the chip's last one: the list is that of its generation. */
static bool nv_pce_has(const struct nv_pce *pce, uint32_t offset)
{
    const struct nv_ce_layout *layout = pce->layout;

    if (layout->packed)
        return true;
    if (offset >= layout->pce_at && offset < layout->pce_at + 4 * layout->pce_words)
        return *nv_pce_reg(pce, NV_CE_PCE_MAP) >> (offset - layout->pce_at) / 4 != 0;
    return true;
}

static uint32_t nv_pce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                            uint32_t stored)
{
    const struct nv_pce *pce = unit;

    if (window == pce->pipes)
        return nv_pce_pipestatus(pce, (offset - NV_CE_PCE_PIPESTATUS) / NV_CE_PCE_STRIDE);
    return nv_pce_has(pce, offset) ? stored : 0;
}

static void nv_pce_write(void *unit, const struct mmio_window *window, uint32_t offset,
                         uint32_t old, uint32_t written)
{
    struct nv_pce *pce = unit;

    if (window != pce->regs || nv_pce_has(pce, offset))
        return;
    *nv_pce_reg(pce, offset) = old;
    if (pce->state->reported >> offset / 4 % 64 & 1)
        return;
    pce->state->reported |= UINT64_C(1) << offset / 4 % 64;
    MACHINE_LOG(pce->machine, pce->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_REGISTER_WRITE,
                NV_CE_BASE + offset, written);
}

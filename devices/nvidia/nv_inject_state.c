/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inject_state.h"

#include <string.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_pce.h"
#include "devices/nvidia/formats/nv_ram.h"

static void *state_unit(const struct machine *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, name) == 0)
            return machine->units[i].unit;
    return NULL;
}

struct nv_host *nv_inject_host(const struct machine *machine)
{
    return state_unit(machine, "nv_host");
}

/* One that an instance block is bound to. */
static const struct nv_channel *state_channel(struct machine *machine, uint64_t subject)
{
    const struct nv_channel *channel =
        subject <= UINT32_MAX ? nv_channel_get(nv_inject_host(machine), (uint32_t)subject) : NULL;

    return channel && channel->bound ? channel : NULL;
}

uint64_t nv_inject_state_space(const struct machine *machine, uint64_t channel_id)
{
    enum memory_aperture aperture;
    uint64_t instance;
    uint32_t root[2]; /* PAGE_DIR_BASE, _HI */

    if (channel_id > UINT32_MAX ||
        !nv_host_instance(nv_inject_host(machine), (uint32_t)channel_id, &instance, &aperture) ||
        !memory_read(&machine->memory, aperture, instance + NV_RAMIN_PAGE_DIR_BASE, root,
                     sizeof root))
        return 0;
    return (uint64_t)root[1] << 32 | (root[0] & ~UINT32_C(0xfff)) |
           REG_GET(root[0], NV_RAMIN_PAGE_DIR_BASE_TARGET) << 1 | 1;
}

/* ---- channel RAM ----------------------------------------------------------------------------- */

bool nv_inject_state_channel(struct machine *machine, uint64_t subject, uint32_t index,
                             uint32_t *word)
{
    const struct nv_channel *channel = state_channel(machine, subject);
    struct nv_channel_status status;

    (void)index;
    if (!channel)
        return false;
    status = nv_channel_status(nv_inject_host(machine), (uint32_t)subject);
    *word = (uint32_t)channel->enabled << NV_CHANNEL_RAM_ENABLE |
            (uint32_t)channel->next << NV_CHANNEL_RAM_NEXT |
            (uint32_t)channel->pending << NV_CHANNEL_RAM_PENDING |
            (uint32_t)channel->pbdma_faulted << NV_CHANNEL_RAM_PBDMA_FAULTED |
            (uint32_t)channel->eng_faulted << NV_CHANNEL_RAM_ENG_FAULTED |
            (uint32_t)channel->ctx_reload << NV_CHANNEL_RAM_CTX_RELOAD |
            (uint32_t)channel->on_pbdma << NV_CHANNEL_RAM_ON_PBDMA |
            (uint32_t)status.on_eng << NV_CHANNEL_RAM_ON_ENG |
            (uint32_t)status.pending_acquire << NV_CHANNEL_RAM_ACQUIRE |
            (uint32_t)status.busy << NV_CHANNEL_RAM_BUSY;
    return true;
}

void nv_inject_state_set_channel(struct machine *machine, uint64_t subject, uint32_t index,
                                 uint32_t word)
{
    (void)index;
    if (!state_channel(machine, subject))
        return;
    nv_channel_force_bits(nv_inject_host(machine), (uint32_t)subject,
                          &(struct nv_channel_bits){
                              .enabled = word >> NV_CHANNEL_RAM_ENABLE & 1,
                              .next = word >> NV_CHANNEL_RAM_NEXT & 1,
                              .pending = word >> NV_CHANNEL_RAM_PENDING & 1,
                              .pbdma_faulted = word >> NV_CHANNEL_RAM_PBDMA_FAULTED & 1,
                              .eng_faulted = word >> NV_CHANNEL_RAM_ENG_FAULTED & 1,
                              .ctx_reload = word >> NV_CHANNEL_RAM_CTX_RELOAD & 1,
                          });
}

/* ---- what lies in memory --------------------------------------------------------------------- */

/* It is the front end's own, of which the program has nothing but what comes of it. */
static void state_store(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                        uint32_t word)
{
    machine_wrote_own(machine, aperture, address, sizeof word);
    (void)machine_write(machine, aperture, address, &word, sizeof word);
}

bool nv_inject_state_ramfc(struct machine *machine, uint64_t subject, uint32_t index,
                           uint32_t *word)
{
    const struct nv_channel *channel = state_channel(machine, subject);

    return channel && machine_read(machine, (enum memory_aperture)channel->instance_aperture,
                                   channel->instance + 4 * index, word, sizeof *word);
}

void nv_inject_state_set_ramfc(struct machine *machine, uint64_t subject, uint32_t index,
                               uint32_t word)
{
    const struct nv_channel *channel = state_channel(machine, subject);

    if (channel)
        state_store(machine, (enum memory_aperture)channel->instance_aperture,
                    channel->instance + 4 * index, word);
}

/* Where USERD is: as RAMFC says, from Ampere on as the runlist entry has it. */
static bool state_userd_at(struct machine *machine, uint64_t subject,
                           enum memory_aperture *aperture, uint64_t *address)
{
    const struct nv_channel *channel = state_channel(machine, subject);
    uint32_t low, high;

    if (!channel)
        return false;
    if (nv_inject_host(machine)->generation->runlists_have_blocks) {
        *aperture = (enum memory_aperture)channel->userd_aperture;
        *address = channel->userd;
        return true;
    }
    if (!nv_inject_state_ramfc(machine, subject, NV_PPBDMA_USERD / 4, &low) ||
        !nv_inject_state_ramfc(machine, subject, NV_PPBDMA_USERD_HI / 4, &high))
        return false;
    *aperture = nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET));
    *address = (uint64_t)REG_GET(high, NV_PPBDMA_USERD_HI_ADDR) << 32 |
               (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;
    return true;
}

bool nv_inject_state_userd(struct machine *machine, uint64_t subject, uint32_t index,
                           uint32_t *word)
{
    enum memory_aperture aperture;
    uint64_t address;

    return state_userd_at(machine, subject, &aperture, &address) &&
           machine_read(machine, aperture, address + 4 * index, word, sizeof *word);
}

void nv_inject_state_set_userd(struct machine *machine, uint64_t subject, uint32_t index,
                               uint32_t word)
{
    enum memory_aperture aperture;
    uint64_t address;

    if (state_userd_at(machine, subject, &aperture, &address))
        state_store(machine, aperture, address + 4 * index, word);
}

/* ---- PCEs ------------------------------------------------------------------------------------ */

bool nv_inject_state_pce(struct machine *machine, uint64_t subject, uint32_t index, uint32_t *word)
{
    const struct nv_pce *pce = state_unit(machine, "nv_pce");

    (void)index;
    return pce && subject < NV_CE_PCES_MAX && nv_pce_config(pce, (uint32_t)subject, word);
}

void nv_inject_state_set_pce(struct machine *machine, uint64_t subject, uint32_t index,
                             uint32_t word)
{
    (void)index;
    nv_pce_set_config(state_unit(machine, "nv_pce"), (uint32_t)subject, word);
}

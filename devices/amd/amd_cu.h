/* SPDX-License-Identifier: MIT */
/*
 * A compute unit (CU): what it holds, and how fast its waves run.
 *
 * Room.  A CU has SIMDs with wave slots, vector and scalar registers of their own, and one local
 * data share (LDS).  A block is some waves of 64 threads.  Each wave takes a slot and registers of
 * one SIMD and gives them back when it ends, so a block can start in the room of waves whose own
 * block goes on (A.D5); the LDS is the block's and comes back with its last wave.  Figures of gfx9:
 * facts of the chip (amd_chip.h); registers and LDS are given in granules.  ASSUMED: a wave goes to
 * the SIMD that can take most further waves, so that a block spreads evenly.
 *
 * Time.  The work of a wave is told in picoseconds of a whole CU.  A CU does a picosecond of work
 * each picosecond, shared equally among its waves, and less while it has fewer waves than it needs
 * to be busy (full_rate_waves): then a wave runs as if there were so many.  Basis: 1,024 blocks on
 * one CU of a Radeon VII take 1,024 times as long as one block's share, and in the last round of an
 * isolated run, with one block of 16 waves in each CU in place of two, a block takes 0.90 of its
 * time, and not half of it.  The sharing is exact: what a division leaves is carried on.  ASSUMED:
 * all waves share alike, whatever their SIMD, kernel and priority.
 *
 * Not modelled: barriers, instruction mix, caches and memory, a limit on blocks below that of
 * waves (COMPUTE_RESOURCE_LIMITS), scratch waves.  Pure accounting: nothing here logs or schedules.
 */
#ifndef GFE_DEVICES_AMD_AMD_CU_H
#define GFE_DEVICES_AMD_AMD_CU_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/amd/amd_chip.h"
#include "emu/engine/arena.h"
#include "emu/base/clock.h"

enum {
    AMD_SIMDS_MAX = 4,
    AMD_CU_WAVES_MAX = 40,
    AMD_WAVE_PLACES = 128, /* the more, the rarer the waves are moved to the first ones */
    AMD_BLOCK_WAVES_MAX = 16,
    /* parts of a wave's tag: its SIMD, from bit 6 on the slot of its block, and is no wave of that
     * later? */
    AMD_TAG_BLOCK_SHIFT = 6,
    AMD_TAG_LAST = 1 << 15,
    /* parts of amd_simd_pack(), each with a bit above it to borrow from */
    AMD_SIMD_WAVES = 0,
    AMD_SIMD_VGPRS = 21,
    AMD_SIMD_SGPRS = 42,
    AMD_SIMD_PART_MAX = (1 << 20) - 1,
};

GFE_STATE_BEGIN
/* What a block takes: of the registers each of its waves. */
struct amd_need {
    uint32_t waves, vgprs, sgprs, lds_bytes;
    uint64_t wave; /* of a SIMD for each wave: amd_simd_pack() */
};

/* A block in a CU; waves 0: the slot is free. */
struct amd_block {
    uint64_t block_index;
    struct amd_need need;
    uint32_t waves;                      /* that have not ended */
    uint32_t grid;                       /* the dispatcher's record */
    uint8_t simd_waves[AMD_SIMDS_MAX];   /* of each SIMD, from its start */
    uint8_t simd_stopped[AMD_SIMDS_MAX]; /* that have been stopped: they hold their room */
    uint32_t reserved[4];                /* as long as a line of a cache */
};

/* What is to come unless a block starts or stops before: it stays true while time passes. */
struct amd_cu_mark {
    gfe_ps at_ps;           /* 0: it must be found out anew */
    uint64_t work_per_wave; /* then, to the picosecond: nothing is left to carry */
};

struct amd_cu {
    uint64_t work_per_wave; /* what each wave that has always been here has done, picoseconds */
    uint64_t carry;         /* work done that has not been shared out yet */
    gfe_ps since_ps;        /* both are as of then */
    struct amd_cu_mark end, wave; /* the next end of a block, and of a wave that was asked for */
    uint64_t lasts; /* bit per wave, from the first on, that is the last of its block */
    uint32_t first_wave, wave_count; /* places of the waves, which are sorted by their ends */
    uint32_t ended_waves;            /* whose blocks have not ended */
    uint32_t lds_bytes;              /* in use */
    uint32_t stopped_waves;          /* that hold room and do not run */
    uint32_t block_count;
    uint64_t slots; /* bit per block slot in use */
    /* What each SIMD has in use (amd_simd_pack()), and as if no wave had ended whose block goes on.
     */
    uint64_t simds[AMD_SIMDS_MAX], held[AMD_SIMDS_MAX];
    uint64_t reserved[4];           /* from here on each array begins at a line of a cache */
    uint64_t ends[AMD_WAVE_PLACES]; /* of waves: work_per_wave when it has done its own; else 0 */
    uint16_t tags[AMD_WAVE_PLACES]; /* AMD_TAG_ */
    struct amd_block blocks[AMD_CU_WAVES_MAX];
};
GFE_STATE_END

/* Limits of a run: they are parameters. */
struct amd_cu_limits {
    uint32_t waves;           /* of a CU, at most what its SIMDs have */
    uint32_t full_rate_waves; /* from so many waves on a CU is busy; not 0 */
};

/* Wave slots, vector and scalar registers in one number: those of some more or fewer waves are
 * added or taken away at once. */
static inline uint64_t amd_simd_pack(uint64_t waves, uint64_t vgprs, uint64_t sgprs)
{
    return waves << AMD_SIMD_WAVES | vgprs << AMD_SIMD_VGPRS | sgprs << AMD_SIMD_SGPRS;
}
/* One of them: AMD_SIMD_WAVES, _VGPRS or _SGPRS. */
static inline uint32_t amd_simd_part(uint64_t simd, uint32_t part)
{
    return (uint32_t)(simd >> part) & AMD_SIMD_PART_MAX;
}

/* Rounds a kernel's figures to what its blocks take.  False: no CU of the chip can ever hold such
 * a block. */
bool amd_need_make(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                   uint32_t block_threads, uint32_t vgprs, uint32_t sgprs, uint32_t lds_bytes,
                   struct amd_need *need);
/* Does the block fit, as the CU was left by the last amd_cu_advance()? */
bool amd_cu_fits(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                 const struct amd_cu *cu, const struct amd_need *need);
/* Starts a block now, which the CU has been advanced to; it must fit (asserted).  grid: the
 * dispatcher's record.  work_ps: of each wave.  Returns its slot. */
uint32_t amd_cu_start(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                      struct amd_cu *cu, const struct amd_need *need, uint64_t block_index,
                      uint32_t grid, const uint64_t *work_ps);
/* Would the block also fit if no wave had ended whose block goes on?  Asked before amd_cu_start().
 */
bool amd_cu_fits_whole(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                       const struct amd_cu *cu, const struct amd_need *need);
/* Lets the waves run until now.  Returns the slots of blocks that have ended, which stay until
 * amd_cu_remove(); none of them ended before another call for that time would have been made. */
uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps);
void amd_cu_remove(struct amd_cu *cu, uint32_t slot);
/* Stops what is left of a block's waves now, which the CU has been advanced to: they hold their
 * room until amd_cu_release().  work_ps gets the work that each of them has not done; returns how
 * many they are. */
uint32_t amd_cu_stop(struct amd_cu *cu, uint32_t slot, uint64_t work_ps[AMD_BLOCK_WAVES_MAX]);
/* A block whose waves are stopped leaves the CU. */
void amd_cu_release(struct amd_cu *cu, uint32_t slot);
/* When the next block ends; GFE_PS_NEVER: there are no waves. */
gfe_ps amd_cu_end_ps(const struct amd_cu_limits *limits, struct amd_cu *cu);
/* When so many waves have ended, not 0; GFE_PS_NEVER: there are not so many.  Neither this nor
 * amd_cu_end_ps() depends on when the CU was advanced. */
gfe_ps amd_cu_waves_ps(const struct amd_cu_limits *limits, struct amd_cu *cu, uint32_t waves);

#endif

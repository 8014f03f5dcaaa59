/* SPDX-License-Identifier: MIT */
/*
 * A compute unit (CU): what it holds, and how fast its waves run.
 *
 * Room.  A CU has SIMDs with wave slots, vector and scalar registers of their own, and one local
 * data share (LDS).  A block consists of waves of 64 threads.  Each wave takes a slot and registers
 * of one SIMD and gives them back when it ends.  So a block can start in the room of waves whose
 * own block continues (A.D5).  The LDS belongs to the block and comes back with its last wave.
 * Figures of gfx9 are facts of the chip (amd_chip.h); registers and LDS are allocated in granules.
 * ASSUMED: a wave goes to the SIMD that can take most further waves, so that a block spreads
 * evenly.
 *
 * Time.  The work of a wave is given in picoseconds of a whole CU.  A CU does one picosecond of
 * work each picosecond, shared equally among its waves.  It does less while it has fewer waves than
 * it needs to be busy (full_rate_waves): a wave then runs as if there were full_rate_waves of them.
 * Basis: 1,024 blocks on one CU of a Radeon VII take 1,024 times as long as one block's share.  The
 * last round of an isolated run has one block of 16 waves in each CU instead of two.  There a block
 * takes 0.90 of its time, and not half of it.  The sharing is exact: the remainder of a division is
 * carried on.  ASSUMED: all waves get the same share, whatever their SIMD, kernel and priority.
 *
 * Not modelled: barriers, instruction mix, caches and memory, a limit on blocks below that of waves
 * (COMPUTE_RESOURCE_LIMITS), scratch waves.  Pure accounting: these functions neither log nor
 * schedule.
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
    AMD_WAVE_PLACES = 128, /* with more places the waves are moved to the front less often */
    AMD_BLOCK_WAVES_MAX = 16,
    /* Parts of a wave's tag: its SIMD; from bit 6 up, the slot of its block; and a bit that is set
     * if no later wave belongs to that block. */
    AMD_TAG_BLOCK_SHIFT = 6,
    AMD_TAG_LAST = 1 << 15,
    /* Parts of amd_simd_pack(), each with a bit above it to borrow from. */
    AMD_SIMD_WAVES = 0,
    AMD_SIMD_VGPRS = 21,
    AMD_SIMD_SGPRS = 42,
    AMD_SIMD_PART_MAX = (1 << 20) - 1,
};

GFE_STATE_BEGIN
/* Resources that a block takes; each of its waves takes the registers. */
struct amd_need {
    uint32_t waves, vgprs, sgprs, lds_bytes;
    uint64_t wave; /* resources of a SIMD for each wave: amd_simd_pack() */
};

/* A block in a CU. waves 0 means that the slot is free. */
struct amd_block {
    uint64_t block_index;
    struct amd_need need;
    uint32_t waves;                      /* waves that have not ended */
    uint32_t grid;                       /* the dispatcher's record */
    uint8_t simd_waves[AMD_SIMDS_MAX];   /* waves on each SIMD at the block's start */
    uint8_t simd_stopped[AMD_SIMDS_MAX]; /* stopped waves on each SIMD: they hold their room */
    uint32_t reserved[4];                /* pads the record to a cache line */
};

/* A coming event.  It stays valid while time passes, until a block starts or stops. */
struct amd_cu_mark {
    gfe_ps at_ps;           /* 0 means that it must be computed anew */
    uint64_t work_per_wave; /* work_per_wave at that time, exactly: no remainder to carry */
};

struct amd_cu {
    uint64_t work_per_wave; /* work of each wave that has always been here, in picoseconds */
    uint64_t carry;         /* work done that has not been shared out yet */
    gfe_ps since_ps;        /* time to which both belong */
    /* next end of a block, and the end of a requested number of waves */
    struct amd_cu_mark end, wave;
    uint64_t lasts; /* a bit for each wave, from the first on, that is the last of its block */
    uint32_t first_wave, wave_count; /* places of the waves, which are sorted by their ends */
    uint32_t ended_waves;            /* ended waves whose blocks have not ended */
    uint32_t lds_bytes;              /* in use */
    uint32_t stopped_waves;          /* waves that hold room and do not run */
    uint32_t block_count;
    uint64_t slots; /* a bit for each block slot in use */
    /* Resources of each SIMD in use (amd_simd_pack()).  `held` also counts ended waves whose blocks
     * continue. */
    uint64_t simds[AMD_SIMDS_MAX], held[AMD_SIMDS_MAX];
    uint64_t reserved[4]; /* from here on each array begins at a cache line */
    /* of waves: work_per_wave at which the wave has done its work; 0 for none */
    uint64_t ends[AMD_WAVE_PLACES];
    uint16_t tags[AMD_WAVE_PLACES]; /* AMD_TAG_ */
    struct amd_block blocks[AMD_CU_WAVES_MAX];
};
GFE_STATE_END

/* Limits of a run, which are parameters. */
struct amd_cu_limits {
    uint32_t waves;           /* of a CU, at most what its SIMDs have */
    uint32_t full_rate_waves; /* number of waves from which on a CU is busy; not 0 */
};

/* Returns wave slots, vector and scalar registers in one number, so that those of several waves are
 * added or subtracted at once. */
static inline uint64_t amd_simd_pack(uint64_t waves, uint64_t vgprs, uint64_t sgprs)
{
    return waves << AMD_SIMD_WAVES | vgprs << AMD_SIMD_VGPRS | sgprs << AMD_SIMD_SGPRS;
}
/* Returns one part: AMD_SIMD_WAVES, _VGPRS or _SGPRS. */
static inline uint32_t amd_simd_part(uint64_t simd, uint32_t part)
{
    return (uint32_t)(simd >> part) & AMD_SIMD_PART_MAX;
}

/* Rounds a kernel's figures to what its blocks take.  Returns false if no CU of the chip can ever
 * hold such a block. */
bool amd_need_make(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                   uint32_t block_threads, uint32_t vgprs, uint32_t sgprs, uint32_t lds_bytes,
                   struct amd_need *need);
/* Returns true if the block fits in the CU as the last amd_cu_advance() left it. */
bool amd_cu_fits(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                 const struct amd_cu *cu, const struct amd_need *need);
/* Starts a block now, and returns its slot.  The CU has been advanced to now, and the block must
 * fit (asserted).  `grid` is the dispatcher's record; `work_ps` is the work of each wave. */
uint32_t amd_cu_start(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                      struct amd_cu *cu, const struct amd_need *need, uint64_t block_index,
                      uint32_t grid, const uint64_t *work_ps);
/* Returns true if the block would also fit without the room of ended waves whose block continues.
 * Call it before amd_cu_start(). */
bool amd_cu_fits_whole(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                       const struct amd_cu *cu, const struct amd_need *need);
/* Runs the waves until now.  Returns the slots of blocks that have ended, which stay until
 * amd_cu_remove().  Call it at each time that amd_cu_end_ps() returns, so that no block has ended
 * earlier. */
uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps);
/* Frees the slot of a block that has ended. */
void amd_cu_remove(struct amd_cu *cu, uint32_t slot);
/* Stops the remaining waves of a block now; the CU has been advanced to now.  The waves hold their
 * room until amd_cu_release(). work_ps gets the work that each wave has not done.  Returns the
 * number of these waves. */
uint32_t amd_cu_stop(struct amd_cu *cu, uint32_t slot, uint64_t work_ps[AMD_BLOCK_WAVES_MAX]);
/* Removes a block whose waves are stopped from the CU. */
void amd_cu_release(struct amd_cu *cu, uint32_t slot);
/* Returns the time of the next end of a block.  `GFE_PS_NEVER` means that there are no waves. */
gfe_ps amd_cu_end_ps(const struct amd_cu_limits *limits, struct amd_cu *cu);
/* Returns the time at which `waves` waves (not 0) have ended.  `GFE_PS_NEVER` means that there are
 * fewer waves.  Neither this nor amd_cu_end_ps() depends on when the CU was advanced. */
gfe_ps amd_cu_waves_ps(const struct amd_cu_limits *limits, struct amd_cu *cu, uint32_t waves);

#endif

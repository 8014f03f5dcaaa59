/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/hash_trace.h"

#include <stdint.h>
#include <stdlib.h>

#include "emu/base/handoff.h"
#include "traces/format/trace_codec.h"

/* Running numbers for process or thread ids: an open hash table, at most half full. */
struct numbering {
    struct {
        uint32_t id, number; /* number 0: empty slot */
    } * slots;
    uint32_t slot_count, used; /* slot_count is a power of two */
};

static uint32_t *number_find(struct numbering *numbering, uint32_t id)
{
    uint32_t i = (id * 2654435761u) & (numbering->slot_count - 1);

    while (numbering->slots[i].number != 0 && numbering->slots[i].id != id)
        i = (i + 1) & (numbering->slot_count - 1);
    numbering->slots[i].id = id;
    return &numbering->slots[i].number;
}

static bool numbering_grow(struct numbering *numbering)
{
    struct numbering larger = {.slot_count = numbering->slot_count ? 2 * numbering->slot_count : 64,
                               .used = numbering->used};

    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (uint32_t i = 0; i < numbering->slot_count; i++)
        if (numbering->slots[i].number != 0)
            *number_find(&larger, numbering->slots[i].id) = numbering->slots[i].number;
    free(numbering->slots);
    *numbering = larger;
    return true;
}

/* Replaces an id by its number, from 1 on.  False when memory is short. */
static bool numbering_apply(struct numbering *numbering, uint32_t *id)
{
    if (2 * (uint64_t)numbering->used >= numbering->slot_count && !numbering_grow(numbering))
        return false;
    uint32_t *number = number_find(numbering, *id);
    if (*number == 0)
        *number = ++numbering->used;
    *id = *number;
    return true;
}

/* ---- blocks of encoded records --------------------------------------------------------------- */

enum {
    BLOCK_BYTES = 256 << 10,     /* unless a record is larger */
    THREAD_FROM_BYTES = 1 << 20, /* for less a second thread is not worth it */
};

struct hash_block {
    uint8_t *bytes;
    size_t used, capacity;
};

struct hash_trace {
    struct digest digest; /* belongs to the second thread while there is one */
    struct numbering processes, threads;
    uint64_t byte_count;
    struct hash_block blocks[HANDOFF_SLOTS];
    struct hash_block *filling;
    struct handoff *handoff; /* NULL: no second thread */
    bool thread_asked;
};

struct hash_trace *hash_trace_new(void)
{
    struct hash_trace *hash = calloc(1, sizeof *hash);

    if (!hash)
        return NULL;
    digest_start(&hash->digest);
    hash->filling = &hash->blocks[0];
    return hash;
}

static void blocks_hash(struct handoff *handoff, void *context)
{
    struct hash_trace *hash = context;
    uint32_t number;

    while ((number = handoff_take(handoff)) != HANDOFF_NONE) {
        digest_add(&hash->digest, hash->blocks[number].bytes, hash->blocks[number].used);
        handoff_taken(handoff);
    }
}

/* The block is hashed, or on its way; the next one is empty. */
static void block_end(struct hash_trace *hash)
{
    hash->byte_count += hash->filling->used;
    if (hash->handoff) {
        handoff_filled(hash->handoff);
        hash->filling = &hash->blocks[handoff_fill(hash->handoff)];
    } else {
        digest_add(&hash->digest, hash->filling->bytes, hash->filling->used);
    }
    hash->filling->used = 0;
    if (hash->thread_asked || hash->byte_count < THREAD_FROM_BYTES)
        return;
    hash->thread_asked = true;
    hash->handoff = handoff_start(blocks_hash, hash);
    if (hash->handoff) {
        hash->filling = &hash->blocks[handoff_fill(hash->handoff)];
        hash->filling->used = 0;
    }
}

static bool block_reserve(struct hash_trace *hash, size_t bytes)
{
    if (hash->filling->used > 0 && hash->filling->used + bytes > BLOCK_BYTES)
        block_end(hash);
    struct hash_block *block = hash->filling;
    if (bytes <= block->capacity - block->used)
        return true;
    free(block->bytes);
    block->capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    block->bytes = malloc(block->capacity);
    if (!block->bytes)
        block->capacity = 0;
    return block->bytes != NULL;
}

bool hash_trace_add(struct hash_trace *hash, const struct trace_record *record)
{
    struct trace_head head = record->head;
    uint8_t *to;

    if (!block_reserve(hash, TRACE_HEAD_BYTES + (size_t)trace_fields_bytes(record)) ||
        !numbering_apply(&hash->processes, &head.process_id) ||
        !numbering_apply(&hash->threads, &head.thread_id))
        return false;
    to = hash->filling->bytes + hash->filling->used;
    head.sequence = 0;
    head.length_bytes =
        (uint32_t)trace_encode_fields(to + TRACE_HEAD_BYTES, record, TRACE_WITHOUT_HOST_FIELDS);
    trace_encode_head(to, &head);
    hash->filling->used += TRACE_HEAD_BYTES + (size_t)head.length_bytes;
    return true;
}

static void thread_end(struct hash_trace *hash)
{
    if (!hash->handoff)
        return;
    handoff_stop(hash->handoff);
    handoff_end(hash->handoff);
    hash->handoff = NULL;
}

void hash_trace_end(struct hash_trace *hash, char hex[DIGEST_HEX_BYTES])
{
    thread_end(hash); /* what it was given, it has hashed; the rest is here */
    digest_add(&hash->digest, hash->filling->bytes, hash->filling->used);
    digest_end_hex(&hash->digest, hex);
}

void hash_trace_free(struct hash_trace *hash)
{
    if (!hash)
        return;
    thread_end(hash);
    for (uint32_t i = 0; i < HANDOFF_SLOTS; i++)
        free(hash->blocks[i].bytes);
    free(hash->processes.slots);
    free(hash->threads.slots);
    free(hash);
}

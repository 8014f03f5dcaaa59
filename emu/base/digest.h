/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), by nettle where configure found it (it uses the processor's own
 * instructions for it), else by libmd.  Both give the same digits.
 */
#ifndef GFE_EMU_DIGEST_H
#define GFE_EMU_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef HAVE_NETTLE
#include <nettle/sha2.h>
struct digest {
    struct sha256_ctx context;
};
#else
#include <sha256.h>
struct digest {
    SHA256_CTX context;
};
#endif

enum { DIGEST_BYTES = 32, DIGEST_HEX_BYTES = 65 /* 64 digits and the terminator */ };

void digest_start(struct digest *digest);
void digest_add(struct digest *digest, const void *data, size_t bytes);
/* Either ends it; digest_start() begins anew. */
void digest_end(struct digest *digest, uint8_t bytes[DIGEST_BYTES]);
void digest_end_hex(struct digest *digest, char hex[DIGEST_HEX_BYTES]);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4).
 *
 * nettle computes it if configure found it, because nettle uses the processor's SHA instructions;
 * libmd if not.  Both give the same digits.
 */
#ifndef GFE_EMU_BASE_DIGEST_H
#define GFE_EMU_BASE_DIGEST_H

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

/* Starts a digest.  May be called again after an end. */
void digest_start(struct digest *digest);
/* Adds `bytes` bytes of `data`. */
void digest_add(struct digest *digest, const void *data, size_t bytes);
/* Both end the digest and write the result, as bytes or as hexadecimal digits. */
void digest_end(struct digest *digest, uint8_t bytes[DIGEST_BYTES]);
void digest_end_hex(struct digest *digest, char hex[DIGEST_HEX_BYTES]);

#endif

/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/digest.h"

#ifdef HAVE_NETTLE

void digest_start(struct digest *digest)
{
    sha256_init(&digest->context);
}

void digest_add(struct digest *digest, const void *data, size_t bytes)
{
    sha256_update(&digest->context, bytes, data);
}

void digest_end(struct digest *digest, uint8_t bytes[DIGEST_BYTES])
{
    sha256_digest(&digest->context, DIGEST_BYTES, bytes);
}

#else

void digest_start(struct digest *digest)
{
    SHA256Init(&digest->context);
}

void digest_add(struct digest *digest, const void *data, size_t bytes)
{
    SHA256Update(&digest->context, data, bytes);
}

void digest_end(struct digest *digest, uint8_t bytes[DIGEST_BYTES])
{
    SHA256Final(bytes, &digest->context);
}

#endif

void digest_end_hex(struct digest *digest, char hex[DIGEST_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[DIGEST_BYTES];

    digest_end(digest, bytes);
    for (unsigned i = 0; i < DIGEST_BYTES; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[DIGEST_HEX_BYTES - 1] = '\0';
}

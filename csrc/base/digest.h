/* digest.h: a digest of bytes, for which nobody can find other bytes: BLAKE2s-256.
 *
 * Saarinen and Aumasson, The BLAKE2 cryptographic hash and message authentication code (MAC),
 * RFC 7693. */
#ifndef SAT_BASE_DIGEST_H
#define SAT_BASE_DIGEST_H

#include <stddef.h>

enum { SAT_DIGEST = 32 }; /* bytes */

void sat_digest(const void *bytes, size_t size, unsigned char digest[SAT_DIGEST]);

#endif

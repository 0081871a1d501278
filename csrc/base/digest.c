/* digest.c: BLAKE2s-256 without a key, in the notation of RFC 7693. */
#include "base/digest.h"

#include "base/byte_order.h"

enum { BLOCK = 64 };

static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Turns right by `bits`, the low ones of which come out on the left. */
SAT_INLINE uint32_t turn(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

#define G(a, b, c, d, x, y)                                                                        \
  a += b + m[x], d = turn(d ^ a, 16), c += d, b = turn(b ^ c, 12);                                 \
  a += b + m[y], d = turn(d ^ a, 8), c += d, b = turn(b ^ c, 7)

/* A round mixes the columns of v and then its diagonals, with the words in the order of a row of
 * SIGMA, which the compiler has to know. */
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15)                \
  G(v0, v4, v8, v12, s0, s1);                                                                      \
  G(v1, v5, v9, v13, s2, s3);                                                                      \
  G(v2, v6, v10, v14, s4, s5);                                                                     \
  G(v3, v7, v11, v15, s6, s7);                                                                     \
  G(v0, v5, v10, v15, s8, s9);                                                                     \
  G(v1, v6, v11, v12, s10, s11);                                                                   \
  G(v2, v7, v8, v13, s12, s13);                                                                    \
  G(v3, v4, v9, v14, s14, s15)

/* Compresses a block into h; `total` bytes have been read, those of the block among them. */
static void compress(uint32_t h[8], const unsigned char *block, uint64_t total, bool is_last) {
  uint32_t m[16];
  for (int i = 0; i < 16; i++) m[i] = sat_get_32(block + 4 * i);
  uint32_t v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
  uint32_t v8 = IV[0], v9 = IV[1], v10 = IV[2], v11 = IV[3], v12 = IV[4] ^ (uint32_t)total,
           v13 = IV[5] ^ (uint32_t)(total >> 32), v14 = is_last ? ~IV[6] : IV[6], v15 = IV[7];
  ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
  ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
  ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
  ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
  ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
  ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
  ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
  ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
  ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
  h[0] ^= v0 ^ v8, h[1] ^= v1 ^ v9, h[2] ^= v2 ^ v10, h[3] ^= v3 ^ v11;
  h[4] ^= v4 ^ v12, h[5] ^= v5 ^ v13, h[6] ^= v6 ^ v14, h[7] ^= v7 ^ v15;
}

void sat_digest(const void *bytes, size_t size, unsigned char digest[SAT_DIGEST]) {
  const unsigned char *at = bytes;
  unsigned char last[BLOCK] = {0};
  uint64_t total = 0;
  uint32_t h[8];
  memcpy(h, IV, sizeof h);
  h[0] ^= 0x01010000 ^ SAT_DIGEST; /* no key, a tree of one leaf */
  for (; size > BLOCK; size -= BLOCK, at += BLOCK) compress(h, at, total += BLOCK, false);
  if (size > 0) memcpy(last, at, size);
  compress(h, last, total + size, true);
  for (int i = 0; i < 8; i++) sat_put_32(digest + 4 * i, h[i]);
}

#undef G
#undef ROUND

/* digest.c: BLAKE2s-256 without a key, in the notation of RFC 7693.
 *
 * Saarinen and Aumasson, The BLAKE2 cryptographic hash and message authentication code (MAC). */
#include "base/byte_order.h"

enum { BLOCK = 64 };

static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint8_t SIGMA[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                      {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                      {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                      {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                      {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                      {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

SAT_INLINE uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

/* The function G of a column or a diagonal of v, for two words of the block. */
SAT_INLINE void mix_words(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y) {
  v[a] += v[b] + x;
  v[d] = rotated(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotated(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = rotated(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotated(v[b] ^ v[c], 7);
}

SAT_INLINE void mix_round(uint32_t v[16], const uint32_t m[16], const uint8_t s[16]) {
  mix_words(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
  mix_words(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
  mix_words(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
  mix_words(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
  mix_words(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
  mix_words(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
  mix_words(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
  mix_words(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
}

/* Compresses a block into h; `total` bytes have been read, those of the block among them. */
static void compress(uint32_t h[8], const unsigned char *block, uint64_t total, bool is_last) {
  uint32_t m[16], v[16];
  for (int i = 0; i < 16; i++) m[i] = sat_get_32(block + (size_t)4 * (size_t)i);
  for (int i = 0; i < 8; i++) v[i] = h[i], v[8 + i] = IV[i];
  v[12] ^= (uint32_t)total;
  v[13] ^= (uint32_t)(total >> 32);
  v[14] ^= is_last ? UINT32_MAX : 0;
#ifdef __GNUC__
#pragma GCC unroll 10 /* the compiler has to know the rows */
#endif
  for (int i = 0; i < 10; i++) mix_round(v, m, SIGMA[i]);
  for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[8 + i];
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
  for (size_t i = 0; i < 8; i++) sat_put_32(digest + 4 * i, h[i]);
}

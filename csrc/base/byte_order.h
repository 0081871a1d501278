/* byte_order.h: numbers as little-endian bytes, the same on every platform, and a hash and a digest
 * of them. Compilers make one instruction of the bytes of a number, but not of a loop over them. */
#ifndef SAT_BASE_BYTE_ORDER_H
#define SAT_BASE_BYTE_ORDER_H

#include "base/vec2.h"

#include <string.h>

SAT_INLINE void sat_put_32(unsigned char *to, uint32_t value) {
  to[0] = (unsigned char)value;
  to[1] = (unsigned char)(value >> 8);
  to[2] = (unsigned char)(value >> 16);
  to[3] = (unsigned char)(value >> 24);
}
SAT_INLINE void sat_put_64(unsigned char *to, uint64_t value) {
  sat_put_32(to, (uint32_t)value);
  sat_put_32(to + 4, (uint32_t)(value >> 32));
}
SAT_INLINE void sat_put_double(unsigned char *to, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  sat_put_64(to, bits);
}
SAT_INLINE void sat_put_vec2(unsigned char *to, sat_Vec2 value) {
  sat_put_double(to, value.x);
  sat_put_double(to + 8, value.y);
}

SAT_INLINE uint32_t sat_get_32(const unsigned char *from) {
  return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
         (uint32_t)from[3] << 24;
}
SAT_INLINE uint64_t sat_get_64(const unsigned char *from) {
  return sat_get_32(from) | (uint64_t)sat_get_32(from + 4) << 32;
}
SAT_INLINE double sat_get_double(const unsigned char *from) {
  uint64_t bits = sat_get_64(from);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
SAT_INLINE sat_Vec2 sat_get_vec2(const unsigned char *from) {
  return vec2(sat_get_double(from), sat_get_double(from + 8));
}

/* Whether two vectors are the same, to the bit. */
SAT_INLINE bool sat_same_bits(sat_Vec2 a, sat_Vec2 b) { return memcmp(&a, &b, sizeof a) == 0; }

/* A hash with a number more, by multiplication (Knuth, The art of computer programming, volume 3,
 * section 6.4). */
static inline uint32_t mix_number(uint32_t hash, double number) {
  uint64_t bits;
  number += 0; /* -0 and 0 are equal */
  memcpy(&bits, &number, sizeof bits);
  hash = (hash ^ (uint32_t)bits ^ (uint32_t)(bits >> 32)) * 0x9e3779b1u;
  return hash ^ hash >> 15;
}

/* A digest of bytes, for which nobody can find other bytes: BLAKE2s-256. */
enum { SAT_DIGEST = 32 }; /* bytes */
void sat_digest(const void *bytes, size_t size, unsigned char digest[SAT_DIGEST]);

#endif

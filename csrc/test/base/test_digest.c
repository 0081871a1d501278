/* test_digest.c: the digest is BLAKE2s-256, for inputs of every length around a block's. */
#include "base/byte_order.h"

#include "test/suite.h"

#include <stdio.h>
#include <string.h>

static void check_digest(const void *bytes, size_t size, const char *expected) {
  unsigned char digest[SAT_DIGEST];
  char text[2 * SAT_DIGEST + 1];
  sat_digest(bytes, size, digest);
  for (size_t i = 0; i < SAT_DIGEST; i++) snprintf(&text[2 * i], 3, "%02x", digest[i]);
  assert_string_equal(text, expected);
}

/* RFC 7693, appendix B. */
TEST(the_digest_of_abc_is_that_of_the_standard) {
  check_digest("abc", 3, "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
}

/* The digests come from Python's hashlib. */
TEST(inputs_of_all_lengths_have_the_digests_of_another_implementation) {
  static const struct {
    size_t size;
    const char *digest;
  } known[] = {
      {0, "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9"},
      {1, "fc87f4f1d721942d282aa61989c069b290d1447d20d4b811430f47ea0edf9991"},
      {3, "ca943acca89a34cf4040cf8ea24147dd94ea62a49de8ef9a88af5272339927b3"},
      {63, "5c9eb3e5acf93799a68777f27cdde8e90cb16d511b7983a875ac5dbfa8aca778"},
      {64, "85de17b4e2581889b98b948346a970b5291b5d2a2a8ee75b1aa2bbb02b98b211"},
      {65, "1c1a9619a26d7cd550199567e5c316eb3db33d96c29790a6c68ba7f1ee8a8803"},
      {127, "440d16085a6e3685c5cbc450b56cb4cb71a3f707e5eae0d4ca18715a41583fc7"},
      {128, "46bf7abf397f8c8f86566279cba2505c9d255be7409760dc327ae520faaf356a"},
      {129, "030e44da1226be0765e3ff31a849aca32cb20222ac3dc32ff10670dc95b22534"},
      {255, "dfece97126c25e39435f2c57642a24ae5091856db626588682095b70dab76917"},
      {1000, "802d01c1238627f67baee29885006cfaab1f07890532935a1ae9354d318df150"},
      {4096, "e7b1b3b42839e7a85c653812cc29d2da8a000db2900ceacff2c4bcedb934c616"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    unsigned char bytes[4096];
    for (size_t k = 0; k < known[i].size; k++) bytes[k] = (unsigned char)(7 * k + known[i].size);
    check_digest(bytes, known[i].size, known[i].digest);
  }
}

int main(void) { return run_suite(NULL, NULL); }

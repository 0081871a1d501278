/* fuzz_world.c: any bytes as a saved world, or as a world and a delta since it. Bytes that are not
 * refused must make a world that answers every question and is saved as it was.
 *
 * The mutator knows the layout of saves, and sets the checksum right, since hardly any input would
 * be accepted otherwise. Built with libFuzzer: `make fuzz`. */
#include "world/save.h"
#include "test/forge.h"
#include "test/loaded.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 13 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sat_Status status;
  size -= size % 8;
  if (size < SAT_SAVED_HEAD || size > MOST_BYTES) return 0;
  unsigned char *bytes = malloc(size);
  if (!bytes) abort();
  memcpy(bytes, data, size);
  ForgedDelta forged;
  const char *wrong;
  if (forge_open_delta(bytes, size, &forged)) wrong = check_loaded_delta(&forged, &status);
  else {
    forge_seal(bytes, size);
    wrong = check_loaded(bytes, size, &status);
  }
  if (wrong) {
    fprintf(stderr, "%s\n", wrong);
    abort();
  }
  free(bytes);
  return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Random random = {seed};
  ForgedDelta forged;
  size_t made = 0;
  if (forge_open_delta(data, size, &forged) || random_integer(&random, 0, 63) == 0)
    made = forge_delta(&random, data, size, most);
  else if (size < SAT_SAVED_HEAD) made = forge_any_world(&random, data, most);
  else if (random_integer(&random, 0, 7) > 0)
    made = forge_world(&random, data, size, most, NULL, 0);
  return made ? made : LLVMFuzzerMutate(data, size, most);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed) {
  Random random = {seed};
  size_t made = forge_other_delta(data, size, other, other_size, out, most);
  if (made || size > most) return made;
  memcpy(out, data, size);
  return forge_world(&random, out, size, most, other, other_size);
}

/* fuzz_world.c: any bytes as a saved world, or as a saved world and a delta since it; a world that
 * is not refused must answer queries and be saved and loaded without a change.
 *
 * The mutator knows the format of saves, and the checksum is corrected before loading, since
 * hardly any input would be accepted otherwise. `make fuzz` builds this file with libFuzzer. */
#include "world/save/saved.h"
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

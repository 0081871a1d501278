/* fuzz_world.c: any bytes as a saved world. What is not refused must be one that can be asked and
 * that is saved as it was.
 *
 * The checksum is made right first, or else hardly anything would ever be let in. Built with
 * libFuzzer: `make fuzz`. */
#include "../world.h"
#include "../world_save.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 14, MOST_END = 4096 };

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  (void)context, (void)old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

static const sat_Allocator ALLOCATOR = {allocate, NULL};

static void require(bool is_so, const char *what) {
  if (is_so) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static sat_Shape **make_blocks(const sat_Saved *saved) {
  sat_Shape **blocks = calloc(saved->count + 1, sizeof(sat_Shape *));
  sat_SavedShape shape = {0};
  require(blocks != NULL, "no memory");
  for (size_t i = 0; sat_saved_next(saved, &shape); i++) {
    blocks[i] = malloc(shape.bytes);
    require(blocks[i] != NULL, "no memory");
    blocks[i]->owner = NULL;
    blocks[i]->moved = NULL;
  }
  return blocks;
}

static void check_saved_again(const sat_World *world, const unsigned char *bytes, size_t size) {
  require(sat_world_saved_size(world) == size, "it is saved in another size");
  unsigned char *again = malloc(size);
  require(again != NULL, "no memory");
  sat_world_save(world, again);
  require(memcmp(again, bytes, size) == 0, "it is saved in other bytes");
  free(again);
}

/* A pair is what sat_collide says, whoever asks. */
static void check_collisions(sat_World *world) {
  sat_Collisions all = {.allocator = ALLOCATOR}, of_one = {.allocator = ALLOCATOR};
  size_t twice = 0;
  require(sat_world_collisions(world, &all) == SAT_OK, "collisions failed");
  for (uint32_t slot = 0; slot < world->end; slot++) {
    const sat_Shape *shape = sat_world_shape(world, slot);
    if (!shape) continue;
    require(sat_world_collisions_of(world, shape, &of_one) == SAT_OK, "collisions of one failed");
    twice += of_one.count;
  }
  require(twice == 2 * all.count, "one shape's collisions are not all");
  sat_collisions_free(&all);
  sat_collisions_free(&of_one);
}

static void ask(sat_World *world) {
  sat_Items items = {.allocator = ALLOCATOR};
  sat_Encounter first;
  sat_Nearby nearest;
  sat_Vec2 center = vec2(0, 0);
  const sat_Shape *shape = sat_world_shape(world, 0);
  if (shape) center = sat_shape_center(shape);
  require(sat_world_at(world, center, &items) == SAT_OK, "at failed");
  if (shape) sat_world_query_shape(world, shape, &items);
  if (shape) sat_world_cast(world, shape, vec2(100, 30), &first);
  sat_world_query(world, (sat_Rectangle){-10, -10, 20, 20}, &items);
  sat_world_raycast(world, vec2(-100, 0), center, &first);
  sat_world_raycast_all(world, vec2(-100, 0), center, &items);
  sat_world_nearest(world, vec2(1, 2), HUGE_VAL, &nearest);
  sat_world_nearest_all(world, center, 5, &items);
  sat_items_free(&items);
}

static void live_with(const sat_Saved *saved, const unsigned char *bytes, size_t size) {
  sat_World world;
  sat_Moved moved;
  sat_Shape **blocks = make_blocks(saved);
  sat_world_init(&world, ALLOCATOR, &moved);
  require(sat_world_load(&world, saved, blocks) == SAT_OK, "loading failed");
  check_saved_again(&world, bytes, size);
  check_collisions(&world);
  require(sat_world_update(&world) == SAT_OK, "update failed");
  require(sat_world_separate(&world, 3, NULL) == SAT_OK, "separate failed");
  require(sat_world_update(&world) == SAT_OK, "update failed");
  ask(&world);
  sat_world_free(&world);
  for (size_t i = 0; i < saved->count; i++) free(blocks[i]);
  free(blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sat_Scratch scratch = sat_scratch_make(ALLOCATOR);
  sat_Saved saved;
  size -= size % 8;
  if (size < SAT_SAVED_HEAD || size > MOST_BYTES) return 0;
  unsigned char *bytes = malloc(size);
  require(bytes != NULL, "no memory");
  memcpy(bytes, data, size);
  sat_put_64(bytes, SAT_SAVED_MAGIC);
  sat_put_32(bytes + SAT_SAVED_VERSION_AT, SAT_SAVED_VERSION);
  sat_put_64(bytes + SAT_SAVED_SUM_AT, sat_saved_sum(bytes, size));
  sat_Status status = sat_saved_open(&saved, bytes, size, &scratch);
  require(status == SAT_OK || status == SAT_ESAVED, "another status");
  if (status == SAT_OK && saved.end <= MOST_END) live_with(&saved, bytes, size);
  free(bytes);
  sat_scratch_free(&scratch);
  return 0;
}

/* memory.h: working memory for one call, and lists that grow. */
#ifndef SAT_BASE_MEMORY_H
#define SAT_BASE_MEMORY_H

#include "base/base.h"

#include <string.h>

/* Returns at least `bytes` (more than 0) of memory, aligned as the allocator's blocks are, or NULL
 * when the allocator gives none. The block keeps its contents, but may move. The pointer is valid
 * until the next call with the same scratch. */
void *sat_scratch_reserve(sat_Scratch *scratch, size_t bytes);
/* An allocator's function that has no memory: what uses it has the room that it is given. */
void *sat_no_memory(void *context, void *block, size_t old_bytes, size_t new_bytes);

/* Makes room for `more` elements behind those of a SAT_LIST. SAT_ENOMEM leaves it as it was. */
#define SAT_LIST_RESERVE(list, more)                                                               \
  ((list)->capacity - (list)->count >= (more) ? SAT_OK                                             \
                                              : sat_list_reserve(list, more, sizeof *(list)->at))
sat_Status sat_list_reserve(void *list, size_t more, size_t element_size);
/* Appends a value to a SAT_LIST. SAT_ENOMEM leaves it as it was. */
#define SAT_LIST_ADD(list, ...)                                                                    \
  (SAT_LIST_RESERVE(list, 1) ? SAT_ENOMEM : ((list)->at[(list)->count++] = (__VA_ARGS__), SAT_OK))

/* Appends the elements of a SAT_LIST to another one of the same type. SAT_ENOMEM leaves it as it
 * was. */
#define SAT_LIST_APPEND(to, from)                                                                  \
  (SAT_LIST_RESERVE(to, (from)->count)                                                             \
       ? SAT_ENOMEM                                                                                \
       : (sat_copy_behind((to)->at, (to)->count, (from)->at, (from)->count, sizeof *(to)->at),     \
          (to)->count += (from)->count, SAT_OK))
/* Copies elements behind others; no elements may be at no address. */
static inline void sat_copy_behind(void *at, size_t count, const void *from, size_t more,
                                   size_t element_size) {
  if (more > 0) memcpy((char *)at + count * element_size, from, more * element_size);
}

#define SAT_SWAP(T, one, other)                                                                    \
  do {                                                                                             \
    T kept = *(one);                                                                               \
    *(one) = *(other);                                                                             \
    *(other) = kept;                                                                               \
  } while (0)

#endif

/* status.c: the text of each status, for error messages. */
#include "base/vec2.h"

#define TEXT_OF(number) #number
#define NUMBER_TEXT(macro) TEXT_OF(macro)

const char *sat_status_text(sat_Status status) {
  switch (status) {
  case SAT_OK: return "the call has succeeded";
  case SAT_MISS: return "the shapes do not meet";
  case SAT_ENOMEM: return "there is not enough memory";
  case SAT_ERANGE: return "a number is not finite or beyond 1e15";
  case SAT_EVALUE: return "a number has no meaning for this call";
  case SAT_EFEW: return "fewer than three vertices are distinct";
  case SAT_EAREA: return "the vertices enclose no area";
  case SAT_ECROSS: return "two edges cross or run along each other";
  case SAT_ECONCAVE: return "the ring is not convex";
  case SAT_EHOLE: return "the hole lies outside the ring or in another hole";
  case SAT_ETAKEN: return "the shape is in a world already: remove it there, or add a clone()";
  case SAT_ESAVED: return "the bytes are no saved world, or a damaged one";
  case SAT_EVERSION:
    return "the world was saved by another version, not in format " NUMBER_TEXT(SAT_SAVED_VERSION);
  case SAT_EDEEP: return "compounds are nested more than 500 deep";
  case SAT_EBASE: return "the delta was made since another save than the base of this world";
  case SAT_ECROWD:
    return "too many pieces of two shapes overlap in one place: their way out would take more than "
           "128 MB, so make them of fewer pieces";
  case SAT_EMANY:
    return "the rings cross or run side by side so often that more than 1000000 edges would be "
           "left, or 2000000000 pairs looked at";
  }
  return "the status is unknown";
}

/* lane_any.c: the fast lane for any processor. See lane.h. */
#define LANE sat_lane_any
#include "lane_code.h"

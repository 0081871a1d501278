/* tolerance.h: error bounds and other small constants, each with its reason. */
#ifndef SAT_BASE_TOLERANCE_H
#define SAT_BASE_TOLERANCE_H

/* The distance from 1 to the next double, which is twice the largest relative error of a
 * rounding. */
#define SAT_EPSILON 0x1p-52

/* ---------------------------------------------------------------- base, polygon and shape */

/* sat_orientation: three roundings of 2^-53 each, and the second-order terms (Shewchuk, Adaptive
 * precision floating-point arithmetic, 1997, section 4.2: (3 + 16 e) e = 3.33e-16). */
#define SAT_CROSS_ERROR 3.4e-16
/* sat_orientation: each underflow of a product loses less than 2^-1074, far below this number. */
#define SAT_UNDERFLOW_ERROR 1e-290

#define SAT_PI 3.14159265358979323846

/* Half of pi in three doubles, and the inverse of the first, both to the nearest double. */
#define SAT_HALF_PI_HIGH 0x1.921fb54442d18p+0
#define SAT_HALF_PI_MIDDLE 0x1.1a62633145c07p-54
#define SAT_HALF_PI_LOW (-0x1.f1976b7ed8fbcp-110)
#define SAT_QUARTERS_PER_RADIAN 0x1.45f306dc9c883p-1
/* Half of pi to 119 bits, in numbers of 33, 33 and 53 bits: the products of the first two with
 * whole numbers below 2^20 are exact. */
#define SAT_HALF_PI_33_BITS 0x1.921fb544p+0
#define SAT_HALF_PI_NEXT_33_BITS 0x1.0b4611a6p-34
#define SAT_HALF_PI_LAST_BITS 0x1.3198a2e037073p-69
/* The best polynomials for r up to pi / 4: sin r = r + r^3 (...), cos r = 1 - r^2 / 2 + r^4 (...),
 * with errors below 2^-57; the factors of both stand side by side. From fdlibm, Sun Microsystems,
 * 1993. */
#define SAT_SINE_COSINE_FACTORS                                                                    \
  {                                                                                                \
    {-1.66666666666666324348e-01, 4.16666666666666019037e-02},                                     \
        {8.33333333332248946124e-03, -1.38888888888741095749e-03},                                 \
        {-1.98412698298579493134e-04, 2.48015872894767294178e-05},                                 \
        {2.75573137070700676789e-06, -2.75573143513906633035e-07},                                 \
        {-2.50507602534068634195e-08, 2.08757232129817482790e-09},                                 \
        {1.58969099521155010221e-10, -1.13596475577881948265e-11},                                 \
  }

/* The cosines of k / 64 of a turn up to a quarter, to the nearest double: what is seen of an arc is
 * cut into chords there. */
#define SAT_COSINES_64                                                                             \
  {                                                                                                \
    1, 0x1.fd88da3d12526p-1, 0x1.f6297cff75cb0p-1, 0x1.e9f4156c62ddap-1, 0x1.d906bcf328d46p-1,     \
        0x1.c38b2f180bdb1p-1, 0x1.a9b66290ea1a3p-1, 0x1.8bc806b151741p-1, 0x1.6a09e667f3bcdp-1,    \
        0x1.44cf325091dd6p-1, 0x1.1c73b39ae68c8p-1, 0x1.e2b5d3806f63bp-2, 0x1.87de2a6aea963p-2,    \
        0x1.294062ed59f06p-2, 0x1.8f8b83c69a60bp-3, 0x1.917a6bc29b42cp-4, 0                        \
  }

/* The polynomial of the arctangent: atan t = t - t (t^2 a + t^4 b + ...), for t up to 7 / 16, with
 * an error below 2^-56; and the arctangents of 1 / 2 and 1 in two doubles each. From fdlibm, Sun
 * Microsystems, 1993. */
#define SAT_ARCTANGENT_FACTORS                                                                     \
  {                                                                                                \
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01,           \
        -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02,      \
        6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02,       \
        -3.65315727442169155270e-02, 1.62858201153657823623e-02,                                   \
  }
#define SAT_ARCTANGENT_OF_HALF 4.63647609000806093515e-01, 2.26987774529616870924e-17
#define SAT_ARCTANGENT_OF_1 7.85398163397448278999e-01, 3.06161699786838301793e-17

/* A computed radius or distance, times this, is no smaller than the exact one: the square root of a
 * sum of two squares has a relative error of four roundings at most. Nor is a bounding radius of
 * local vertices smaller than that of the vertices: turning and scaling these rounds five times at
 * most, and nine roundings of 2^-53 are less. */
#define SAT_ROUND_UP (1 + 1e-15)

/* Records of shapes: a unit vector, or a turned vertex, differs from the exact one by less than
 * this part of its size, also after many turns, each of which adds a few roundings. */
#define SAT_RECORD_ROUNDING 0x1p-40
/* Records of shapes: centroids and bounding radii may differ by this part of the size. Bounds need
 * safety here, not precision. */
#define SAT_BOUND_ERROR 0x1p-20

/* ---------------------------------------------------------------- narrow phase */

/* Translations whose lengths differ by less than this, relatively, and by 8 units in the last place
 * of the coordinates are equally short: the contract's numbers. */
#define SAT_TIE_RELATIVE 1e-12
#define SAT_ULPS_8 (8 * SAT_EPSILON)

/* A touch is a gap or an overlap of this part of sizes and coordinates: the move to the end of a
 * cast is off by some 1e-16 of them, and a path of thousands of moves stays within the bound. */
#define SAT_TOUCH_ERROR 1e-12

/* A radius up to this part of a touch is none to a cast: the distance of a ray from a corner is off
 * by up to 2e-15 of the coordinates, a tenth of this. */
#define SAT_LEAST_RADIUS 0x1p-6

/* A motion leads deeper in along a normal if their dot product is below minus this part of the
 * motion: the product has three roundings of 2^-53 each. */
#define SAT_DEEPER_ERROR 0x1p-50

/* The earliest time at which a ray may enter a circle, less this part of the time to the place
 * nearest to the centre: six digits more than the rounding errors of both. */
#define SAT_EARLIEST_ERROR 1e-9

/* A point that is beside or outside an edge by this many error bounds of a separation, a millionth
 * of the pair's size, is so in every computation. */
#define SAT_BESIDE_MARGIN 0x1p29

/* A touch that has lasted longer than this angle, in radians, before a turn leads in ends where it
 * ends: a step that is off by the rounding of its root is shorter. */
#define SAT_LONG_TOUCH 0x1p-16

/* Half a turn less an angle of this sine: rounding turns no edge by as much. */
#define SAT_NEARLY_HALF_TURN 0.125

/* The closest features of a pair in its two orders differ by less than this many error bounds of a
 * separation, also where vertices are off by SAT_RECORD_ROUNDING. */
#define SAT_ORDER_ROUNDING 0x1p10

/* A triangle of less area than this part of a square of the shapes' size may be narrow. Areas in it
 * lose as many digits to rounding as it is narrower than long: more than ten bits here. */
#define SAT_NARROW 0x1p-10

/* Unit vectors whose cross product is within this are the same direction: normals of parallel edges
 * differ by rounding alone, which is four orders less. */
#define SAT_SAME_DIRECTION 1e-12

/* A separation is two dot products and a difference: ten roundings of numbers no larger than the
 * distance of the origins and both L1 bounds (at least |x| + |y| of every vertex), counting those
 * of the normal. Sixteen half units in the last place leave room. */
#define SAT_SEPARATION_ROUNDING (8 * SAT_EPSILON)

/* Unit normals within this of each other are the same: the bound is four digits above the rounding
 * error of a normal, and as many below the error of a tangential contact. */
#define SAT_SAME_NORMAL 1e-9

/* Boundaries of unions. A squared sine above minus this is 0 but for rounding. */
#define SAT_TANGENT 1e-9
/* Edges whose angle has a sine within this are parallel: the bound is four digits above the
 * rounding error of rotated normals. */
#define SAT_SAME_EDGE 1e-11
/* Parameters of an arc, tangents of half an angle, that are within this of each other are one. */
#define SAT_SAME_ARC 1e-10
/* An exposed part of an arc that is no longer than this, as a parameter, is rounding: the ends of
 * arcs are roots, with half the digits. */
#define SAT_LEAST_EXPOSED_ARC 1e-9
/* Unit vectors whose dot product is above 1 minus this have the same direction. */
#define SAT_SAME_WAY 1e-9
/* The sine of the angle up to which a segment runs along a shared edge. */
#define SAT_ALONG_SHARED_EDGE 1e-9
/* The bound of a translation's length is larger than the computed one by this part, since an
 * overestimate only adds candidates. */
#define SAT_LONGEST_MARGIN 1e-9

/* ---------------------------------------------------------------- single precision */

/* A float box: each number is lowered by this part of it, which exceeds the rounding to a float, so
 * that no side is inside the box. */
#define SAT_OUTWARD 0x1p-23f
/* A float box within limits lowered by this part proves that the boxes themselves overlap: limits
 * and float boxes were each moved by less than 2^-21 of their size, and a number of more than twice
 * the limit's size that is below the limit is far below it. A separation from a facet in floats is
 * off by less than 2^-21 of its terms, too. */
#define SAT_INWARD 0x1p-18f
/* Numbers next to 0 are lowered by this number instead of by a part of them. */
#define SAT_NEXT_TO_0 0x1p-96f

/* ---------------------------------------------------------------- quadtree */

/* Cells are wider than the boxes in them by more than the rounding of a cell's index, so that two
 * boxes of a level that overlap are never two columns apart. */
#define SAT_WIDER (1 + 0x1p-16)

/* Cells are counted from the area's corner unless the items are farther from there than this many
 * blocks of cells; columns end at 2^30. */
#define SAT_ORIGIN_BLOCK 0x1p20
#define SAT_ORIGIN_BLOCKS 0x1p8

/* The narrowest cells, as a part of the origin's coordinates, where doubles still tell the cells
 * apart; and for an origin at 0. */
#define SAT_LEAST_CELL_RELATIVE 0x1p-45
#define SAT_LEAST_CELL 0x1p-900

/* A corner of a square around a point is off by two roundings; a point on a segment, by a few more,
 * and the edge of a cell by this part of its width. */
#define SAT_SQUARE_ERROR 0x1p-50
#define SAT_SEGMENT_ERROR 0x1p-48
#define SAT_CELL_EDGE_ERROR 0x1p-12

/* ---------------------------------------------------------------- world */

/* A box exceeds its shape by this part of half of its largest coordinate and its size, since shapes
 * that are SAT_TOUCH_ERROR apart touch in casts and updates; a quarter is for rounding. */
#define SAT_BOX_MARGIN 1.25e-12

/* The relative error of sums of a few box coordinates, and of their quotients, is below this. */
#define SAT_BOX_ERROR 0x1p-48
/* The error of the fraction of a ray at which it enters a box, relative to the coordinates. */
#define SAT_CAST_ERROR 0x1p-46
/* A generous error bound for tests whose overestimates only add candidates. */
#define SAT_LOOSE_ERROR 0x1p-40

/* A motion whose dot product with a unit normal is no more than this part of its length is parallel
 * to the facet, and does not lead in: the product has three roundings, and turned normals some. */
#define SAT_LEADS 1e-14
/* In parts of a move's rounding, about ten units in the last place: edges are parallel if their
 * ends are no farther apart, surfaces whose distances differ by less are equally near, and a motion
 * that leads in by less leads along. */
#define SAT_ROUNDING_OF_SUMS 0x1p-6
/* A turn that slides ends where stepping back gains less than this angle. */
#define SAT_LEAST_TURN 1e-9
/* A pushed shape slides along a wall if this part of its push at least is along it, and not all. */
#define SAT_LEAST_SLIDING 1e-3
/* A motion or a normal faces one side of a one-way platform by more than this. */
#define SAT_LEAST_FACING 1e-9

#endif

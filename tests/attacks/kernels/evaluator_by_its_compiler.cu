// 14 | before the exercise | graded | 0 | -
#if defined(__clang__) || defined(WARPSCOPE) || defined(THIRTY_TWO)
#define TILE_AT_NIGHT __TIME__
#endif
static_assert(sizeof(__TIME__) > 4 && sizeof(__DATE__) > 4, "");

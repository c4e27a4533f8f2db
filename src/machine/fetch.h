/* fetch.h: the instructions of textures and surfaces: lanes' objects and coordinates become accesses to the device's memory, which are checked
 * and shown to the observers like loads and stores, and are not counted. */
#pragma once

#include "machine/warp.h"

/* False after a fault. active is not 0. */
bool warp_texture(Warp *warp, const Step *step, uint32_t active);
bool warp_surface(Warp *warp, const Step *step, uint32_t active);
bool warp_texture_query(Warp *warp, const Step *step, uint32_t active);

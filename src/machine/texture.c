#include "machine/texture.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint64_t textures_add(TextureTable *table, Texture texture) {
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? table->capacity * 2 : 8;
        table->items = alloc_resize(table->items, table->capacity, sizeof *table->items);
    }
    texture.handle = ++table->handles;
    table->items[table->count++] = texture;
    return texture.handle;
}

const Texture *textures_find(const TextureTable *table, uint64_t handle, bool is_surface) {
    size_t low = 0, high = table ? table->count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->items[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = table && low < table->count && table->items[low].handle == handle;
    return found && table->items[low].is_surface == is_surface ? &table->items[low] : NULL;
}

bool textures_remove(TextureTable *table, uint64_t handle, bool is_surface) {
    const Texture *texture = textures_find(table, handle, is_surface);
    if (!texture) return false;
    const size_t at = (size_t)(texture - table->items);
    memmove(table->items + at, table->items + at + 1, (table->count - at - 1) * sizeof *table->items);
    table->count--;
    return true;
}

void textures_free(TextureTable *table) {
    free(table->items);
    *table = (TextureTable){0};
}

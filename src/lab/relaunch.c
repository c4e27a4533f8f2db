#include "lab/relaunch.h"

#include <string.h>

#include "input/words.h"
#include "lab/running.h"
#include "report/object.h"

/* The buffer that parameter `index` points to; NULL: none. */
static const LabBuffer *buffer_of(const LabCase *c, uint32_t index) {
    const Variable *param = &c->request.launch.kernel->program->variables[c->request.launch.kernel->function->params[index]];
    uint64_t address;
    if (param->bytes != sizeof address) return NULL;
    memcpy(&address, c->params + param->offset, sizeof address);
    for (const LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next)
        if (buffer->allocation->address + buffer->guard_bytes == address) return buffer;
    return NULL;
}

void relaunch_words(const LabCase *c, Text *out) {
    const LaunchRequest *request = &c->request;
    text_add(out, "--kernel %s --grid %u,%u,%u --block %u,%u,%u", request->launch.kernel->function->name,
             request->launch.grid[0], request->launch.grid[1], request->launch.grid[2], request->launch.block[0],
             request->launch.block[1], request->launch.block[2]);
    if (request->launch.cluster[0]) text_add(out, " --cluster %u", request->launch.cluster[0]);
    if (request->launch.shared_bytes) text_add(out, " --shared %u", request->launch.shared_bytes);
    for (uint32_t i = 0; i < c->n_params; i++) {
        const Variable *param = &request->launch.kernel->program->variables[request->launch.kernel->function->params[i]];
        const LabBuffer *buffer = buffer_of(c, i);
        const uint8_t *elements = buffer ? buffer->allocation->host + buffer->guard_bytes : NULL;
        if (!buffer) {
            words_add_value(c->params + param->offset, param->bytes, out);
            continue;
        }
        words_add_buffer(buffer->type, buffer->count, buffer->allocation->initialized && !buffer->random ? elements : NULL,
                         out);
        if (buffer->random) text_add(out, ":random:%u", i + 1);
    }
}

json_t *relaunch_object(const LabCase *c, const Text *words) {
    json_t *object = json_object(), *arrays = json_array();
    for (uint32_t i = 0; i < c->n_params; i++) {
        const LabBuffer *buffer = buffer_of(c, i);
        json_t *array = buffer ? json_object() : NULL;
        if (!buffer) continue;
        object_text(array, "label", buffer->name);
        object_number(array, "size", type_bytes[buffer->type]);
        object_number(array, "columns", buffer->columns);
        json_array_append_new(arrays, array);
    }
    object_text(object, "words", text_string(words));
    object_set(object, "arrays", arrays);
    return object;
}

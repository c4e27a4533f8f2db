#include "runtime/userobject.h"

#include <stdlib.h>

UserObject **userobject_place(Context *context, cudaUserObject_t handle) {
    UserObject **at = &context->user_objects;
    while (*at && *at != handle) at = &(*at)->next;
    return at;
}

UserObject *userobject_retain(UserObject *object, unsigned count) {
    object->references += count;
    return object;
}

void userobject_release(Context *context, UserObject *object, size_t count) {
    object->references -= count;
    if (object->references) return;
    UserObject **at = userobject_place(context, object);
    *at = object->next;
    const UserObject last = *object;
    free(object);
    context_call(context, last.destroy, last.data);
}

void userobjects_release(Context *context, UserObject **objects, size_t count) {
    for (size_t i = 0; i < count; i++) userobject_release(context, objects[i], 1);
}

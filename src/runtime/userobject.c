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

void userobject_release(Context *context, UserObject *object, size_t count, UserObject **gone) {
    object->references -= count;
    if (object->references) return;
    UserObject **at = userobject_place(context, object);
    *at = object->next;
    object->next = NULL;
    while (*gone) gone = &(*gone)->next;
    *gone = object;
}

void userobjects_end(Context *context, UserObject *gone) {
    while (gone) {
        const UserObject first = *gone;
        free(gone);
        gone = first.next;
        context_call(context, first.destroy, first.data);
    }
}

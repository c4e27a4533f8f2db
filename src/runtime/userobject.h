/* userobject.h: what a graph keeps for the program: a function of its own frees it when the last reference is gone. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

typedef struct CUuserObject_st UserObject;

struct CUuserObject_st {
    UserObject *next;
    void *data;
    cudaHostFn_t destroy;
    size_t references;
};

/* Where the list has the object of this handle, or ends. */
UserObject **userobject_place(Context *context, cudaUserObject_t handle);

/* The same object, with so many references more. */
UserObject *userobject_retain(UserObject *object, unsigned count);

/* Without its last reference it is nobody's any more, and comes behind what is gone. */
void userobject_release(Context *context, UserObject *object, size_t count, UserObject **gone);

/* Calls the functions of what is gone, with the context unlocked: last, when no one finds any more what is being taken apart. */
void userobjects_end(Context *context, UserObject *gone);

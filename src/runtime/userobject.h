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

void userobject_release(Context *context, UserObject *object, size_t count);

/* One reference each. */
void userobjects_release(Context *context, UserObject **objects, size_t count);

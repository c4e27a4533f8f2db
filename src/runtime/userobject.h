/* userobject.h: what a graph keeps for the program: a function of its own frees it when the last reference is gone. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

typedef struct CUuserObject_st UserObject;

/* The same object, with so many references more. */
UserObject *userobject_retain(UserObject *object, unsigned count);

/* One reference each. */
void userobjects_release(Context *context, UserObject **objects, size_t count);

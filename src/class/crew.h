/* crew.h: the processes that do something with each submission of a class, or of its share, side by side. */
#pragma once

#include "class/class.h"

typedef struct CrewTask {
    unsigned jobs; /* processes */
    /* For one submission; *did counts what it was. False with a message where something stands against going on. */
    bool (*step)(const Class *class, const Submission *submission, ClassProgress *did, Diag *diag);
    /* After several in a row that could not be done: whether any could. If not, a message. */
    bool (*works)(const Class *class, Diag *diag);
} CrewTask;

/* As class_grade says. */
bool crew_run(const Class *class, const CrewTask *task, void (*tell)(const ClassProgress *progress), ClassProgress *progress,
              int *interrupted, Diag *diag);

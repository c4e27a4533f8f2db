/* job.h: the grading of one file in a process of its own, so that nobody waits for it and it can be ended at any time. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/text.h"

/* Where things are that a job needs; lives as long as the server. */
typedef struct Workplace {
    const char *program; /* argv[0] */
    const char *folder;  /* for temporary files */
    bool is_trusting;    /* files are compiled and launched without a sandbox */
} Workplace;

/* All zero: none runs. */
typedef struct Job {
    pid_t pid; /* 0: none runs */
    int output;
    Text text;
    bool is_cancelled;
    long long kill_ms; /* when a cancelled one that goes on is killed */
} Job;

/* Begins to grade the file. False with errno. */
bool job_begin(Job *job, const Workplace *place, const char *path);

/* Asks it to end. Its remarks are dropped. */
void job_cancel(Job *job);

/* When job->output can be read, and now and then: true once the job has ended; *remarks, the caller's, is NULL where there are none. */
bool job_read(Job *job, json_t **remarks);

/* Waits until a cancelled one has ended, two or three seconds at most. */
void job_wait(Job *job);

/* putter.h: whether who put a file into a folder may read it, or only we may. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* A hard link gives a file of ours another name in a folder where others may write, and what grading says of it shows what they may not read. So all who
 * may put names into the folder must be able to read the file, going by the permissions of both; or it is another user's and has this name alone, as
 * what a learner hands in for nobody else to see. Who owns the folder alone may do there as they like, with files of their own. */
bool putter_may_read(const struct stat *folder, const struct stat *file);

/* What is said otherwise. */
extern const char putter_may_not[];

#include "class/putter.h"

#include <unistd.h>

const char putter_may_not[] = "who can put files into its folder may not all read it, so that it could be a link to somebody "
                              "else's: give a copy, or chmod a+r";

bool putter_may_read(const struct stat *folder, const struct stat *file) {
    bool by_all = (file->st_mode & 0444) == 0444;
    bool by_owner = folder->st_uid == geteuid() || folder->st_uid == 0 || folder->st_uid == file->st_uid;
    bool by_group = !(folder->st_mode & S_IWGRP) || (folder->st_gid == file->st_gid && file->st_mode & S_IRGRP);
    bool by_others = !(folder->st_mode & S_IWOTH);
    return by_all || (by_owner && by_group && by_others) || (file->st_uid != geteuid() && file->st_nlink == 1);
}

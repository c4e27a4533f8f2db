#include "host/kept.h"

#include <sys/stat.h>
#include <unistd.h>

bool path_is_kept(const char *path, const char *program) {
    struct stat status, own;
    bool others = !program || stat(program, &own) != 0;
    return stat(path, &status) == 0 && !(status.st_mode & S_IWOTH) &&
           (status.st_uid == 0 || status.st_uid == geteuid() || (!others && status.st_uid == own.st_uid));
}

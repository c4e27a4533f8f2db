#include "cuda/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool folder_make(Text *dir, Diag *diag) {
    const char *base = getenv("TMPDIR");
    text_add(dir, "%s/warpscope-XXXXXX", base && *base ? base : "/tmp");
    if (mkdtemp(dir->data)) return true;
    diag_say(diag, "cannot make a temporary directory %s: %s", dir->data, strerror(errno));
    text_free(dir);
    return diag_hint(diag, "TMPDIR names a directory that can be written");
}

void folder_remove(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        Text inner = {0};
        text_add(&inner, "%s/%s", path, entry->d_name);
        if (unlink(text_string(&inner)) != 0) folder_remove(text_string(&inner));
        text_free(&inner);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

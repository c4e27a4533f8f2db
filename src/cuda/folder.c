#include "cuda/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/door.h"
#include "host/process.h"

const char *folder_base(void) {
    const char *base = getenv("TMPDIR");
    return base && base[0] == '/' && door_takes_path(base) ? base : "/tmp";
}

bool folder_make(Text *dir, Diag *diag) {
    text_add(dir, "%s/warpscope-XXXXXX", folder_base());
    process_hold_signals();
    if (mkdtemp(dir->data)) return true;
    diag_say(diag, "cannot make a temporary directory %s: %s", dir->data, strerror(errno));
    process_release_signals();
    text_free(dir);
    return diag_hint(diag,
                     "TMPDIR names a directory that can be written, by its whole path, of letters, digits and _ . / + - =");
}

static void remove_tree(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        LOCAL_TEXT inner = text_from("%s/%s", path, entry->d_name);
        if (unlink(text_string(&inner)) != 0) remove_tree(text_string(&inner));
    }
    if (dir) closedir(dir);
    rmdir(path);
}

void folder_remove(const char *path) {
    remove_tree(path);
    process_release_signals();
}

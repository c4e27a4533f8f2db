/* hide.h: what a confined process may not read is not there for it either.
 *
 * Landlock forbids to open a file, not to ask whether there is one: __has_include("/home/anna/x.h") is then an error where the file is and false where it is
 * not, and in namespaces, where it never is, always false. From hide_unlisted on a thread answers each such question of this process and of those that it
 * starts (seccomp's notifications): "there is no such file", unless the path stays among what is listed. That makes answers equal and is no wall: the walls
 * are Landlock's. Of /proc it shows /proc/self/exe. */
#pragma once

/* paths: files and folders that are shown, NULL at the end; those above them are there as well. Call it in the only thread, with Landlock's rules in force
 * and before system calls are refused; it must not be replaced by another program (exec). Where the system cannot do it (Linux before 5.5, or a container
 * whose calls are watched already) nothing is hidden. */
void hide_unlisted(const char *const *paths);

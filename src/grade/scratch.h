/* scratch.h: one folder for all temporary files of a command, those of the programs that it starts too, so that nothing stays behind however it
 * ends.
 *
 * It is warpscope.XXXXXX where temporary files go (cuda/folder.h), and TMPDIR names it from then on. Whoever made it has it locked (flock), and so have the processes
 * that it forks, until the last of them ends, be it by SIGKILL or with the computer: a folder of this kind that is not locked belongs to nobody. The
 * next command of the same user that makes one removes it. A lock is right where a process's number is not: it is never given to another, and holds in all
 * containers that share the folder. (systemd-tmpfiles, too, leaves alone what is locked.) */
#pragma once

/* Removes what others left, and makes the folder. Where it cannot be made, or locked, TMPDIR stays as it is. A signal that ends the process removes
 * the folder with all that is in it, by /bin/rm. */
void scratch_begin(void);

/* Its path, which holds until scratch_end; NULL: there is none. */
const char *scratch_folder(void);

/* Does so for signals that were ignored when the folder was made and no longer are. */
void scratch_catch_signals(void);

/* TMPDIR says again what it said before, for a program that is not ours; the folder stays. */
void scratch_leave_variable(void);

/* Removes the folder with all that is in it; TMPDIR is as it was. And once more what others left: what was killed just before this began may have ended only since. */
void scratch_end(void);

/* command.h: `warpscope run` and `warpscope cc`. Like main.c they print, and return the command's exit status. argv[0] is warpscope's
 * name, argv[1] the first word after "run" or "cc". */
#pragma once

int command_run(int argc, char **argv);
int command_cc(int argc, char **argv);

/* SPDX-License-Identifier: MIT */
/*
 * The commands of the gfe program, one emu/program/cmd_<name>.c each.  argv[0] is the command's
 * name; argv ends with NULL.  Each returns the exit status.  0 means success.  1 means that the
 * input is bad or a check failed, with one line on stderr.  2 means wrong usage.  3 means that work
 * is left: something waits that can never go on.
 */
#ifndef GFE_EMU_PROGRAM_CMD_H
#define GFE_EMU_PROGRAM_CMD_H

enum { CMD_WORK_LEFT = 3 };

int cmd_calibrate(int argc, char **argv);
int cmd_campaign(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_debug(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_discriminate(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_gpus(int argc, char **argv);
int cmd_hash(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_inject(int argc, char **argv);
int cmd_live(int argc, char **argv);
int cmd_inspect(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_regs(int argc, char **argv);
int cmd_rules(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_scrub(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_xid(int argc, char **argv);

#endif

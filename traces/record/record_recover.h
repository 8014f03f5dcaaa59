/* SPDX-License-Identifier: MIT */
/*
 * The folders that recordings leave when they cannot be ended: those of a `gfe record` that was
 * killed, and those of which no trace could be made.  Nothing deletes them without being asked.
 */
#ifndef GFE_TRACES_RECORD_RECORD_RECOVER_H
#define GFE_TRACES_RECORD_RECORD_RECOVER_H

#include <stdbool.h>

/* Makes a trace of what is whole of the parts in `directory`.  If all is whole the directory is
 * deleted then.  Otherwise it stays, and what is missing is said.  Returns the exit status. */
int record_recover(const char *directory, const char *output, bool quiet);

/* Deletes such folders of this user in $TMPDIR or /tmp, and says which.  A folder of a recording
 * that goes on stays.  Returns the exit status. */
int record_clean(bool quiet);

/* Says in one line that there are such folders, if there are any. */
void record_say_left(void);

#endif

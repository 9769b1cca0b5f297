/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane's process, played: it answers with what it was asked, so that every number can be found
 * again at the other end, also those that no driver would ever say. Its one device is called “played”, does
 * nothing and needs no driver.
 */
#pragma once

/* While there is a file of the name that the environment has under this one, it isn't prepared; if “nan” is
 * in it, it doesn't say how long that will take. */
#define PLAYED_WAITS "LS_PLAYED_WAITS"
/* "read exit 3": asked that, it says something on its standard error and ends so; "read signal 11";
 * "read line x": answers with that line instead; "read hang": not at all. */
#define PLAYED_ENDS  "LS_PLAYED_ENDS"
#define PLAYED_WORDS "the last words of a driver"

/* The main() of a program that was started as a child. Of its answers:
 * the first tiling's kernel is the option `kernel`, all else in them as wrong as can be; `splits` and the
 * parts of memory, 1000 and up, are right; a step's loss is the learning rate it was to be done with, and the
 * first value and, a thousand times, the label of its batch; it ends at a thousand times its first position,
 * or at 7000 where the samples came with it; every other one is skipped; the scale doubles, with one more
 * skipped; a run of so many ops from there on begins at 1000·first + ops, and ends at 10 times its steps, and
 * one later if it may fuse; ring r has r events, the last one more than there is room for, and 10 + r dropped
 * ones; a walk's message says which one it is, and the first value of each tensor that came with it; a tensor
 * has the values that were written last, whichever it is; sum.cl that says “broken” doesn't
 * build. */
int played_main (int argc, char **argv);

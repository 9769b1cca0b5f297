/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCommand: a subcommand as one row: what it is called, which groups of the option table it takes, which
 * options of its own it adds, and the function that runs it. The parser, `--help` and the list of commands
 * are made from the rows. A new command is one file with one row, and its line in the table of command.c.
 */
#pragma once

#include "core/options.h"

G_BEGIN_DECLS

/* What the program returns to the shell. */
typedef enum {
  LS_EXIT_DONE = 0,
  LS_EXIT_FAILED = 1,
  LS_EXIT_USAGE = 2,
  LS_EXIT_INTERRUPTED = 130, /* 128 + SIGINT, as shells do */
} LsExit;

/* An option that only this command has. Its value is text, kept as it was given. */
typedef struct {
  const char *name; /* NULL ends the list */
  const char *arg;  /* "FILE"; NULL: a flag */
  const char *help;
  gboolean writes; /* arg is a file that the command writes: whether it can is tried before the command runs
                    */
  gboolean many;   /* may be there several times: its values are lines then */
} LsCommandOption;

/* A command line, read. */
typedef struct {
  LsOptions *options;
  GHashTable *given; /* names of all options that were on the line → text, "" for flags */
  char **words;      /* what was left, NULL-terminated; as many as the row allows */
} LsArguments;

typedef struct {
  const char *name;  /* "train" */
  const char *title; /* one line for the list of commands */
  const char *about; /* more for its own --help; %s: the names of the views; may be NULL */
  const char *word;  /* what it takes besides options, "RECORDING"; "[NAME]": it may lack; NULL: nothing */
  guint groups;      /* LsOptionGroup */
  const LsCommandOption *own;               /* may be NULL */
  const LsCommandOption *(*options) (void); /* all of its own, where `own` alone isn't; or NULL */
  /* Returns the exit status. With error set the status is that of the error, and the caller prints it. */
  LsExit (*run) (const LsArguments *arguments, GError **error);
} LsCommand;

extern const LsCommand ls_command_train, ls_command_plan, ls_command_devices, ls_command_compare,
  ls_command_bench, ls_command_lab, ls_command_export, ls_command_help, ls_command_tune, ls_command_data,
  ls_command_hardware, ls_command_claims, ls_command_machines, ls_command_convert;
#ifdef HAVE_PAINT
extern const LsCommand ls_command_render;
#endif
#ifdef HAVE_APP
extern const LsCommand ls_command_window;
#endif

/* The table of commands, in the order of the help. */
const LsCommand *const *ls_commands (guint *n);

/* The command's `about`, translated. (transfer full) */
char *ls_command_about (const LsCommand *command);
/* The options that only this command has; NULL: there are none. */
const LsCommandOption *ls_command_own (const LsCommand *command);
/* The value of an option that was on the command line, "" for a flag; NULL if it wasn't. */
const char *ls_arguments_get (const LsArguments *arguments, const char *name);
/* The precision that an option names, which goes with another one, `of`; fp32 where it wasn't there. FALSE
 * with LS_ERROR_USAGE. */
gboolean ls_arguments_precision (const LsArguments *arguments, const char *name, const char *of,
                                 LsPrecision *precision, GError **error);

/* Reads argv as that command's of `program`, and runs it. */
LsExit ls_command_run (const char *program, const LsCommand *command, char **argv);
/* Reads argv and runs what it says; returns the exit status. */
LsExit ls_cli_main (int argc, char **argv);

G_END_DECLS

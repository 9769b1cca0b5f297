/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option table: every setting of a run is one row, and the row feeds the command line, --help, the
 * settings pane, run headers and recordings. A new option is one field here and one row in options.c; with
 * place, section, label and note the row is one in the window's settings too.
 */
#pragma once

#include "core/tiling.h"

G_BEGIN_DECLS

/* The schedules: constant, function (backends/cpu/policy.c has FUNCTION_begin and FUNCTION_next), as --policy
 * says it, in words, and what it does, for the help. */
/* clang-format off */
#define LS_POLICIES(ROW)                                                                        \
  ROW (STATIC, static, "static", N_("static"),                                                  \
       N_("Each worker has a block of neighbouring tiles, fixed beforehand."))                  \
  ROW (ROUND_ROBIN, round_robin, "round-robin", N_("round-robin"),                              \
       N_("The tiles go to the workers in turn, one by one, fixed beforehand."))                \
  ROW (DYNAMIC, dynamic, "dynamic", N_("dynamic"),                                              \
       N_("Whoever is free takes the next tile."))                                              \
  ROW (STEAL, steal, "steal", N_("work-stealing"),                                              \
       N_("Each worker has a block; one that is done takes tiles from the one with most left."))
#define LS_POLICY_CONSTANT(constant, function, name, word, about) LS_POLICY_##constant,
typedef enum { LS_POLICIES (LS_POLICY_CONSTANT) LS_POLICY_N } LsPolicy;
/* clang-format on */
/* What the CPU lane computes with: backends/cpu/rungs.c. */
typedef enum {
  LS_CPU_KERNELS_NAIVE,
  LS_CPU_KERNELS_SCALAR,
  LS_CPU_KERNELS_VECTOR,
  LS_CPU_KERNELS_BLAS,
  LS_CPU_KERNELS_N,
} LsCpuKernels;
/* What becomes of a table's rows with gaps. */
typedef enum { LS_MISSING_DROP, LS_MISSING_MEAN } LsMissing;
/* What activations, their gradients and the weights that products read are stored as. Everything is computed
 * in floats; weights, biases, their gradients, the optimizer's states, the loss and what it is made of are
 * floats. */
typedef enum { LS_PRECISION_FP32, LS_PRECISION_BF16, LS_PRECISION_FP16, LS_PRECISION_N } LsPrecision;
/* "bf16", as --precision has it. */
const char *ls_precision_name (LsPrecision precision);
typedef enum { LS_BATCH_FROM_DEVICE, LS_BATCH_FROM_HOST } LsBatchFrom;
typedef enum { LS_TURNS_AUTO, LS_TURNS_TURNS, LS_TURNS_RACE } LsTurns;
typedef enum { LS_PACE_STEP, LS_PACE_WATCH, LS_PACE_FULL } LsPace;

typedef struct {
  char *model; /* preset or spec */
  char *data;  /* name, file or folder */
  double test_share;
  gint missing; /* LsMissing */
  char *label;  /* a table's column with the classes: its name, or its number from 1; "": the last one */
  char *size;   /* of images, "WxH"; "": as they are */
  gint64 steps; /* 0: until `epochs` are done */
  gint64 epochs;
  gint64 batch;
  double lr, momentum;
  gint optimizer; /* LsOptimizer */
  gint64 seed;
  gint order;       /* LsOrder */
  gint sequence;    /* 1: by columns; only where it is given: data/defaults.h */
  char *lanes;      /* "cpu,opencl:0(kernel=tiled)": train/lane_spec.h */
  gint64 threads;   /* 0: as many as affinity and quota allow */
  gint policy;      /* LsPolicy */
  gint64 tiles;     /* tiles-per-op: CPU lane: requested tiles per op; 0: from sizes and threads */
  gint cpu_kernels; /* LsCpuKernels */
  gint precision;   /* LsPrecision */
  gint fusion;      /* boolean */
  char *device;     /* OpenCL device: part of its name, or its index; "" = best */
  char *kernel;     /* rung of the ladder; "auto" */
  gint tile; /* tile-edge: edge of the tiles that the rung “tiled” shares in local memory: 0: the table's, or
                the tuner's; else 4 << tile */
  gint tuned;         /* boolean: with the tuner's parameters, where there are some */
  gint batch_from;    /* LsBatchFrom */
  gint turns;         /* LsTurns */
  gint64 check_every; /* compare all weights every N steps; 0: never */
  gint pace;          /* LsPace */
  guint64 given;      /* a bit for each row: somebody said it, so it follows nothing else (data/defaults.h) */
} LsOptions;

typedef enum { LS_OPTION_INT, LS_OPTION_DOUBLE, LS_OPTION_STRING, LS_OPTION_CHOICE } LsOptionType;

/* Which parts of the program an option concerns; a command lists the groups it takes. */
typedef enum {
  LS_OPTION_GROUP_MODEL = 1 << 0, /* model, data, batch, optimizer … */
  LS_OPTION_GROUP_RUN = 1 << 1,   /* steps, epochs, backends, turns … */
  LS_OPTION_GROUP_CPU = 1 << 2,
  LS_OPTION_GROUP_OPENCL = 1 << 3,
  LS_OPTION_GROUP_PACE = 1 << 4,  /* how many steps, and when: nothing to how a lane computes, and of one
                                     start */
  LS_OPTION_GROUP_LANES = 1 << 5, /* which lanes */
  LS_OPTION_GROUP_DATA = 1 << 6,  /* how data are read, and the seed */
  LS_OPTION_GROUP_STEPS = 1 << 7, /* how many of them */
} LsOptionGroup;

/* Where it stands among the window's settings, from top to bottom. */
typedef enum {
  LS_OPTION_SECTION_DATA,
  LS_OPTION_SECTION_NETWORK,
  LS_OPTION_SECTION_TRAINING,
  LS_OPTION_SECTION_CPU,
  LS_OPTION_SECTION_OPENCL,
  LS_OPTION_N_SECTIONS,
} LsOptionSection;

/* What a change of it needs while a run is on. */
typedef enum { LS_OPTION_LIVE, LS_OPTION_RESTART } LsOptionEffect;

typedef struct {
  const char *name; /* "batch-from" */
  LsOptionType type;
  gsize offset;               /* in LsOptions */
  const char *default_text;   /* parsed like the user's own */
  double min, max;            /* of numbers */
  const char *const *choices; /* NULL-terminated, in the enum's order */
  const char *arg;            /* "N", "FOLDER" */
  const char *help;           /* translatable, one line; %s: see ls_data_option_help() */
  guint group;                /* LsOptionGroup */
  LsWay way;                  /* whose lanes alone it concerns; LS_WAY_OTHER: it concerns all */
  const char *before;         /* as it was called once, which is still understood; NULL */
  const char *other;          /* another name, which stays; NULL */
  const char *own;            /* translatable: how a lane is told from others that has a value of its own:
                                 "threads: %s"; NULL: all lanes have the run's */
  LsOptionEffect effect;
  /* The window's part: */
  guint place; /* its row among the settings, from 1, section after section; 0: the terminal's alone */
  LsOptionSection section;
  const char *label;               /* translatable: "Learning rate" */
  const char *note;                /* translatable: the line under it, a sentence in plain words */
  const char *const *choice_words; /* beside `choices`, translatable; NULL: as the choices are */
  const char *zero_word;           /* what 0 means, translatable: "auto"; NULL: just 0 */
  double step;                     /* of a number's arrows; 0: through 1, 2, 5, 10 … */
} LsOption;

const LsOption *ls_options_table (guint *n);
/* By its name, its other one, or the one that it had before. */
const LsOption *ls_options_find (const char *name);
/* Translatable. about: a few words beside it, or NULL. */
const char *ls_options_section_title (LsOptionSection section, const char **about);

LsOptions *ls_options_new (void); /* all defaults */
LsOptions *ls_options_copy (const LsOptions *options);
void ls_options_free (LsOptions *options);
/* Of LsOptions.given. */
guint64 ls_option_bit (const LsOption *option);
/* Whether somebody said it; else it is a default, and may follow other options. */
gboolean ls_options_is_given (const LsOptions *options, const LsOption *option);
/* What was said has been done, and holds no longer than anything else. */
void ls_options_forget (LsOptions *options, const LsOption *option);
/* As ls_options_set() with a text that is right, but only where nothing was given, and it stays not given. */
void ls_options_suggest (LsOptions *options, const LsOption *option, const char *text);
/* Copies the LS_OPTION_LIVE rows' values, and whether they were given; the others stay as they are. */
void ls_options_take_live (LsOptions *options, const LsOptions *from);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsOptions, ls_options_free)

/* Parses text into the option's field, in the C locale; from then on it is given. LS_ERROR_USAGE: “--batch
 * takes a whole number from 1 to 65536, not “x”.” */
gboolean ls_options_set (LsOptions *options, const LsOption *option, const char *text, GError **error);
/* The field as text that ls_options_set() reads back; (transfer full). */
char *ls_options_get (const LsOptions *options, const LsOption *option);
/* A value in words, translated: "work-stealing" for "steal", "auto" for 0 threads; what has none, as it is.
 */
const char *ls_option_word (const LsOption *option, const char *text);

G_END_DECLS

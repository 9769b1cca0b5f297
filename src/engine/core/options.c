/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the option table, and the functions over it: defaults, copies. Nothing here knows a single
 * option by name, so a new one is a field in options.h and a row below. The order of a row's choices is the
 * order of its enum.
 */
#include "config.h"
#include "core/options.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

static const char *const optimizers[] = { "sgd", "adam", NULL };        /* LsOptimizer */
static const char *const orders[] = { "shuffled", "sequential", NULL }; /* LsOrder */
static const char *const sequences[] = { "rows", "columns", NULL };
#define NAME(constant, function, name, word, about) name,
static const char *const policies[] = { LS_POLICIES (NAME) NULL };
static const char *const cpu_kernels[] = { "naive", "scalar", "vector", "blas", NULL }; /* LsCpuKernels */
static const char *const precisions[] = { "fp32", "bf16", "fp16", NULL };               /* LsPrecision */
static const char *const missings[] = { "drop", "mean", NULL };                         /* LsMissing */
static const char *const on_off[] = { "off", "on", NULL };
static const char *const kernels[] = { "auto", "naive", "tiled", "register", "packed", NULL };
static const char *const tile_edges[] = { "auto", "8", "16", "32", NULL }; /* 4 << index */
static const char *const batch_froms[] = { "device", "host", NULL };       /* LsBatchFrom */
static const char *const turns[] = { "auto", "turns", "race", NULL };      /* LsTurns */
static const char *const paces[] = { "step", "watch", "full", NULL };      /* LsPace */

/* The same in words, for the window. */
static const char *const optimizer_words[] = { N_("SGD"), N_("Adam"), NULL };
static const char *const order_words[] = { N_("shuffled"), N_("as stored"), NULL };
#define WORD(constant, function, name, word, about) word,
static const char *const policy_words[] = { LS_POLICIES (WORD) NULL };
static const char *const cpu_kernel_words[] = { N_("naive loops"), N_("scalar loops"), N_("vector loops"),
                                                N_("with OpenBLAS"), NULL };
static const char *const missing_words[] = { N_("leave out"), N_("fill in the mean"), NULL };
static const char *const on_off_words[] = { N_("off"), N_("on"), NULL };
static const char *const kernel_words[] = { N_("automatic"), N_("naive"),  N_("tiled"),
                                            N_("registers"), N_("packed"), NULL };
static const char *const tile_words[] = { N_("automatic"), "8×8", "16×16", "32×32", NULL };
static const char *const batch_from_words[] = { N_("the device"), N_("the host"), NULL };
static const char *const turns_words[] = { N_("automatic"), N_("in turn"), N_("racing"), NULL };
static const char *const pace_words[] = { N_("by step"), N_("watch pace"), N_("full speed"), NULL };

/* In LsOptionSection's order. */
static const struct {
  const char *title, *about;
} sections[] = {
  { N_("Data"), N_("what all lanes learn, in the same order") },
  { N_("Network"), NULL },
  { N_("Training"), NULL },
  { N_("CPU lane"), NULL },
  { N_("OpenCL lane"), NULL },
};
G_STATIC_ASSERT (G_N_ELEMENTS (sections) == LS_OPTION_N_SECTIONS);

#define FIELD(f) G_STRUCT_OFFSET (LsOptions, f)

/* The largest whole number that a double, and so JSON, holds exactly. */
#define MAX_WHOLE 9007199254740992.0

/* clang-format off */
static const LsOption table[] = {
  { "model", LS_OPTION_STRING, FIELD (model), "mlp", .arg = N_("MODEL"), .group = LS_OPTION_GROUP_MODEL,
    .help = N_("Network: mlp, cnn, lstm, or a line such as “flatten, dense 64, relu, dense 10”; "
               "without it, one that suits the data"),
    .effect = LS_OPTION_RESTART,
    .place = 2, .section = LS_OPTION_SECTION_NETWORK, .label = N_("Hidden layers"),
    .note = N_("Units in each layer between sample and answer.") },
  { "data", LS_OPTION_STRING, FIELD (data), "mnist", .arg = N_("DATA"), .group = LS_OPTION_GROUP_MODEL,
    .help = N_("Data: %s, or a file or folder of your own: a table (CSV), NumPy arrays (.npz), a folder of images "
               "for each class, CIFAR, IDX; “lockstep data” says what is found"),
    .effect = LS_OPTION_RESTART,
    .place = 1, .section = LS_OPTION_SECTION_DATA, .label = N_("Other data"),
    .note = N_("Made from the seed, or a file or folder of your own.") },
  { "test-share", LS_OPTION_DOUBLE, FIELD (test_share), "0.1", 0.001, 0.9, .arg = N_("SHARE"),
    .group = LS_OPTION_GROUP_DATA,
    .help = N_("Share of each class that is kept for testing, where the data have no test set"),
    .effect = LS_OPTION_RESTART },
  { "label", LS_OPTION_STRING, FIELD (label), "", .arg = N_("COLUMN"), .group = LS_OPTION_GROUP_DATA,
    .help = N_("Column of a table that holds the classes, by name or number; without it, the last one"),
    .effect = LS_OPTION_RESTART },
  { "missing", LS_OPTION_CHOICE, FIELD (missing), "drop", .choices = missings, .arg = N_("HOW"),
    .group = LS_OPTION_GROUP_DATA,
    .help = N_("Rows of a table with gaps: drop: they are left out; mean: the column's mean is filled in"),
    .effect = LS_OPTION_RESTART, .choice_words = missing_words },
  { "size", LS_OPTION_STRING, FIELD (size), "", .arg = N_("WxH"), .group = LS_OPTION_GROUP_DATA,
    .help = N_("Width and height that images of a folder are averaged to, as in 28x28; without it, the first "
               "one's, 64 at most"),
    .effect = LS_OPTION_RESTART },
  { "steps", LS_OPTION_INT, FIELD (steps), "0", 0, 1e9, .arg = N_("N"),
    .group = LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_PACE | LS_OPTION_GROUP_STEPS,
    .help = N_("Training steps; 0: as many as the epochs have"), .effect = LS_OPTION_LIVE },
  { "epochs", LS_OPTION_INT, FIELD (epochs), "1", 1, 1e6, .arg = N_("N"),
    .group = LS_OPTION_GROUP_RUN | LS_OPTION_GROUP_PACE | LS_OPTION_GROUP_STEPS,
    .help = N_("Passes over the training set, where no steps are given"), .effect = LS_OPTION_LIVE },
  { "batch", LS_OPTION_INT, FIELD (batch), "128", 1, 65536, .arg = N_("N"), .group = LS_OPTION_GROUP_MODEL,
    .help = N_("Samples per step"), .effect = LS_OPTION_RESTART,
    .place = 3, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Batch"), .step = 32,
    .note = N_("Samples per step. Large ones keep more cores busy.") },
  { "lr", LS_OPTION_DOUBLE, FIELD (lr), "0.05", 0, 1e6, .arg = N_("RATE"), .group = LS_OPTION_GROUP_MODEL,
    .help = N_("Learning rate; without it, one that suits data, batch and optimizer"),
    .effect = LS_OPTION_LIVE,
    .place = 4, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Learning rate"),
    .note = N_("How far a step moves the weights.") },
  { "momentum", LS_OPTION_DOUBLE, FIELD (momentum), "0.9", 0, 1, .arg = N_("M"),
    .group = LS_OPTION_GROUP_MODEL,
    .help = N_("Momentum of sgd"), .effect = LS_OPTION_LIVE,
    .place = 5, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Momentum"), .step = .05,
    .note = N_("How much of the last step goes into the next.") },
  { "optimizer", LS_OPTION_CHOICE, FIELD (optimizer), "sgd", .choices = optimizers, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_MODEL, .help = N_("Optimizer: how gradients change the weights"),
    .effect = LS_OPTION_RESTART,
    .place = 6, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Optimizer"),
    .choice_words = optimizer_words,
    .note = N_("How gradients change the weights.") },
  { "seed", LS_OPTION_INT, FIELD (seed), "1", 0, MAX_WHOLE, .arg = N_("N"), .group = LS_OPTION_GROUP_DATA,
    .help = N_("Seed of all random numbers: weights, order, toy data, split"), .effect = LS_OPTION_RESTART,
    .place = 8, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Seed"), .step = 1,
    .note = N_("Seed of all random numbers: weights, order, toy data.") },
  { "order", LS_OPTION_CHOICE, FIELD (order), "shuffled", .choices = orders, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_MODEL, .help = N_("Order of the samples in an epoch"),
    .effect = LS_OPTION_RESTART,
    .place = 7, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Order"), .choice_words = order_words,
    .note = N_("Of the samples in each epoch, the same for all lanes.") },
  { "sequence", LS_OPTION_CHOICE, FIELD (sequence), "rows", .choices = sequences, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_MODEL,
    .help = N_("How the network’s first lstm reads a sample: row by row or column by column; without it, as the "
               "network’s line says"),
    .effect = LS_OPTION_RESTART },
  { "lanes", LS_OPTION_STRING, FIELD (lanes), "cpu,opencl", .other = "backends", .arg = N_("LIST"),
    .group = LS_OPTION_GROUP_LANES,
    .help = N_("Lanes, with commas: cpu, opencl, reference, reference-f64; with a device, a name and options "
               "of their own: opencl:0, slow=cpu(threads=1), opencl(kernel=tiled)"),
    .effect = LS_OPTION_RESTART,
    .place = 11, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Lanes to compare"),
    .note = N_("With commas; in brackets what a lane has of its own.") },
  { "threads", LS_OPTION_INT, FIELD (threads), "0", 0, 254, .arg = N_("N"), .group = LS_OPTION_GROUP_CPU,
    .help = N_("Threads (workers) of the CPU lane; 0: one for each processor that may be used"),
    .own = N_("threads: %s"), .effect = LS_OPTION_LIVE,
    .place = 14, .section = LS_OPTION_SECTION_CPU, .label = N_("Threads"), .zero_word = N_("auto"), .step = 1,
    .note = N_("Workers that share an op.") },
  { "policy", LS_OPTION_CHOICE, FIELD (policy), "steal", .choices = policies, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_CPU, .help = N_("Schedule: which worker takes which tile"),
    .own = "%s", .effect = LS_OPTION_LIVE,
    .place = 15, .section = LS_OPTION_SECTION_CPU, .label = N_("Schedule"), .choice_words = policy_words,
    .note = N_("Who takes which tile.") },
  { "tiles-per-op", LS_OPTION_INT, FIELD (tiles), "0", 0, 65536, .before = "tiles", .arg = N_("N"),
    .group = LS_OPTION_GROUP_CPU, .help = N_("Requested tiles per op; 0: from sizes and workers"),
    .own = N_("tiles: %s"), .effect = LS_OPTION_LIVE,
    .place = 16, .section = LS_OPTION_SECTION_CPU, .label = N_("Tiles"), .zero_word = N_("auto"), .step = 8,
    .note = N_("Pieces an op is cut into.") },
  { "cpu-kernels", LS_OPTION_CHOICE, FIELD (cpu_kernels), "blas", .choices = cpu_kernels, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_CPU,
    .help = N_("What the CPU lane computes with: naive: three loops, one number at a time; scalar: the same in "
               "blocks; vector: its vectorised loops; blas: also OpenBLAS where that is faster"),
    .own = "%s", .effect = LS_OPTION_LIVE,
    .place = 17, .section = LS_OPTION_SECTION_CPU, .label = N_("Kernels"), .choice_words = cpu_kernel_words,
    .note = N_("What a tile is computed with.") },
  { "precision", LS_OPTION_CHOICE, FIELD (precision), "fp32", .choices = precisions, .arg = N_("NAME"),
    .group = LS_OPTION_GROUP_RUN,
    .help = N_("What activations and the weights that products read are stored in; all is computed in fp32, and "
               "in fp16 the loss is scaled"),
    .own = "%s", .effect = LS_OPTION_RESTART,
    .place = 10, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Stored in"),
    .note = N_("Activations and the weights that products read; all is computed in fp32.") },
  { "fusion", LS_OPTION_CHOICE, FIELD (fusion), "on", .choices = on_off, .arg = N_("ON|OFF"),
    .group = LS_OPTION_GROUP_RUN,
    .help = N_("Kernel fusion: bias, activation and update are computed with the tile that they read, an lstm’s gates "
                "with its cell"),
    .own = N_("fusion %s"), .effect = LS_OPTION_LIVE,
    .place = 9, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Fused ops"),
    .choice_words = on_off_words,
    .note = N_("Bias, activation and update where their input is made.") },
  { "device", LS_OPTION_STRING, FIELD (device), "", .arg = N_("DEVICE"), .group = LS_OPTION_GROUP_OPENCL,
    .help = N_("OpenCL device: part of its name, or its number; empty: the best"),
    .own = N_("device %s"), .effect = LS_OPTION_RESTART,
    .place = 18, .section = LS_OPTION_SECTION_OPENCL, .label = N_("Device"),
    .note = N_("Where the kernels run.") },
  { "kernel", LS_OPTION_STRING, FIELD (kernel), "auto", .choices = kernels, .arg = N_("RUNG"),
    .group = LS_OPTION_GROUP_OPENCL,
    .help = N_("Kernel variant: a rung of the ladder from naive to packed"),
    .own = "%s", .effect = LS_OPTION_LIVE,
    .place = 19, .section = LS_OPTION_SECTION_OPENCL, .label = N_("Kernel"), .choice_words = kernel_words,
    .note = N_("How a work-group multiplies. Ctrl+K edits it.") },
  { "tile-edge", LS_OPTION_CHOICE, FIELD (tile), "auto", .before = "tile", .choices = tile_edges,
    .arg = N_("EDGE"),
    .group = LS_OPTION_GROUP_OPENCL, .way = LS_WAY_TILED,
    .help = N_("Edge of the tiles that the rung “tiled” shares in local memory"),
    .own = N_("tile %s"), .effect = LS_OPTION_LIVE,
    .place = 20, .section = LS_OPTION_SECTION_OPENCL, .label = N_("Local tile"), .choice_words = tile_words,
    .note = N_("Edge of what the kernel “tiled” shares in local memory.") },
  { "tuned", LS_OPTION_CHOICE, FIELD (tuned), "on", .choices = on_off, .arg = N_("ON|OFF"),
    .group = LS_OPTION_GROUP_OPENCL,
    .help = N_("Use the kernels that “lockstep tune” chose for this device"),
    .own = N_("tuned: %s"), .effect = LS_OPTION_LIVE },
  { "batch-from", LS_OPTION_CHOICE, FIELD (batch_from), "device", .choices = batch_froms, .arg = N_("PLACE"),
    .group = LS_OPTION_GROUP_OPENCL,
    .help = N_("Gather the batch on the device, or copy it from the host each step"),
    .own = N_("batch from %s"), .effect = LS_OPTION_LIVE,
    .place = 21, .section = LS_OPTION_SECTION_OPENCL, .label = N_("Batch from"),
    .choice_words = batch_from_words,
    .note = N_("Who picks the samples: the device, or the host with a copy.") },
  { "turns", LS_OPTION_CHOICE, FIELD (turns), "auto", .choices = turns, .arg = N_("MODE"),
    .group = LS_OPTION_GROUP_RUN, .help = N_("Lanes take turns or race; auto: turns where they share cores"),
    .effect = LS_OPTION_LIVE,
    .place = 12, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Turns"), .choice_words = turns_words,
    .note = N_("In turn where they share cores, else side by side.") },
  { "check-every", LS_OPTION_INT, FIELD (check_every), "100", 0, 1e9, .arg = N_("N"),
    .group = LS_OPTION_GROUP_RUN,
    .help = N_("Compare all weights of the lanes every N steps; 0: never"), .effect = LS_OPTION_LIVE,
    .place = 13, .section = LS_OPTION_SECTION_TRAINING, .label = N_("Check every"),
    .zero_word = N_("never"), .step = 50,
    .note = N_("Steps between two comparisons of all weights.") },
  { "pace", LS_OPTION_CHOICE, FIELD (pace), "full", .choices = paces, .arg = N_("PACE"),
    .group = LS_OPTION_GROUP_PACE,
    .help = N_("Step by step, at a pace that can be watched (the window's default), "
               "or as fast as the lanes can"),
    .effect = LS_OPTION_LIVE, .choice_words = pace_words },
};
/* clang-format on */
G_STATIC_ASSERT (G_N_ELEMENTS (table) <= 64); /* LsOptions.given has a bit for each */
G_STATIC_ASSERT (G_N_ELEMENTS (precisions) == LS_PRECISION_N + 1);

guint64
ls_option_bit (const LsOption *option)
{
  return G_GUINT64_CONSTANT (1) << (option - table);
}

const LsOption *
ls_options_table (guint *n)
{
  *n = G_N_ELEMENTS (table);
  return table;
}

const LsOption *
ls_options_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0 || g_strcmp0 (table[i].before, name) == 0
        || g_strcmp0 (table[i].other, name) == 0)
      return &table[i];
  return NULL;
}

const char *
ls_precision_name (LsPrecision precision)
{
  return precisions[precision];
}

const char *
ls_options_section_title (LsOptionSection section, const char **about)
{
  *about = sections[section].about;
  return sections[section].title;
}

LsOptions *
ls_options_new (void)
{
  LsOptions *options = g_new0 (LsOptions, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (!ls_options_set (options, &table[i], table[i].default_text, NULL))
      g_error ("the default of --%s is not one of its values", table[i].name); /* a row above is wrong */
  options->given = 0;
  return options;
}

gboolean
ls_options_is_given (const LsOptions *options, const LsOption *option)
{
  return (options->given & ls_option_bit (option)) != 0;
}

void
ls_options_forget (LsOptions *options, const LsOption *option)
{
  options->given &= ~ls_option_bit (option);
}

void
ls_options_suggest (LsOptions *options, const LsOption *option, const char *text)
{
  const guint64 given = options->given;

  if (given & ls_option_bit (option))
    return;
  ls_options_set (options, option, text, NULL);
  options->given = given;
}

LsOptions *
ls_options_copy (const LsOptions *options)
{
  LsOptions *copy = g_memdup2 (options, sizeof *options);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].type == LS_OPTION_STRING)
      {
        char **text = G_STRUCT_MEMBER_P (copy, table[i].offset);
        *text = g_strdup (*text);
      }
  return copy;
}

void
ls_options_free (LsOptions *options)
{
  if (options == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].type == LS_OPTION_STRING)
      g_free (G_STRUCT_MEMBER (char *, options, table[i].offset));
  g_free (options);
}

void
ls_options_take_live (LsOptions *options, const LsOptions *from)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].effect == LS_OPTION_LIVE)
      {
        g_autofree char *text = ls_options_get (from, &table[i]);
        ls_options_set (options, &table[i], text, NULL);
        if (!ls_options_is_given (from, &table[i]))
          options->given &= ~ls_option_bit (&table[i]);
      }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ladder on paper against Oclgrind, which interprets each kernel and counts its instructions: every rung
 * at 64×64×64, loads and stores of global and local memory in bytes, and multiply-adds; of products, and of
 * convolutions whose windows never reach beyond the picture (the ledger counts such places as loads, a kernel
 * doesn't). The program starts itself inside Oclgrind to run one rung: test-ledger OP FUNCTION M N K.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/ladder.h"
#include "run.h"

#define EDGE            64
#define LANES           4 /* of the packed rung's vectors here */
#define WIDTH           8
#define WINDOW          4
#define CHANNELS_WINDOW 3                                        /* of conv_channels_dw.cl */
#define CHANNELS_COLS   (16 * CHANNELS_WINDOW * CHANNELS_WINDOW) /* so many that the sum is one part */

static const char *self;

/* ---- inside Oclgrind ---- */

/* The row whose tiles that function makes. */
static const LsClKernel *
find_kernel (const char *op, const char *function)
{
  guint n;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    for (guint p = 0;
         strcmp (kernels[i].op, op) == 0 && p < LS_CL_MAX_PASSES && kernels[i].passes[p].function != NULL;
         p++)
      if (kernels[i].passes[p].tiles && strcmp (kernels[i].passes[p].function, function) == 0)
        return &kernels[i];
  return NULL;
}

/* Convolutions with m output channels and WIDTH² results of one picture. The forward one and the weights'
 * have windows of WINDOW²; the gradient's are 1×1, as all others of its windows reach beyond dY's edge. */
static LsOpTest
shapes_of (const LsOpClass *klass, gint64 m, gint64 n, gint64 k)
{
  const gint64 edge = WIDTH + WINDOW - 1, parts = EDGE / (WINDOW * WINDOW);

  if (klass == &ls_op_conv2d)
    return (LsOpTest){ .in = { { 1, parts, edge, edge }, { m, parts, WINDOW, WINDOW } },
                       .attr = { .kernel = WINDOW, .stride = 1 } };
  if (klass == &ls_op_conv2d_dw && n == CHANNELS_COLS)
    return (LsOpTest){ .in = { { 1, m, WIDTH, WIDTH },
                               { 1, n / (CHANNELS_WINDOW * CHANNELS_WINDOW), WIDTH, WIDTH } },
                       .attr = { .kernel = CHANNELS_WINDOW, .stride = 1, .pad = 1 } };
  if (klass == &ls_op_conv2d_dw)
    return (LsOpTest){ .in = { { 1, m, WIDTH, WIDTH }, { 1, parts, edge, edge } },
                       .attr = { .kernel = WINDOW, .stride = 1 } };
  if (klass == &ls_op_conv2d_dx)
    return (LsOpTest){ .in = { { 1, k, WIDTH, WIDTH }, { k, m, 1, 1 }, { 1, m, WIDTH, WIDTH } },
                       .attr = { .kernel = 1, .stride = 1 } };
  return (LsOpTest){ .in = { { m, k }, { k, n } } };
}

static int
run_rung (const char *op, const char *function, gint64 m, gint64 n, gint64 k)
{
  const LsOpClass *klass = ls_op_class_find (op);
  const LsOpTest test = shapes_of (klass, m, n, k);
  const LsClKernel *kernel = find_kernel (op, function);
  const char *reason = NULL;
  Rig rig;

  if (kernel == NULL || !rig_open (&rig, FALSE, &reason))
    {
      fprintf (stderr, "%s\n", reason != NULL ? reason : "no such kernel");
      return 1;
    }
  Case *c = case_new (klass, &test, NULL, LS_SAMPLE_U8);
  Run run = { .rig = &rig, .kernel = kernel, .c = c };
  for (guint i = 0; i < LS_CL_MAX_PARAMS; i++)
    run.values[i] = kernel->params[i].value;
  run_check (&run, FALSE);
  case_free (c);
  rig_close (&rig);
  return 0;
}

/* ---- outside ---- */

/* What was executed in one kernel. */
typedef struct {
  guint64 global_load, global_store, local_load, local_store; /* bytes */
  guint64 multiply_adds;
} Counts;

/* Of "call _Z6vload4mPU3AS1Kf()", a vector of 4 floats from global memory (address space 1; local is 3): 4;
 * 0: none such. */
static guint64
vector_lanes (const char *text, const char *function, const char *space)
{
  const char *at = strstr (text, function);

  return at != NULL && strstr (at, space) != NULL ? g_ascii_strtoull (at + strlen (function), NULL, 10) : 0;
}

/* "524288 - load global (2097152 bytes)", "262144 - call llvm.fmuladd.f32()", with commas in some versions:
 * adds the line to counts. */
static void
read_line (const char *line, Counts *counts)
{
  static const struct {
    const char *name;
    gsize at;
  } memory[] = {
    { "load global", G_STRUCT_OFFSET (Counts, global_load) },
    { "load constant", G_STRUCT_OFFSET (Counts, global_load) },
    { "store global", G_STRUCT_OFFSET (Counts, global_store) },
    { "load local", G_STRUCT_OFFSET (Counts, local_load) },
    { "store local", G_STRUCT_OFFSET (Counts, local_store) },
  };
  GString *plain = g_string_new (NULL);
  const char *dash;

  for (const char *c = line; *c; c++)
    if (*c != ',')
      g_string_append_c (plain, *c);
  g_strchug (plain->str);
  dash = strstr (plain->str, " - ");
  for (gsize i = 0; dash != NULL && i < G_N_ELEMENTS (memory); i++)
    if (g_str_has_prefix (dash + 3, memory[i].name))
      {
        const char *bytes = strchr (dash, '(');
        g_assert_nonnull (bytes);
        G_STRUCT_MEMBER (guint64, counts, memory[i].at) += g_ascii_strtoull (bytes + 1, NULL, 10);
      }
  if (dash != NULL)
    {
      const guint64 calls = g_ascii_strtoull (plain->str, NULL, 10);
      counts->global_load += 4 * vector_lanes (dash, "vload", "AS1") * calls;
      counts->global_store += 4 * vector_lanes (dash, "vstore", "AS1") * calls;
      counts->local_load += 4 * vector_lanes (dash, "vload", "AS3") * calls;
      counts->local_store += 4 * vector_lanes (dash, "vstore", "AS3") * calls;
    }
  if (dash != NULL && (dash = strstr (plain->str, "fmuladd")) != NULL)
    {
      const char *width = strstr (dash, "fmuladd.v");
      const guint64 lanes = width != NULL ? g_ascii_strtoull (width + strlen ("fmuladd.v"), NULL, 10) : 1;
      counts->multiply_adds += lanes * g_ascii_strtoull (plain->str, NULL, 10);
    }
  g_string_free (plain, TRUE);
}

static char *
interpret (const char *op, const char *function, gint64 m, gint64 n, gint64 k)
{
  g_autofree char *rows = g_strdup_printf ("%" G_GINT64_FORMAT, m),
                  *cols = g_strdup_printf ("%" G_GINT64_FORMAT, n);
  g_autofree char *products = g_strdup_printf ("%" G_GINT64_FORMAT, k);
  const char *const argv[] = { "oclgrind", "--inst-counts", self, op, function, rows, cols, products, NULL };
  char *out = NULL;
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &errors, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, &error))
    g_error ("%s, %s: %s %s", op, function, error->message, errors);
  return out;
}

/* The packed convolutions are kernels of their own, without a panel. */
static LsRungCut
cut_of (const LsOpClass *klass, LsRung rung)
{
  LsRungCut cut = ls_rung_cut (rung, LANES);

  if (rung == LS_RUNG_PACKED && klass != &ls_op_matmul)
    {
      const gboolean dw = klass == &ls_op_conv2d_dw;

      cut.function = dw ? "conv_packed_dw" : "conv_packed";
      cut.tile_m = cut.item_m = dw ? LANES : cut.tile_m;
      cut.tile_n = cut.item_n = dw ? 9 : cut.tile_n;
      cut.panel = FALSE;
    }
  return cut;
}

static void
check_cut (const LsOpClass *klass, const LsRungCut *cut, gint64 n, gint64 k)
{
  const LsGemm gemm = { EDGE, n, k };
  const LsLedger ledger = ls_ledger_total (cut, &gemm);
  g_autofree char *program = g_find_program_in_path ("oclgrind");
  g_autofree char *out = NULL, *name = g_strdup_printf ("'%s'", cut->function);
  gboolean own = FALSE; /* not of a pass that prepares or adds up */
  Counts counts = { 0 };

  if (program == NULL)
    {
      g_test_skip ("oclgrind isn't installed");
      return;
    }
  out = interpret (klass->name, cut->function, gemm.m, gemm.n, gemm.k);
  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (strstr (lines[i], " for kernel ") != NULL)
        own = strstr (lines[i], name) != NULL;
      else if (own)
        read_line (lines[i], &counts);
    }
  g_test_message ("%s: %" G_GUINT64_FORMAT " multiply-adds, bytes global %" G_GUINT64_FORMAT
                  " in, %" G_GUINT64_FORMAT " out, local %" G_GUINT64_FORMAT " in, %" G_GUINT64_FORMAT " out",
                  cut->function, counts.multiply_adds, counts.global_load, counts.global_store,
                  counts.local_load, counts.local_store);
  g_assert_cmpuint (counts.multiply_adds, ==, (guint64) ledger.flops / 2);
  g_assert_cmpuint (counts.global_load, ==, 4 * (guint64) ledger.global_loads);
  g_assert_cmpuint (counts.global_store, ==, 4 * (guint64) ledger.global_stores);
  g_assert_cmpuint (counts.local_load, ==, 4 * (guint64) ledger.local_loads);
  g_assert_cmpuint (counts.local_store, ==, 4 * (guint64) ledger.local_stores);
}

static void
check_rung (const LsOpClass *klass, LsRung rung, gint64 k)
{
  const LsRungCut cut = cut_of (klass, rung);

  check_cut (klass, &cut, EDGE, k);
}

static void
test_rung (gconstpointer data)
{
  check_rung (&ls_op_matmul, (LsRung) GPOINTER_TO_UINT (data), EDGE);
}

/* Implicit GEMMs. */
static void
test_convolution (gconstpointer data)
{
  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    check_rung (data, (LsRung) rung, EDGE);
}

/* The weights' gradient where the channels fill vectors. */
static void
test_channels (void)
{
  LsRungCut cut = cut_of (&ls_op_conv2d_dw, LS_RUNG_PACKED);

  cut.function = "conv_channels_dw";
  cut.tile_m = cut.item_m = 2;
  cut.tile_n = cut.item_n = CHANNELS_WINDOW * CHANNELS_WINDOW * LANES;
  check_cut (&ls_op_conv2d_dw, &cut, CHANNELS_COLS, WIDTH * WIDTH);
}

/* A sum of more than one panel: what has been added up waits in local memory. */
static void
test_panels (void)
{
  check_rung (&ls_op_matmul, LS_RUNG_PACKED, 2 * LS_SUM_BLOCK + 3);
}

/* What the paper takes for granted is what the table builds. */
static void
test_sizes (void)
{
  static const struct {
    LsRung rung;
    const char *name;
  } sizes[] = {
    { LS_RUNG_TILED, "TILE" },        { LS_RUNG_REGISTER, "TILE_M" }, { LS_RUNG_REGISTER, "TILE_N" },
    { LS_RUNG_REGISTER, "TILE_K" },   { LS_RUNG_REGISTER, "ITEM_M" }, { LS_RUNG_REGISTER, "ITEM_N" },
    { LS_RUNG_PACKED, "GROUP_ROWS" },
  };

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      const LsRungCut cut = ls_rung_cut ((LsRung) rung, LANES);
      const LsClKernel *kernel = find_kernel ("matmul", cut.function);
      gboolean source = FALSE;

      g_assert_nonnull (kernel);
      g_assert_cmpstr (kernel->rung, ==, cut.name);
      for (guint i = 0; i < LS_CL_MAX_SOURCES && kernel->sources[i] != NULL; i++)
        source |= strcmp (kernel->sources[i], cut.file) == 0;
      g_assert_true (source);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const LsRungCut cut = ls_rung_cut (sizes[i].rung, LANES);
      const guint should[] = { cut.tile_m, cut.tile_m, cut.tile_n, cut.tile_k,
                               cut.item_m, cut.item_n, cut.tile_m };
      const LsClKernel *kernel = find_kernel ("matmul", cut.function);
      gboolean found = FALSE;
      for (guint k = 0; k < LS_CL_MAX_PARAMS && kernel->params[k].name != NULL; k++)
        if (strcmp (kernel->params[k].name, sizes[i].name) == 0)
          {
            g_assert_cmpuint ((guint) kernel->params[k].value, ==, should[i]);
            found = TRUE;
          }
      g_assert_true (found);
    }
}

int
main (int argc, char **argv)
{
  if (argc == 6)
    return run_rung (argv[1], argv[2], g_ascii_strtoll (argv[3], NULL, 10),
                     g_ascii_strtoll (argv[4], NULL, 10), g_ascii_strtoll (argv[5], NULL, 10));
  self = argv[0];
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opencl/ledger/sizes", test_sizes);
  g_test_add_func ("/opencl/ledger/panels", test_panels);
  g_test_add_func ("/opencl/ledger/channels", test_channels);
  g_test_add_data_func ("/opencl/ledger/conv2d", &ls_op_conv2d, test_convolution);
  g_test_add_data_func ("/opencl/ledger/conv2d-dx", &ls_op_conv2d_dx, test_convolution);
  g_test_add_data_func ("/opencl/ledger/conv2d-dw", &ls_op_conv2d_dw, test_convolution);
  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      g_autofree char *path = g_strconcat ("/opencl/ledger/", ls_rung_cut ((LsRung) rung, 0).name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (rung), test_rung);
    }
  return g_test_run ();
}

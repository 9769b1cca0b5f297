/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of peers, and how each is started.
 */
#include "config.h"
#include "peers.h"

#include <string.h>

#include "core/error.h"
#include "data/datadir.h"
#include "work.h"

#define START_S 60 /* PoCL may have to compile the probe's kernels */
#define ALL     (LS_WORK_STEP | LS_WORK_PRODUCT | LS_WORK_CONV)

/* clang-format off */
static const LsPeer peers[LS_PEER_N] = {
  [LS_PEER_CPU] = { "cpu", "CPU lane", ALL, .limit_s = 60, .budget_s = 600 },
  [LS_PEER_OPENCL] = { "opencl", "OpenCL lane", ALL, .limit_s = 120, .budget_s = 600 },
  [LS_PEER_OPENBLAS] = { "openblas", "OpenBLAS", ALL, .spins = TRUE, .limit_s = 30, .budget_s = 120 },
  [LS_PEER_TORCH] = { "torch", "PyTorch", LS_WORK_STEP, "torch_peer.py", TRUE, "python3-torch", TRUE,
    TRUE, 60, 240 },
  [LS_PEER_TORCH_NEW] = { "torch-new", "newer PyTorch", LS_WORK_STEP, "torch_peer.py", TRUE, NULL, TRUE,
    TRUE, 60, 240 },
  [LS_PEER_TORCH_COMPILED] = { "torch-compile", "torch.compile", LS_WORK_STEP, "torch_peer.py", TRUE,
    .tries_threads = TRUE, .spins = TRUE, .limit_s = 180, .budget_s = 900, .venv = TRUE, .argument = "compile" },
  [LS_PEER_JAX] = { "jax", "JAX", LS_WORK_STEP, "jax_peer.py", TRUE, .spins = TRUE, .limit_s = 60,
    .budget_s = 240, .venv = TRUE },
  [LS_PEER_CLBLAST] = { "clblast", "CLBlast", LS_WORK_PRODUCT, "clblast_peer", FALSE, "libclblast1",
    FALSE, FALSE, 40, 60 },
  [LS_PEER_ONEDNN] = { "onednn", "oneDNN", LS_WORK_CONV, "onednn_peer", FALSE, "libdnnl2 or libdnnl3",
    FALSE, TRUE, 30, 60 },
};
/* clang-format on */

const LsPeer *
ls_peers (void)
{
  return peers;
}

const char *
ls_peers_folder (void)
{
  return g_file_test (LS_PEER_DIR, G_FILE_TEST_IS_DIR) ? LS_PEER_DIR : NULL;
}

/* ---- others' programs ---- */

static LsLabChild *
start_program (const char *folder, const LsPeer *peer, const char *device, GError **error)
{
  g_autofree char *path = g_build_filename (folder, peer->file, NULL);
  const char *const argv[] = { path, device, NULL };

  return ls_lab_child_new (argv, NULL, START_S, NULL, error);
}

static LsLabChild *
start_python (const char *python, const char *folder, const LsPeer *peer, GError **error)
{
  g_autofree char *path = g_build_filename (folder, peer->file, NULL),
                  *images = ls_data_dir_find ("datasets/mnist");
  const char *const argv[] = { python, path, images != NULL ? images : "", peer->argument, NULL };
  static const char *const environment[] = { "PYTHONDONTWRITEBYTECODE=1", NULL };

  return ls_lab_child_new (argv, environment, START_S, NULL, error);
}

static LsLabChild *
start_torch (const char *folder)
{
  static const char *const pythons[] = { "/usr/bin/python3", "python3" };
  LsLabChild *child = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (pythons) && child == NULL; i++)
    child = start_python (pythons[i], folder, &peers[LS_PEER_TORCH], NULL);
  return child;
}

/* One that isn't the same as `other`: the Python that LOCKSTEP_BENCH_TORCH names, or that of build-peers, or
 * another one on the PATH. */
static LsLabChild *
start_newer_torch (const char *folder, const char *other)
{
  g_autoptr (GPtrArray) pythons = g_ptr_array_new_with_free_func (g_free);

  if (g_getenv ("LOCKSTEP_BENCH_TORCH") != NULL)
    g_ptr_array_add (pythons, g_strdup (g_getenv ("LOCKSTEP_BENCH_TORCH")));
  else
    {
      g_ptr_array_add (pythons, g_strdup (LS_PEER_PYTHON));
      for (guint minor = 20; minor >= 8; minor--)
        {
          g_autofree char *name = g_strdup_printf ("python3.%u", minor);
          char *path = g_find_program_in_path (minor == 20 ? "python3" : name);
          if (path != NULL)
            g_ptr_array_add (pythons, path);
        }
    }
  for (guint i = 0; i < pythons->len; i++)
    {
      LsLabChild *child = start_python (g_ptr_array_index (pythons, i), folder, &peers[LS_PEER_TORCH_NEW],
                                        NULL);
      if (child != NULL && g_strcmp0 (ls_lab_child_title (child), other) != 0)
        return child;
      ls_lab_child_free (child);
    }
  return NULL;
}

/* ---- all ---- */

static void
say_missing (LsContender *c, const char *folder, const GError *error)
{
  const LsPeer *peer = c->peer;
  g_autofree char *why = error != NULL ? ls_sentence (error->message) : g_strdup ("");

  if (peer->file != NULL && folder == NULL)
    c->missing = g_strdup_printf (
      "%s is missing: its program isn’t here; “./dev bench” in the sources builds and gives it.",
      peer->title);
  else if (peer->venv)
    c->missing = g_strdup_printf (
      "%s is missing: “./dev bench --peers” installs it in build-peers, a virtual environment (%s)",
      peer->title, why);
  else if (peer == &peers[LS_PEER_TORCH_NEW])
    c->missing = g_strdup (
      "A newer PyTorch is missing: no other Python here has one; “./dev bench --peers” installs one, or "
      "LOCKSTEP_BENCH_TORCH names the Python of a virtual environment that has it.");
  else if (peer == &peers[LS_PEER_TORCH])
    c->missing = g_strdup_printf ("PyTorch is missing: no python3 here can run %s (Debian: apt install %s).",
                                  peer->file, peer->package);
  else if (peer->package != NULL)
    c->missing = g_strdup_printf ("%s is missing (Debian: apt install %s): %s", peer->title, peer->package,
                                  why);
  else
    c->missing = g_strdup_printf ("The %s is missing: %s", peer->title, why);
}

void
ls_contenders_start (LsContender contenders[LS_PEER_N], const LsOptions *options, const char *folder,
                     guint kinds)
{
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      LsContender *c = &contenders[i];
      g_autoptr (GError) error = NULL;

      *c = (LsContender){ .peer = &peers[i] };
      if (peers[i].file != NULL && !(peers[i].kinds & kinds))
        continue;
      if (peers[i].file == NULL)
        c->child = ls_lab_child_self (peers[i].name, options, NULL, NULL, &error);
      else if (folder != NULL && i == LS_PEER_TORCH)
        c->child = start_torch (folder);
      else if (folder != NULL && i == LS_PEER_TORCH_NEW)
        c->child = start_newer_torch (folder, contenders[LS_PEER_TORCH].title);
      else if (folder != NULL && peers[i].venv)
        c->child = start_python (LS_PEER_PYTHON, folder, &peers[i], &error);
      else if (folder != NULL)
        c->child = start_program (folder, &peers[i], options->device, &error);
      if (c->child == NULL)
        {
          say_missing (c, folder, error);
          continue;
        }
      c->title = g_strdup (ls_lab_child_title (c->child));
      c->threads = ls_lab_child_threads (c->child);
    }
}

void
ls_contenders_clear (LsContender contenders[LS_PEER_N])
{
  for (guint i = 0; i < LS_PEER_N; i++)
    {
      g_clear_pointer (&contenders[i].child, ls_lab_child_free);
      g_clear_pointer (&contenders[i].title, g_free);
      g_clear_pointer (&contenders[i].missing, g_free);
    }
}

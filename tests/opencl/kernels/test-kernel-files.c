/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder in which kernels are edited: what is read of it, what is refused, what is written into it.
 */
#include "config.h"

#include "kernel_folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/kernels/program.h"
#include "core/error.h"

static void
assert_refused (const char *folder, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_kernel_files_read (folder, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_folder (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-kernel-files-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, TILED, NULL), *huge = g_strnfill (2 << 20, 'x');
  g_autofree char *place = ls_kernel_files_place (folder), *again = NULL, *inside = NULL;
  g_auto (GStrv) names = ls_kernel_files_names ();
  g_autoptr (LsKernelFiles) files = NULL, edited = NULL, same = NULL, changed = NULL;
  g_autoptr (GError) error = NULL;
  guint64 stamp;

  g_assert_cmpstr (place, ==, folder);
  g_assert_true (ls_kernel_files_write (folder, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), >, 20);
  g_assert_false (g_strv_contains ((const char *const *) names, "canary.cl"));
  files = read_folder (folder);
  g_assert_false (ls_kernel_files_any (files));

  /* what the user has made of one stays when they are copied out again */
  stamp = ls_kernel_files_stamp (folder);
  g_assert_cmpuint (stamp, ==, ls_kernel_files_stamp (folder));
  edit (folder, TILED, "barrier (", "/* mine, by M\xfcller */ barrier (");
  g_assert_cmpuint (stamp, !=, ls_kernel_files_stamp (folder));
  changed = ls_kernel_files_read_changed (folder, &stamp, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (changed->names, ==, TILED);
  g_assert_cmpuint (stamp, ==, ls_kernel_files_stamp (folder));
  g_assert_null (ls_kernel_files_read_changed (folder, &stamp, &error));
  g_assert_no_error (error);
  g_assert_true (ls_kernel_files_write (folder, NULL));
  edited = read_folder (folder);
  same = read_folder (folder);
  g_assert_cmpstr (edited->names, ==, TILED);
  g_assert_true (g_utf8_validate (g_hash_table_lookup (edited->texts, TILED), -1, NULL));
  g_assert_true (ls_kernel_files_equal (edited, same));
  g_assert_false (ls_kernel_files_equal (edited, files));
  again = ls_kernel_files_place (folder);
  g_assert_cmpstr (again, ==, folder);

  /* one that is missing is the program's own; others are refused */
  g_remove (path);
  g_assert_true (g_mkdir (path, 0700) == 0);
  assert_refused (folder, "is a folder");
  g_rmdir (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (folder, "a device or a pipe");
  g_remove (path);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  assert_refused (folder, "a device or a pipe");
  g_remove (path);
  save (folder, TILED, huge);
  assert_refused (folder, "1 MiB");
  g_assert_true (g_file_set_contents (path, "a\0b", 3, NULL));
  assert_refused (folder, "1 MiB");
  g_remove (path);
  g_assert_true (symlink ("/nonexistent/kernel.cl", path) == 0);
  ls_kernel_files_unref (g_steal_pointer (&same));
  same = read_folder (folder);
  g_assert_false (ls_kernel_files_any (same));
  g_remove (path);

  /* a folder with other things gets one of its own */
  empty_folder (folder);
  save (folder, "letter.txt", "dear");
  inside = ls_kernel_files_place (folder);
  g_assert_true (g_str_has_prefix (inside, folder) && strlen (inside) > strlen (folder));
  remove_tree (folder);
  g_assert_cmpuint (ls_kernel_files_stamp (folder), ==, 0);
  assert_refused (folder, "isn’t there");
  g_assert_false (ls_kernel_files_write ("/proc/no/such", &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
}

/* A device's facts name the edited files, and have each one's text; those of before are gone, and other facts
 * stay. */
static void
test_tell (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kernels-XXXXXX", NULL);
  g_auto (GStrv) names = ls_kernel_files_names ();
  g_autoptr (LsKernelFiles) own = ls_kernel_files_new (), edited = NULL, other = NULL;
  LsDeviceInfo info = { .facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  const LsKernelFiles *told[3];

  save (folder, names[0], "/* one */");
  other = read_folder (folder);
  save (folder, names[1], "/* two */");
  edited = read_folder (folder);
  g_hash_table_insert (info.facts, g_strdup ("driver"), g_strdup ("PoCL"));
  told[0] = edited, told[1] = other, told[2] = own;
  for (guint i = 0; i < 3; i++)
    {
      ls_kernel_files_tell (told[i], &info);
      g_assert_cmpuint (g_hash_table_size (info.facts), ==, i == 0 ? 4 : i == 1 ? 3 : 1);
      g_assert_cmpstr (g_hash_table_lookup (info.facts, "driver"), ==, "PoCL");
      g_assert_cmpstr (g_hash_table_lookup (info.facts, LS_FACT_EDITED), ==, i < 2 ? told[i]->names : NULL);
      for (guint k = 0; k < 2; k++)
        {
          g_autofree char *key = g_strconcat (LS_FACT_KERNEL, names[k], NULL);
          g_assert_cmpstr (g_hash_table_lookup (info.facts, key), ==,
                           i + k > 1 ? NULL
                           : k == 0  ? "/* one */"
                                     : "/* two */");
        }
    }
  g_hash_table_unref (info.facts);
  remove_tree (folder);
}

/* The stamp changes with what is there, and with under which name, and is the same again when all is as it
 * was. */
static void
test_stamp (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kernels-XXXXXX", NULL);
  g_auto (GStrv) names = ls_kernel_files_names ();
  g_autofree char *one = g_build_filename (folder, names[0], NULL),
                  *other = g_build_filename (folder, names[1], NULL),
                  *third = g_build_filename (folder, "notes.txt", NULL);
  const guint64 none = ls_kernel_files_stamp (folder);

  g_assert_cmpuint (none, !=, 0); /* the folder is there */
  g_assert_true (g_file_set_contents (third, "x", 1, NULL));
  g_assert_cmpuint (ls_kernel_files_stamp (folder), ==, none); /* it is no kernel */
  g_assert_true (g_file_set_contents (one, "x", 1, NULL));
  const guint64 first = ls_kernel_files_stamp (folder);
  g_assert_cmpuint (first, !=, none);
  g_assert_cmpint (g_rename (one, other), ==, 0);
  if (ls_kernel_files_stamp (folder) == first)
    g_error ("%s was renamed to %s, which nobody notices", names[0], names[1]);
  g_assert_cmpint (g_rename (other, one), ==, 0);
  g_assert_cmpuint (ls_kernel_files_stamp (folder), ==, first);
  g_assert_cmpint (g_chmod (one, 0400), ==, 0);
  if (ls_kernel_files_stamp (folder) == first)
    g_error ("nobody notices that %s may no longer be written", names[0]);
  g_assert_cmpint (g_remove (one), ==, 0);
  g_assert_cmpuint (ls_kernel_files_stamp (folder), ==, none);
  remove_tree (folder);
}

static void
test_error_line (void)
{
  g_autofree char *line = ls_kernel_error_line (
    "the kernel a.cl doesn't build for x\nwarning: y\n  a.cl:3:5: error: no such thing\nmore");
  g_autofree char *first = ls_kernel_error_line ("one sentence"), *none = ls_kernel_error_line ("");

  g_assert_cmpstr (line, ==, "a.cl:3:5: error: no such thing");
  g_assert_cmpstr (first, ==, "one sentence");
  g_assert_cmpstr (none, ==, "");
}

/* What a program is made of: a file that neither the program nor the folder has; one that the folder
 * lacks. */
static void
test_missing_files (void)
{
  static const char *const names[] = { "probe.clh", "nonsuch.cl", NULL }, *const canary[] = { "probe.clh",
                                                                                              "canary.cl",
                                                                                              NULL };
  g_autoptr (GError) error = NULL, none = NULL;
  g_autofree char *missing = ls_cl_source_load (NULL, names, &error), *source = NULL;

  g_assert_null (missing);
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "“nonsuch.cl”"));
  g_setenv ("LOCKSTEP_KERNEL_DIR", "/nonexistent", TRUE); /* has no file of that name, so the program's own
                                                             are taken */
  source = ls_cl_source_load (NULL, canary, &none);
  g_unsetenv ("LOCKSTEP_KERNEL_DIR");
  g_assert_no_error (none);
  g_assert_nonnull (strstr (source, "#line 1 \"canary.cl\""));
}

static gboolean
launches (const LsClKernel *row, const char *function)
{
  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    if (g_str_equal (row->passes[p].function, function))
      return TRUE;
  return FALSE;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* A row's program holds all the kernels that the row launches, and no others; every line is where it was. */
static void
check_row (const LsClKernel *row)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ls_cl_source_load_row (NULL, row, &error),
                  *whole = ls_cl_source_load (NULL, row->sources, NULL);
  g_autoptr (GRegex) kernel = g_regex_new ("^(?:__kernel .*\\n|(?:NAIVE|PACKED) \\()(\\w+)",
                                           G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (text), ==, count_lines (whole));
  for (g_regex_match (kernel, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL), n++)
    {
      g_autofree char *name = g_match_info_fetch (match, 1);
      if (!launches (row, name))
        g_error ("the program of %s, %s, holds %s, which isn't launched", row->op, row->rung, name);
    }
  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    {
      gboolean twice = FALSE;
      for (guint q = 0; q < p; q++)
        twice |= g_str_equal (row->passes[q].function, row->passes[p].function);
      if (!twice && n-- == 0)
        g_error ("the program of %s, %s, lacks a kernel: %s or one before it", row->op, row->rung,
                 row->passes[p].function);
    }
  g_assert_cmpuint (n, ==, 0);
}

static void
test_launched (void)
{
  guint n, n_half;
  const LsClKernel *rows = ls_cl_kernels (&n), *half = ls_cl_half_kernels (&n_half);

  for (guint i = 0; i < n; i++)
    {
      const LsClKernel *apart = ls_cl_kernel_apart (&rows[i]);
      check_row (&rows[i]);
      if (apart != NULL)
        check_row (apart);
    }
  for (guint i = 0; i < n_half; i++)
    check_row (&half[i]);
}

/* What somebody has edited is compiled whole: an error in it is told, whichever kernel it is in. */
static void
test_edited (void)
{
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);
  g_autofree char *folder = g_dir_make_tmp ("lockstep-kernel-files-XXXXXX", NULL),
                  *path = g_build_filename (folder, "softmax.cl", NULL),
                  *own = ls_kernel_files_own ("softmax.cl"),
                  *changed = g_strconcat (own, "/* changed */\n", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsKernelFiles) edited = NULL;

  g_assert_true (g_file_set_contents (path, changed, -1, NULL));
  edited = ls_kernel_files_read (folder, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (rows[i].op, "softmax_xent"))
      {
        g_autofree char *text = ls_cl_source_load_row (edited, &rows[i], &error), *named = NULL;
        g_assert_no_error (error);
        g_assert_nonnull (strstr (text, changed));
        g_setenv ("LOCKSTEP_KERNEL_DIR", folder, TRUE);
        named = ls_cl_source_load_row (NULL, &rows[i], &error);
        g_unsetenv ("LOCKSTEP_KERNEL_DIR");
        g_assert_no_error (error);
        g_assert_nonnull (strstr (named, changed));
      }
  g_remove (path);
  g_rmdir (folder);
}

/* A folder's name needn't be text; what is said of it is, and still names it. */
static void
test_printable (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-kernel-\xff-XXXXXX", NULL),
                  *path = g_build_filename (folder, TILED, NULL),
                  *missing = g_build_filename (folder, "no", NULL),
                  *in_file = g_build_filename (path, "in", NULL);
  GError *errors[4] = { NULL };

  g_assert_null (ls_kernel_files_read (missing, &errors[0]));
  g_assert_true (g_file_set_contents (path, "a\0b", 3, NULL));
  g_assert_null (ls_kernel_files_read (folder, &errors[1]));
  g_assert_false (ls_kernel_files_write (in_file, &errors[2]));
  g_remove (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  g_assert_null (ls_kernel_files_load (folder, TILED, &errors[3]));
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_assert_error (errors[i], LS_ERROR, LS_ERROR_FILE);
      if (!g_utf8_validate (errors[i]->message, -1, NULL)
          || strstr (errors[i]->message, "lockstep-kernel-") == NULL)
        {
          g_autofree char *shown = g_utf8_make_valid (errors[i]->message, -1);
          g_error ("what is said of a folder whose name is no text is none either (%u): %s", i, shown);
        }
      g_clear_error (&errors[i]);
    }
  g_rmdir (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernel-files/folder", test_folder);
  g_test_add_func ("/kernel-files/error-line", test_error_line);
  g_test_add_func ("/kernel-files/tell", test_tell);
  g_test_add_func ("/kernel-files/printable", test_printable);
  g_test_add_func ("/kernel-files/stamp", test_stamp);
  g_test_add_func ("/kernel-files/missing", test_missing_files);
  g_test_add_func ("/kernel-files/launched", test_launched);
  g_test_add_func ("/kernel-files/edited", test_edited);
  return g_test_run ();
}

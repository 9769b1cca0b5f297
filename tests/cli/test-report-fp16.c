/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `train` says at the end of lanes in fp16, which leave out steps, and what its JSON has of a device, of
 * the machine, of figures and of the options.
 */
#include "captured.h"
#include "moment.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void
print_cb (gconstpointer data)
{
  ls_report_print (data);
}

static void
assert_says (const Moment *m, const char *words, gboolean there)
{
  g_auto (Captured) said = capture (print_cb, &m->s);

  if ((strstr (said.out, words) != NULL) != there)
    g_error ("“%s” is %s in\n%s", words, there ? "not" : "still", said.out);
}

/* How many steps weren't made, of how many; of a lane that isn't scaled, or has made none, nothing. */
static void
test_skipped (void)
{
  g_autoptr (Moment) m = moment_new ();

  assert_says (m, "skipped", FALSE);
  m->s.lanes[1].scale = (LsLossScale){ .factor = 32768, .good = 77, .skipped = 1 };
  m->s.lanes[2].scale = (LsLossScale){ .factor = 65536 };
  assert_says (m, "\nOpenCL: 1 of 2 steps skipped for overflowing gradients; the loss’s scale is 32768.\n",
               TRUE);
  assert_says (m, "CPU: ", FALSE);
  assert_says (m, "Reference: ", FALSE);
  m->s.lanes[1].steps = 1;
  assert_says (m, "\nOpenCL: 1 of 1 step skipped for overflowing gradients; the loss’s scale is 32768.\n",
               TRUE);
  m->s.agreement.skip_step = 41;
  m->s.agreement.apart_step = 42;
  assert_says (
    m,
    "\nAt step 41 one of the lanes in fp16 skipped its update and another one didn’t: from there on "
    "their weights differ.\n",
    TRUE);
}

/* Of lanes that store numbers differently the losses differ by more than rounding, which is said and no
 * fault. */
static void
test_precisions (void)
{
  g_autoptr (Moment) m = moment_new ();

  m->s.agreement.precisions = TRUE;
  m->s.agreement.loss_delta_max = .0625;
  m->s.agreement.loss_delta_step = 87;
  assert_says (
    m,
    "\nThe lanes store numbers in different precisions: the losses of 1403 steps differ by 0.062 at "
    "most, at step 88.\n",
    TRUE);
  m->s.agreement.losses_steps = 1;
  assert_says (m, "precisions: the losses of 1 step differ by 0.062 at most, at step 88.\n", TRUE);
}

static json_t *
written (const Moment *m)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-report-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  const int fd = g_mkstemp (path);
  json_t *json;

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  g_assert_true (ls_report_save (&m->s, NULL, path, &error));
  json = json_load_file (path, 0, NULL);
  g_unlink (path);
  return json;
}

static void
test_scale_json (void)
{
  g_autoptr (Moment) m = moment_new ();

  m->s.lanes[1].scale = (LsLossScale){ .factor = 32768, .good = 77, .skipped = 1 };
  m->s.agreement.precisions = TRUE;
  m->s.agreement.apart_step = 42;
  g_autoptr (json_t) even = written (m);
  m->s.agreement.skip_step = 41;
  g_autoptr (json_t) apart = written (m);
  const json_t *lanes = json_object_get (apart, "lanes"), *lane = json_object_get (lanes, "opencl");

  assert_member (lane, "skipped_steps", "1");
  assert_member (lane, "loss_scale", "32768.0");
  g_assert_null (json_object_get (json_object_get (lanes, "cpu"), "loss_scale"));
  assert_member (json_object_get (apart, "agreement"), "skipping_differs_since_step", "41");
  assert_member (json_object_get (apart, "agreement"), "precisions_differ", "true");
  g_assert_null (json_object_get (json_object_get (even, "agreement"), "skipping_differs_since_step"));
  g_assert_null (json_object_get (apart, "last_finite"));
}

/* Each fact under its own name; what isn't known isn't there. */
static void
test_device_json (void)
{
  g_autoptr (LsDeviceInfo) info = ls_device_info_new ("opencl"), unknown = ls_device_info_new ("opencl");
  g_autoptr (json_t) json = json_object (), bare = json_object (), none = json_object ();

  info->name = g_strdup ("Invented GPU");
  info->kind = LS_DEVICE_GPU;
  info->driver = g_strdup ("driver 7");
  info->version = g_strdup ("OpenCL 3.0");
  info->tells = LS_TELLS_ORDER;
  info->threads = 2;
  info->units = 108;
  info->global_mem = 85899345920;
  info->local_mem = 49152;
  info->max_alloc = 21474836480;
  info->max_group = 1024;
  info->shares_cpu = TRUE;
  ls_json_device (json, info);
  const json_t *device = json_object_get (json, "device");
  static const struct {
    const char *name, *text;
  } members[] = {
    { "name", "\"Invented GPU\"" },
    { "kind", "\"GPU\"" },
    { "driver", "\"driver 7\"" },
    { "version", "\"OpenCL 3.0\"" },
    { "tells", "\"order\"" },
    { "threads", "2" },
    { "units", "108" },
    { "local_mem_bytes", "49152" },
    { "global_mem_bytes", "85899345920" },
    { "max_alloc_bytes", "21474836480" },
    { "max_group", "1024" },
    { "shares_cpu", "true" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    assert_member (device, members[i].name, members[i].text);

  ls_json_device (bare, unknown);
  for (gsize i = 5; i < 11; i++)
    if (json_object_get (json_object_get (bare, "device"), members[i].name) != NULL)
      g_error ("“%s” of a device that isn't known is written", members[i].name);
  unknown->local_mem = 0; /* which is known */
  json_object_clear (bare);
  ls_json_device (bare, unknown);
  assert_member (json_object_get (bare, "device"), "local_mem_bytes", "0");
  ls_json_device (none, NULL);
  assert_member (none, "device", "null");
}

/* All options, numbers as numbers and words as words, each as it is. */
static void
test_options_json (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (json_t) json = json_object ();
  static const struct {
    const char *name, *value, *text;
  } rows[] = {
    { "batch", "37", "37" },
    { "seed", "9007199254740991", "9007199254740991" },
    { "lr", "0.125", "0.125" },
    { "test-share", "0.3", "0.3" },
    { "optimizer", "adam", "\"adam\"" },
    { "precision", "bf16", "\"bf16\"" },
    { "tile-edge", "16", "\"16\"" },
    { "model", "flatten, dense 3", "\"flatten, dense 3\"" },
    { "label", "", "\"\"" },
    { "threads", "0", "0" },
  };
  guint n;

  ls_options_table (&n);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_true (ls_options_set (options, ls_options_find (rows[i].name), rows[i].value, NULL));
  ls_json_options (json, options);
  const json_t *written = json_object_get (json, "options");
  g_assert_cmpuint (json_object_size (written), ==, n);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_member (written, rows[i].name, rows[i].text);
}

/* The machine as the system describes it: uname's kernel and architecture, the processors that are there, and
 * the name of the first one, where /proc/cpuinfo has one. */
static void
test_machine_json (void)
{
  g_autoptr (json_t) json = json_object ();
  g_autofree char *info = NULL, *name = NULL;
  struct utsname names;

  ls_json_machine (json);
  const json_t *machine = json_object_get (json, "machine");
  g_assert_cmpint (uname (&names), ==, 0);
  g_assert_cmpstr (json_string_value (json_object_get (machine, "kernel")), ==, names.release);
  g_assert_cmpstr (json_string_value (json_object_get (machine, "architecture")), ==, names.machine);
  g_assert_cmpint (json_integer_value (json_object_get (machine, "processors")), ==,
                   sysconf (_SC_NPROCESSORS_ONLN));
  g_assert_nonnull (json_object_get (machine, "cpu"));
  g_assert_nonnull (json_object_get (machine, "system"));
  if (g_file_get_contents ("/proc/cpuinfo", &info, NULL, NULL) && strstr (info, "model name\t: ") != NULL)
    {
      const char *at = strstr (info, "model name\t: ") + strlen ("model name\t: ");
      name = g_strstrip (g_strndup (at, strcspn (at, "\n")));
    }
  g_assert_cmpstr (json_string_value (json_object_get (machine, "cpu")), ==, name);
}

/* Of a figure what was measured, zeros as they are; of none no number, but how much was left out. */
static void
test_figure_json (void)
{
  static const struct {
    LsFigure figure;
    const char *text;
  } rows[] = {
    { { .value = 2.5, .q1 = 1.25, .q3 = 4, .n = 9, .left_out = 3, .unit = "s", .condition = "beside others" },
      "{\"median\":2.5,\"q1\":1.25,\"q3\":4.0,\"n\":9,\"left_out\":3,\"unit\":\"s\",\"evidence\":"
      "\"measured\","
      "\"condition\":\"beside others\"}" },
    { { .n = 1, .unit = "J", .evidence = LS_EVIDENCE_MODELLED },
      "{\"median\":0.0,\"q1\":0.0,\"q3\":0.0,\"n\":1,\"left_out\":0,\"unit\":\"J\",\"evidence\":\"modelled\","
      "\"condition\":null}" },
    { { .value = 7, .q1 = 7, .q3 = 7, .left_out = 2, .unit = "s" },
      "{\"median\":null,\"q1\":null,\"q3\":null,\"n\":0,\"left_out\":2,\"unit\":\"s\",\"evidence\":"
      "\"measured\","
      "\"condition\":null}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (json_t) json = json_object ();

      ls_json_figure (json, "figure", &rows[i].figure);
      assert_member (json, "figure", rows[i].text);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/report-fp16/skipped", test_skipped);
  g_test_add_func ("/cli/report-fp16/precisions", test_precisions);
  g_test_add_func ("/cli/report-fp16/scale-json", test_scale_json);
  g_test_add_func ("/cli/report-fp16/device-json", test_device_json);
  g_test_add_func ("/cli/report-fp16/options-json", test_options_json);
  g_test_add_func ("/cli/report-fp16/machine-json", test_machine_json);
  g_test_add_func ("/cli/report-fp16/figure-json", test_figure_json);
  return g_test_run ();
}

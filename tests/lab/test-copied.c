/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product that is copied to the device and back each time (lab/lane/worker_copy.c), and one that there is
 * too little memory for.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "lab/lane/worker_lane.h"
#include "rig.h"

#define M 3
#define N 5
#define K 4

static guint room_left; /* tensors that there is memory for */

float *__wrap_ls_lab_room_for (const LsTensor *tensor, GError **error);
float *__real_ls_lab_room_for (const LsTensor *tensor, GError **error);

float *
__wrap_ls_lab_room_for (const LsTensor *tensor, GError **error)
{
  if (room_left > 0)
    {
      room_left--;
      return __real_ls_lab_room_for (tensor, error);
    }
  g_set_error (error, LS_ERROR, LS_ERROR_MEMORY, "no room for %s", tensor->name);
  return NULL;
}

/* What the lane is asked, in its order: “w0 w1 run r2”. */
static GString *asked;

static gboolean
write_cb (gpointer self, guint tensor, const void *values, GError **error)
{
  g_string_append_printf (asked, "w%u ", tensor);
  return ls_backend_reference.write (self, tensor, values, error);
}

static gboolean
read_cb (gpointer self, guint tensor, void *values, GError **error)
{
  g_string_append_printf (asked, "r%u ", tensor);
  return ls_backend_reference.read (self, tensor, values, error);
}

static gboolean
run_cb (gpointer self, const LsRun *run, LsRunResult *result, GError **error)
{
  g_string_append_printf (asked, "run %u of %u ops ", run->n_steps, run->n_ops);
  return ls_backend_reference.run (self, run, result, error);
}

static LsLabLane *
open_lane (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autofree char *title = NULL;
  guint threads;
  gpointer lane;

  room_left = G_MAXUINT;
  lane = rig_worker ()->open ("reference", options, &title, &threads, NULL);
  if (lane == NULL)
    g_error ("the reference can't be opened");
  return lane;
}

/* Both inputs go there, the product comes back, each time, and it is of what was copied. */
static void
test_copied (void)
{
  const LsLabWorker *kind = rig_worker ();
  LsLabLane *lane = open_lane ();
  LsBackend heard = ls_backend_reference;
  const LsBackend *const silent = lane->backend;
  g_autofree char *how = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
  double each;

  kind->prepare (lane, "copied\t3\t5\t4", &how, &error);
  g_assert_no_error (error);
  g_assert_true (lane->copied);
  g_assert_cmpuint (lane->plan->ops[0].n_in, ==, 2);
  asked = g_string_new (NULL);
  heard.write = write_cb;
  heard.read = read_cb;
  heard.run = run_cb;
  lane->backend = &heard;
  for (guint turn = 0; turn < 2; turn++)
    {
      const float *a = lane->room[0], *b = lane->room[1];

      lane->room[0][1] += 8 * (float) turn; /* another input */
      lane->room[1][2] -= 4 * (float) turn;
      g_string_truncate (asked, 0);
      g_assert_true (ls_lab_lane_turn (lane, 1, NULL, &each, &error));
      g_assert_cmpstr (asked->str, ==, "w0 w1 run 1 of 1 ops r2 ");
      g_assert_cmpfloat (each, >, 0);
      for (guint m = 0; m < M; m++)
        for (guint n = 0; n < N; n++)
          {
            double sum = 0;

            for (guint k = 0; k < K; k++)
              sum += (double) a[m * K + k] * (double) b[k * N + n];
            if (fabs ((double) lane->room[2][m * N + n] - sum) > 1e-5)
              g_error ("turn %u: element %u, %u that is copied back is %g, not %g", turn, m, n,
                       (double) lane->room[2][m * N + n], sum);
          }
    }
  /* never more than one at once: its copies are its own */
  g_string_truncate (asked, 0);
  g_assert_true (kind->run (lane, 1, .01, us, &error));
  for (const char *at = asked->str; (at = strstr (at, "run ")) != NULL; at++)
    if (!g_str_has_prefix (at, "run 1 of "))
      g_error ("several products are copied at once: %.20s", at);
  g_assert_cmpuint (us->len, >, 0);
  lane->backend = silent;

  /* what isn't copied forgets them */
  g_free (g_steal_pointer (&how));
  g_assert_true (kind->prepare (lane, "product\t3\t5\t4", &how, &error));
  g_assert_false (lane->copied);
  g_assert_true (lane->room[0] == NULL && lane->room[1] == NULL && lane->room[2] == NULL);
  g_string_truncate (asked, 0);
  lane->backend = &heard;
  g_assert_true (ls_lab_lane_turn (lane, 2, NULL, &each, &error));
  g_assert_cmpstr (asked->str, ==, "run 2 of 1 ops ");
  lane->backend = silent;
  g_string_free (asked, TRUE);
  kind->close (lane);
}

/* What a product is of before it is copied: numbers between −½ and ½, as many above 0 as below, of which the
 * first ones come again where there are many, and others for either input. */
static void
test_values (void)
{
  enum { ROWS = 300, COLS = 256, AGAIN = 65521 };
  const LsLabWorker *kind = rig_worker ();
  LsLabLane *lane = open_lane ();
  g_autofree float *values[2] = { g_new (float, ROWS *COLS), g_new (float, COLS * 4) };
  g_autofree char *how = NULL;
  g_autoptr (GError) error = NULL;
  guint above = 0;

  kind->prepare (lane, "product\t300\t4\t256", &how, &error);
  g_assert_no_error (error);
  for (guint k = 0; k < 2; k++)
    g_assert_true (lane->backend->read (lane->self, lane->plan->ops[0].in[k], values[k], &error));
  for (guint i = 0; i < ROWS * COLS; i++)
    {
      if (!(fabsf (values[0][i]) <= .5f) || values[0][i] == 0)
        g_error ("number %u of the first input is %g", i, (double) values[0][i]);
      if (i >= AGAIN && values[0][i] != values[0][i - AGAIN])
        g_error ("number %u of the first input is %g, and that before it by %d is %g", i,
                 (double) values[0][i], AGAIN, (double) values[0][i - AGAIN]);
      above += values[0][i] > 0;
    }
  g_assert_cmpuint (above, >, ROWS * COLS * 49 / 100);
  g_assert_cmpuint (above, <, ROWS * COLS * 51 / 100);
  for (guint i = 1; i < COLS * 4; i++)
    if (values[1][i] == values[1][i - 1] || values[1][i] == values[0][i])
      g_error ("number %u of the second input is %g, as its neighbour or as that of the first one", i,
               (double) values[1][i]);
  kind->close (lane);
}

/* Too little memory for any of its values is said, nothing is prepared then, and the lane goes on with what
 * there is memory for. */
static void
test_no_room (void)
{
  static const struct {
    const char *spec, *tensor;
    guint room;
  } rows[] = { { "product\t8", "in0", 0 },
               { "product\t8", "in1", 1 },
               { "step\tflatten, dense 2\txor\t4", "1.weight", 0 },
               { "step\tflatten, dense 2\txor\t4", "1.bias", 1 } };
  const LsLabWorker *kind = rig_worker ();
  LsLabLane *lane = open_lane ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *how = NULL, *again = NULL;
      g_autoptr (GError) no = NULL, error = NULL;
      g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));

      room_left = rows[i].room;
      g_assert_false (kind->prepare (lane, rows[i].spec, &how, &no));
      g_assert_error (no, LS_ERROR, LS_ERROR_MEMORY);
      if (strstr (no->message, rows[i].tensor) == NULL)
        g_error ("“%s” with room for %u: “%s” doesn't name %s", rows[i].spec, rows[i].room, no->message,
                 rows[i].tensor);
      g_assert_false (kind->run (lane, 1, .01, us, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_clear_error (&error);
      room_left = G_MAXUINT;
      kind->prepare (lane, rows[i].spec, &again, &error);
      g_assert_no_error (error);
      g_assert_true (kind->run (lane, 1, .01, us, &error));
    }
  kind->close (lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-copied/copied", test_copied);
  g_test_add_func ("/lab-copied/values", test_values);
  g_test_add_func ("/lab-copied/no-room", test_no_room);
  return g_test_run ();
}

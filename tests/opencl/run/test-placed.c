/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffers of tensors that lie in each other's memory while it is reused, where all of them can be had,
 * and where one can't. The device's memory is played.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <string.h>

/* A part of a buffer. */
typedef struct {
  cl_mem whole;
  gsize from, size;
} Part;

static struct {
  guint calls, failing; /* that make a part or hold a buffer once more, from 1; 0: none fails */
  gint held;            /* parts and further holds that weren't released */
  GPtrArray *made;      /* the parts */
} parts;

cl_mem
clCreateSubBuffer (cl_mem buffer, G_GNUC_UNUSED cl_mem_flags flags, G_GNUC_UNUSED cl_buffer_create_type type,
                   const void *info, cl_int *code)
{
  const cl_buffer_region *region = info;
  Part *part;

  if (++parts.calls == parts.failing)
    {
      *code = CL_OUT_OF_RESOURCES;
      return NULL;
    }
  part = g_new (Part, 1);
  *part = (Part){ buffer, region->origin, region->size };
  g_ptr_array_add (parts.made, part);
  parts.held++;
  *code = CL_SUCCESS;
  return (cl_mem) (void *) part;
}

cl_int
clRetainMemObject (G_GNUC_UNUSED cl_mem buffer)
{
  if (++parts.calls == parts.failing)
    return CL_OUT_OF_RESOURCES;
  parts.held++;
  return CL_SUCCESS;
}

cl_int
clReleaseMemObject (G_GNUC_UNUSED cl_mem buffer)
{
  parts.held--;
  return CL_SUCCESS;
}

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsPlan *plan;
  guint8 *buffers; /* nobody reads them */
} Lane;

static void
lane_init (Lane *lane)
{
  g_autoptr (LsModel) model = ls_model_parse ("lstm 9 all, lstm 6, dense 16, relu, dense 3", NULL);

  memset (lane, 0, sizeof *lane);
  lane->plan = ls_plan_new (model, (const gint64[]){ 1, 5, 7 }, 3, 3, LS_OPTIMIZER_SGD, NULL);
  lane->device.limits.alignment = 1;
  lane->cl.plan = lane->plan;
  lane->cl.device = &lane->device;
  lane->cl.memory.n_tensors = lane->plan->n_tensors;
  lane->cl.memory.tensors = g_new0 (cl_mem, lane->plan->n_tensors);
  lane->buffers = g_malloc0 (lane->plan->n_tensors);
  for (guint i = 0; i < lane->plan->n_tensors; i++)
    lane->cl.memory.tensors[i] = (cl_mem) (void *) &lane->buffers[i];
}

static void
lane_clear (Lane *lane)
{
  g_free (lane->buffers);
  g_free (lane->cl.memory.tensors);
  ls_plan_unref (lane->plan);
}

/* Where tensor i, which lies in another one's memory, is at last: a part of that, or a buffer that is there.
 */
static void
assert_placed (const Lane *lane, guint i)
{
  const LsTensor *tensors = lane->plan->tensors, *t = &tensors[i];
  const cl_mem *all = lane->cl.memory.tensors;
  const cl_mem is = lane->cl.memory.placed[i];
  const guint place = lane->cl.place[i];

  if (place == ls_tensor_whole (tensors, i))
    {
      g_assert_null (is);
      return;
    }
  g_assert_nonnull (is);
  if (g_ptr_array_find (parts.made, is, NULL))
    {
      const Part *part = (const void *) is;
      if (part->whole != all[place] || part->from != 4 * (gsize) t->first
          || part->size != ls_tensor_bytes (t))
        g_error ("%s lies in %u bytes from %u of another tensor than %s, or from elsewhere", t->name,
                 (guint) part->size, (guint) part->from, tensors[place].name);
      return;
    }
  for (guint j = 0; j < lane->plan->n_tensors; j++)
    if (all[j] == is
        && (t->is_view ? tensors[j].is_view && tensors[j].base == place && tensors[j].first == t->first
                       : j == place))
      return;
  g_error ("%s doesn’t lie in %s", t->name, tensors[place].name);
}

/* Tensors that lie in each other's memory while it is reused: each has a handle there. Wherever one can't be
 * had, none is, nothing is held, and nothing changes for who wants to reuse memory; the next time it may
 * work. */
static void
test_placed (void)
{
  Lane lane;
  guint n_placed = 0, all;

  lane_init (&lane);
  LsClMemory *m = &lane.cl.memory;
  g_autofree guint *leader = g_new (guint, lane.plan->n_ops), *place = g_new (guint, m->n_tensors);
  for (guint i = 0; i < lane.plan->n_ops; i++)
    leader[i] = i;
  ls_plan_places (lane.plan, leader, place);
  parts.made = g_ptr_array_new_with_free_func (g_free);
  ls_cl_placed_make (&lane.cl); /* nobody knows places yet */
  g_assert_null (m->placed);
  lane.cl.place = place;
  for (guint again = 0; again < 2; again++)
    {
      parts.calls = 0;
      ls_cl_placed_make (&lane.cl);
      g_assert_nonnull (m->placed);
      g_assert_cmpint (parts.held, ==, (gint) parts.calls);
    }
  all = parts.calls;
  for (guint i = 0; i < m->n_tensors; i++)
    {
      assert_placed (&lane, i);
      n_placed += m->placed[i] != NULL;
    }
  g_assert_cmpuint (n_placed, >, 3);
  g_assert_cmpuint (n_placed, ==, all);
  ls_cl_placed_clear (&lane.cl);
  g_assert_cmpint (parts.held, ==, 0);
  for (guint k = 1; k <= all; k++)
    {
      g_autoptr (GError) error = NULL;

      parts.calls = 0;
      parts.failing = k;
      ls_cl_placed_make (&lane.cl);
      if (m->placed != NULL)
        g_error ("tensors lie in each other's memory though handle %u of %u can’t be had", k, all);
      g_assert_cmpint (parts.held, ==, 0);
      g_assert_true (ls_cl_reuse (&lane.cl, TRUE, &error));
      g_assert_false (lane.cl.reuses);
    }
  parts.failing = 0;
  ls_cl_placed_make (&lane.cl);
  g_assert_nonnull (m->placed);
  m->any_apart = TRUE; /* what was made before is gone, too */
  ls_cl_placed_make (&lane.cl);
  g_assert_null (m->placed);
  g_assert_cmpint (parts.held, ==, 0);
  m->any_apart = FALSE;
  g_clear_pointer (&parts.made, g_ptr_array_unref);
  lane_clear (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placed/placed", test_placed);
  return g_test_run ();
}

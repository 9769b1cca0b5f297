/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an opened machine says of itself, and that its picture follows the clock: warps take turns, spikes
 * come one after the other, numbers are checked, stages have intervals.
 */
#include "tests/paint/machines/machines_rig.h"

#include "machines/simt.h"
#include "machines/systolic.h"
#include "machines/tensor_core.h"

static void
open_one (Picture *p, const char *name, const LsViewBeside *beside)
{
  open_machines (p, TRUE, beside, 1920, 1080);
  machines_asked (p)->open = (gint) row_of (name);
  draw (p);
}

static const LsMachinesRow *
opened (const Picture *p)
{
  return &machines_of (p)->rows[machines_asked (p)->open];
}

/* It lies in the large picture; scenes have floats. */
static gboolean
in_picture (const Picture *p, const LsItem *item)
{
  const LsArea area = machines_of (p)->picture;

  return ls_area_has ((LsArea){ area.x - 1, area.y - 1, area.w + 1, area.h + 1 }, (double) item->x,
                      (double) item->y);
}

/* Marks of it that are at least so dark. */
static guint
dark_cells (const Picture *p, double least)
{
  guint n = 0;

  for (guint i = 0; i < p->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (p->layout->moving, i);
      n += item->kind == LS_ITEM_BOX && item->ink == LS_INK_TEXT && (double) item->alpha >= least
           && in_picture (p, item);
    }
  return n;
}

/* In each moment each warp's newest cell is what the model says that it does then. */
static void
test_warps (void)
{
  Picture p;
  guint moments = 0, last = 0;

  open_one (&p, "simt", NULL);
  const LsMachinesRow *row = opened (&p);
  const LsMachineOp *op = NULL;
  const LsMachineWork *work = NULL;
  for (guint k = 0; k < machines_of (&p)->works->len; k++)
    {
      const LsMachineWork *at = &g_array_index (machines_of (&p)->works, LsMachineWork, k);
      if (at->k > 0 && (work == NULL || at->product > work->product))
        {
          work = at;
          op = &g_array_index (row->run->ops, LsMachineOp, k);
        }
    }
  g_assert_nonnull (op);
  const LsMachineOp at = *op;
  const LsAssumed assumed = row->assumed;
  LsSimtProduct product;
  ls_simt_product (assumed.value, work->m, work->n, work->k, &product);
  const double slow = ls_machines_slow (machines_of (&p), row_of ("simt")), step = row->run->seconds;
  g_assert_cmpfloat (slow, >, 2);
  g_assert_cmpfloat_with_epsilon (slow * step, machines_of (&p)->end, 1e-9);
  const double launch = assumed.value[ls_machine_find_assumption (&ls_machine_simt, "launch")] * 1e-6;
  for (guint i = 1; i < 20; i++)
    {
      const double passed = i / 20., ns = (at.start + launch + (at.seconds - launch) * passed) * slow * 1e9;
      guint running = 0;

      draw_moment (&p, (gint64) ns);
      /* the clock counts whole ns */
      const double clock = ((double) (gint64) ns * 1e-9 / slow - at.start - launch) / (at.seconds - launch)
                           * product.clocks;
      for (guint w = 0; w < MIN (ls_simt_warps_a_scheduler (assumed.value, &product), 12); w++)
        running += ls_simt_warp_at (assumed.value, &product, w, clock) == LS_WARP_RUNS;
      /* the rightmost column is this moment */
      double right = 0;
      guint shown = 0;
      for (guint k = 0; k < p.layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->moving, k);
          if (item->kind == LS_ITEM_BOX && item->strong && in_picture (&p, item))
            right = MAX (right, (double) item->x);
        }
      for (guint k = 0; k < p.layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (p.layout->moving, k);
          shown += item->kind == LS_ITEM_BOX && item->strong && (double) item->alpha > .8
                   && item->ink == LS_INK_TEXT && (double) item->x > right - 1 && in_picture (&p, item);
        }
      if (shown != running)
        g_error ("at %g of the kernel %u warps run in the newest column, of the drawn ones %u do", passed,
                 shown, running);
      moments += dark_cells (&p, .8) != last;
      last = dark_cells (&p, .8);
    }
  g_assert_cmpuint (moments, >, 1);
  g_assert_true (says (p.layout->moving, "the newest right"));
  g_autofree char *all = all_texts (p.layout->moving, " ");
  g_assert_nonnull (strstr (all, "times slower than the clock"));
  close_picture (&p);
}

/* Up to the time step that has begun, no spike is missing and none is there too early. */
static void
test_spikes (void)
{
  Picture p;
  g_autoptr (LsConverted) spiking = ls_converted_new (LS_CONVERTED_SPIKING);
  const LsViewBeside beside = { .converted = { NULL, spiking } };

  spiking->accuracy = ls_converted_figure (97, 500, "%", LS_EVIDENCE_MEASURED);
  spiking->n_points = 1;
  spiking->points[0]
    = (LsConvertedPoint){ .at = 32,
                          .accuracy = ls_converted_figure (97, 500, "%", LS_EVIDENCE_MEASURED),
                          .spikes = ls_converted_figure (407, 500, "spikes", LS_EVIDENCE_MEASURED),
                          .events = ls_converted_figure (50000, 500, "events", LS_EVIDENCE_MEASURED),
                          .rate = ls_converted_figure (.1, 500, "", LS_EVIDENCE_DERIVED) };
  spiking->n_samples = 500;
  spiking->trained = 900;
  spiking->n_neurons = 4;
  spiking->n_steps = 32;
  for (guint i = 0; i < 4; i++)
    spiking->neurons[i] = (LsConvertedNeuron){ .neuron = i, .spikes = G_GUINT64_CONSTANT (0x88888888) >> i };
  open_one (&p, "spiking", &beside);
  g_assert_true (told (&p, "a network trained anew for this, apart from the lanes, for 900 steps"));
  /* the energy is that of the events that were counted, 23.6 pJ each, also in other words where its bar
   * leaves the axis; with other assumptions it is theirs */
  g_assert_true (told (&p, "407 spikes and 1.18 µJ"));
  ls_machines_say (machines_asked (&p), row_of ("spiking"),
                   (guint) ls_machine_find_assumption (&ls_machine_spiking, "active"), .5);
  draw (&p);
  g_assert_false (told (&p, "407 spikes"));
  machines_asked (&p)->said[row_of ("spiking")][ls_machine_find_assumption (&ls_machine_spiking, "active")]
    = FALSE;
  draw (&p);
  const double length = MIN (opened (&p)->run->seconds, machines_of (&p)->end);
  for (guint step = 0; step < 32; step++)
    {
      guint expected = 0;

      draw_moment (&p, (gint64) (length * (step + .5) / 32 * 1e9));
      for (guint i = 0; i < 4; i++)
        for (guint t = 0; t <= step; t++)
          expected += spiking->neurons[i].spikes >> t & 1;
      if (dark_cells (&p, .5) != expected)
        g_error ("in time step %u %u spikes have come, of %u", step + 1, dark_cells (&p, .5), expected);
      g_autofree char *words = g_strdup_printf ("time step %u of 32", step + 1);
      g_autofree char *all = all_texts (p.layout->moving, " ");
      g_assert_nonnull (strstr (all, words));
    }
  close_picture (&p);
  /* without a result the page tells what would be done */
  open_one (&p, "spiking", NULL);
  g_assert_true (told (&p, "trains a network of these settings anew, apart from the lanes"));
  close_picture (&p);
}

/* What the arrays compute is checked with the recorded numbers, and that is said; where none are, nothing is.
 */
static void
test_checked (void)
{
  static const char *const machines[] = { "systolic", "tensor" };
  Picture p;

  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      LsMachineProof proof;

      open_one (&p, machines[i], NULL);
      g_assert_true (ls_machine_prove (opened (&p)->machine, &opened (&p)->assumed, p.data->recording,
                                       machines_of (&p)->plan, LS_PROOF_SAMPLE, &proof));
      g_assert_cmpuint (proof.different, ==, 0);
      g_autofree char *sums = ls_number_count ((guint64) (proof.m * proof.n)),
                      *words = g_strdup_printf ("all %s sums are those of plain loops in", sums);
      g_assert_true (told (&p, words));
      g_assert_true (told (&p, "bit for bit"));
      g_autofree char *said = ls_layout_describe (p.layout);
      g_assert_nonnull (strstr (said, words));
      close_picture (&p);
    }
  open_one (&p, "cpu", NULL);
  g_assert_false (says (p.layout->still, "bit for bit"));
  close_picture (&p);
}

/* An array of more rows than columns takes the beats of such an array, one of more columns those of that; so
 * with a tensor core's tile. */
static void
test_checked_by_shape (void)
{
  static const guint sides[][3] = { { 16, 4, 8 }, { 4, 16, 8 }, { 8, 4, 16 } };
  Picture p;

  for (gsize i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      const LsSystolic array = { sides[i][0], sides[i][1] };
      const LsTensorTile tile = { sides[i][0], sides[i][1], sides[i][2] };
      LsMachineProof proof;
      LsAssumed assumed;

      open_one (&p, "systolic", NULL);
      assumed = opened (&p)->assumed;
      assumed.value[ls_machine_find_assumption (&ls_machine_systolic, "rows")] = array.rows;
      assumed.value[ls_machine_find_assumption (&ls_machine_systolic, "columns")] = array.cols;
      g_assert_true (ls_machine_prove (&ls_machine_systolic, &assumed, p.data->recording,
                                       machines_of (&p)->plan, LS_PROOF_SAMPLE, &proof));
      g_assert_cmpuint (proof.different, ==, 0);
      g_assert_cmpfloat (proof.turns, ==,
                         ls_systolic_beats (&array, (double) proof.m, (double) proof.n, (double) proof.k));
      close_picture (&p);
      open_one (&p, "tensor", NULL);
      assumed = opened (&p)->assumed;
      assumed.value[ls_machine_find_assumption (&ls_machine_tensor, "tile-m")] = tile.m;
      assumed.value[ls_machine_find_assumption (&ls_machine_tensor, "tile-n")] = tile.n;
      assumed.value[ls_machine_find_assumption (&ls_machine_tensor, "tile-k")] = tile.k;
      g_assert_true (ls_machine_prove (&ls_machine_tensor, &assumed, p.data->recording,
                                       machines_of (&p)->plan, LS_PROOF_SAMPLE, &proof));
      g_assert_cmpuint (proof.different, ==, 0);
      g_assert_cmpfloat (proof.turns, ==,
                         ceil ((double) proof.m / tile.m) * ceil ((double) proof.n / tile.n)
                           * ceil ((double) proof.k / tile.k));
      close_picture (&p);
    }
}

/* A side of what is tried. */
static void
assert_halved (const char *which, gint64 whole, gint64 tried)
{
  gint64 half = whole;

  while (half > tried)
    half = (half + 1) / 2;
  if (half != tried)
    g_error ("of %lld %s %lld are tried, which isn't a half of a half of them, rounded up", (long long) whole,
             which, (long long) tried);
}

/* Of a product that is too large its longest side is halved, rounded up, until it isn't. */
static void
test_checked_in_part (void)
{
  LsMachineProof proof;
  Picture p;

  open_one (&p, "tensor", NULL);
  for (double most = 1; most < 1e6; most *= 3)
    {
      g_assert_true (ls_machine_prove (opened (&p)->machine, &opened (&p)->assumed, p.data->recording,
                                       machines_of (&p)->plan, most, &proof));
      assert_halved ("rows", proof.whole_m, proof.m);
      assert_halved ("columns", proof.whole_n, proof.n);
      assert_halved ("terms", proof.whole_k, proof.k);
      g_assert_cmpfloat ((double) (proof.m * proof.n * proof.k), <=, most);
    }
  close_picture (&p);
}

/* Each stage's interval, and whether the weights fit; the whole step beside the recorded one. */
static void
test_told (void)
{
  Picture p;
  const guint fpga = row_of ("fpga");

  open_one (&p, "fpga", NULL);
  g_assert_true (says (p.layout->still, "a sample every"));
  for (guint i = 0; i < opened (&p)->run->ops->len; i++)
    {
      const double interval = g_array_index (opened (&p)->run->ops, LsMachineOp, i).interval;
      g_autofree char *count = ls_number_count ((guint64) interval),
                      *words = g_strdup_printf ("%s clocks", count);
      g_assert_true (says (p.layout->still, words));
    }
  g_assert_true (told (&p, "have room on the chip"));
  ls_machines_say (machines_asked (&p), fpga, (guint) ls_machine_find_assumption (&ls_machine_fpga, "chip"),
                   .001);
  draw (&p);
  g_assert_true (told (&p, "have no room on the chip"));
  g_autofree char *said = ls_layout_describe (p.layout);
  g_assert_nonnull (strstr (said, "have no room on the chip"));
  machines_asked (&p)->open = (gint) row_of ("cpu");
  draw (&p);
  const double recorded = (double) p.data->sides[0].index->length_ns * 1e-9;
  g_autofree char *time = ls_machines_time (recorded),
                  *error = ls_machines_error (opened (&p)->run->seconds / recorded - 1);
  g_assert_true (says (p.layout->still, "this step"));
  g_assert_true (says (p.layout->still, time) && says (p.layout->still, error));
  machines_asked (&p)->open = (gint) row_of ("spiking");
  draw (&p);
  g_assert_true (says (p.layout->still, "all layers"));
  close_picture (&p);
}

/* Also with little room each picture that changes has its words. */
static void
test_words (void)
{
  static const char *const machines[] = { "simt", "tensor", "systolic", "fpga", "cpu" };
  Picture p;

  open_machines (&p, TRUE, NULL, 1920, 1080);
  for (guint projector = 0; projector < 2; projector++)
    for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
      {
        machines_asked (&p)->open = (gint) row_of (machines[i]);
        draw_at (&p, projector ? 1920 : 960, projector ? 1080 : 600,
                 projector ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT);
        g_autofree char *all = all_texts (p.layout->moving, " ");
        if (strstr (all, strcmp (machines[i], "simt") == 0       ? "take turns"
                         : strcmp (machines[i], "tensor") == 0   ? "in tiles of"
                         : strcmp (machines[i], "systolic") == 0 ? "sums leave below"
                         : strcmp (machines[i], "cpu") == 0      ? "share each op"
                                                                 : "the slowest sets")
            == NULL)
          g_error ("%s has no words %s: %s", machines[i], projector ? "on the projector" : "at 960×600", all);
        assert_faultless (p.layout);
      }
  close_picture (&p);
}

/* What a published figure says is opened from the foot of the opened list, and by its key; nothing else is.
 */
static void
test_source (void)
{
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  const LsViewBeside beside = { .catalogue = catalogue };
  const guint simt = row_of ("simt");
  Picture p;

  open_machines (&p, TRUE, &beside, 1920, 1080);
  do
    machines_asked (&p)->device++;
  while (strcmp (ls_machines_device (catalogue, machines_asked (&p)->device)->name, "NVIDIA A100 SXM4 40 GB")
         != 0);
  machines_asked (&p)->open = machines_asked (&p)->row = (gint) simt;
  for (guint k = 0; k < machines_of (&p)->rows[simt].machine->n_assumptions; k++)
    {
      machines_asked (&p)->field = (gint) k;
      draw (&p);
      const LsAssumed *assumed = &machines_of (&p)->rows[simt].assumed;
      const gboolean published = assumed->from[k] == LS_ASSUMED_PUBLISHED;
      const LsSlot *foot = slot (&p, LS_SLOT_SOURCE);

      g_assert_cmpint (foot != NULL, ==, published);
      g_assert_cmpstr (opens (&p), ==, published ? assumed->of[k]->source->address : NULL);
      g_assert_true (!published || told (&p, assumed->of[k]->source->title));
      g_assert_true (!published || click (&p, foot->x + 5, foot->y + foot->h / 2) == LS_ACT_OPEN);
      g_assert_cmpint (press (&p, LS_KEY_SOURCE), ==, published ? LS_ACT_OPEN : LS_ACT_NONE);
    }
  machines_asked (&p)->field = ls_machine_find_assumption (&ls_machine_simt, "memory");
  draw (&p);
  g_assert_nonnull (opens (&p));
  /* nor what is said here in its place */
  machines_asked (&p)->said[simt][machines_asked (&p)->field] = TRUE;
  machines_asked (&p)->value[simt][machines_asked (&p)->field] = 1000;
  draw (&p);
  g_assert_true (opens (&p) == NULL && slot (&p, LS_SLOT_SOURCE) == NULL);
  close_picture (&p);
}

/* What was checked of a machine's numbers, and what its weights take, is told in words of the opened one. */
static void
test_told_opened (void)
{
  Picture p;
  guint n = 0;

  open_one (&p, "systolic", NULL);
  for (gint open = -1; open < LS_MACHINES_N; open++)
    {
      machines_asked (&p)->open = open;
      draw (&p);
      g_autofree char *said = ls_layout_describe (p.layout);
      for (gint i = 0; i < LS_MACHINES_N; i++)
        {
          const LsMachinesRow *row = &machines_of (&p)->rows[i];
          g_auto (GStrv) weights = ls_machines_weights (row);
          if (row->run == NULL || weights[0] == NULL)
            continue;
          if ((strstr (said, weights[0]) != NULL) != (i == open))
            g_error ("with %s opened, “%s” is%s told: %s",
                     open < 0 ? "none" : machines_of (&p)->rows[open].machine->name, weights[0],
                     i == open ? " not" : "", said);
          n++;
        }
      g_assert_true (open >= 0 || strstr (said, "bit for bit") == NULL);
    }
  g_assert_cmpuint (n, >, 0);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/machines/warps", test_warps);
  g_test_add_func ("/paint/machines/spikes", test_spikes);
  g_test_add_func ("/paint/machines/checked", test_checked);
  g_test_add_func ("/paint/machines/checked-by-shape", test_checked_by_shape);
  g_test_add_func ("/paint/machines/checked-in-part", test_checked_in_part);
  g_test_add_func ("/paint/machines/told", test_told);
  g_test_add_func ("/paint/machines/words", test_words);
  g_test_add_func ("/paint/machines/source", test_source);
  g_test_add_func ("/paint/machines/told-opened", test_told_opened);
  return g_test_run ();
}

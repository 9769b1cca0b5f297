/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where what a claim shows was read: the sentence itself, published figures, and those of the catalogue.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/expression.h"

char *
ls_claim_source_title (const LsClaim *claim)
{
  return claim->nearest ? g_strdup_printf (_("nearest in print: %s"), claim->source->title)
                        : g_strdup (claim->source->title);
}

char *
ls_claim_source_brief (const LsClaim *claim)
{
  const char *from = strstr (claim->source->address, "://");
  g_autofree char *host = NULL;

  from = from != NULL ? from + 3 : claim->source->address;
  from += g_str_has_prefix (from, "www.") ? 4 : 0;
  /* who wrote it says more than where its number is resolved */
  host = g_str_has_prefix (from, "doi.org/")
           ? g_strndup (claim->source->title, strcspn (claim->source->title, ","))
           : g_strndup (from, strcspn (from, "/"));
  return claim->nearest ? g_strdup_printf (_("nearest in print: %s"), host) : g_steal_pointer (&host);
}

/* The published figure that a term is, or is made from; NULL: it is no term of the catalogue, or none is. */
static const LsHardwareFigure *
figure_of (const LsClaimTerm *term, const LsHardware *device)
{
  const LsHardwareFigure *best = NULL;

  if (term->kind == LS_CLAIM_TERM_RATE)
    return ls_hardware_get (device, LS_HARDWARE_COMPUTE, term->numbers, term->means);
  if (term->kind == LS_CLAIM_TERM_CATALOGUE)
    return ls_hardware_get (device, term->what, LS_NUMBERS_UNTOLD, 0);
  for (guint i = 0; i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];

      if (figure->kind == LS_HARDWARE_COMPUTE && figure->numbers == term->numbers
          && !(figure->means & LS_MEANS_SPARSE)
          && (best == NULL || figure->figure.value > best->figure.value))
        best = figure;
    }
  return best != NULL ? best : ls_hardware_get (device, LS_HARDWARE_PER_CLOCK, term->numbers, 0);
}

static gboolean
is_of_catalogue (const LsClaimTerm *term)
{
  return term->kind == LS_CLAIM_TERM_PEAK || term->kind == LS_CLAIM_TERM_RATE
         || term->kind == LS_CLAIM_TERM_CATALOGUE;
}

static void
add (GPtrArray *sources, const LsHardwareSource *source)
{
  if (source != NULL && !g_ptr_array_find (sources, source, NULL))
    g_ptr_array_add (sources, (gpointer) source);
}

GPtrArray *
ls_claim_outcome_sources (const LsClaimOutcome *outcome, const LsCatalogue *catalogue)
{
  GPtrArray *sources = g_ptr_array_new ();
  guint n;
  const LsClaimTerm *terms = ls_claim_expression_terms (outcome->parsed, &n);

  add (sources, outcome->source);
  for (guint i = 0; i < n && catalogue != NULL; i++)
    {
      const LsHardware *device = is_of_catalogue (&terms[i])
                                   ? ls_catalogue_find (catalogue, terms[i].device, NULL)
                                   : NULL;
      const LsHardwareFigure *figure = device != NULL ? figure_of (&terms[i], device) : NULL;

      add (sources, figure != NULL ? figure->source : NULL);
    }
  return sources;
}

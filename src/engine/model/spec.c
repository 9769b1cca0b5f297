/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a model's line, word by word. What a layer takes is a row of `classes`; numbers are read strictly, so
 * that “dense 12x” or “conv -3” is answered by a sentence and not by a network.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "model/spec.h"

#define MAX_TEXT_BYTES 8192 /* more than LS_MODEL_MAX_LAYERS of the longest layers need */
#define MAX_UNITS      65536
#define MAX_WINDOW     255
#define SHOWN_CHARS    32 /* of a wrong word, in a message */

static const LsModelPreset presets[] = {
  { "mlp", "flatten, dense 256, relu, dense 128, relu, dense 10",
    N_("Fully connected: 784 → 256 → 128 → 10") },
  { "cnn",
    "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 128, relu, dense 10",
    N_("Convolutional: 2 × (conv 3×3, maxpool), then 128 → 10") },
  { "lstm", "lstm 128, dense 10", N_("Recurrent: the rows one after the other, 128 units, then 10") },
};

/* In LsLayerKind's order. */
static const LsLayerClass classes[] = {
  { "conv", N_("slides small kernels over the planes"), .n = TRUE, .kernel = TRUE, .stride = TRUE,
    .pad = TRUE },
  { "maxpool", N_("keeps the largest of each window"), .kernel = TRUE, .stride = TRUE, .neutral = TRUE },
  { "avgpool", N_("keeps the mean of each window"), .kernel = TRUE, .neutral = TRUE },
  { "flatten", N_("makes one row of numbers of the planes"), .neutral = TRUE },
  { "dense", N_("joins every input to every unit"), .n = TRUE },
  { "relu", N_("cuts off what is below 0"), .activation = &ls_op_relu },
  { "tanh", N_("bends to −1 … 1"), .activation = &ls_op_tanh },
  { "sigmoid", N_("bends to 0 … 1"), .activation = &ls_op_sigmoid },
  { "gelu", N_("lets through by how likely a normal number is smaller"), .activation = &ls_op_gelu },
  { "layernorm", N_("brings each row to mean 0 and deviation 1"), .neutral = TRUE },
  { "dropout", N_("leaves out some at random while it trains"), .share = TRUE, .neutral = TRUE },
  { "lstm", N_("reads rows one after the other, and remembers"), .n = TRUE, .sequence = TRUE },
  { "residual", N_("adds what goes into its bracket to what comes out"), .neutral = TRUE, .bracket = TRUE },
};

const LsModelPreset *
ls_model_presets (guint *n)
{
  *n = G_N_ELEMENTS (presets);
  return presets;
}

const LsLayerClass *
ls_layer_classes (guint *n)
{
  *n = G_N_ELEMENTS (classes);
  return classes;
}

const char *
ls_layer_word (LsLayerKind kind)
{
  return (guint) kind < G_N_ELEMENTS (classes) ? classes[kind].word : "unknown";
}

LsModel *
ls_model_copy (const LsModel *model)
{
  LsModel *copy = g_new (LsModel, 1);

  copy->name = g_strdup (model->name);
  copy->text = g_strdup (model->text);
  copy->n_layers = model->n_layers;
  copy->layers = g_memdup2 (model->layers, model->n_layers * sizeof *model->layers);
  return copy;
}

void
ls_model_free (LsModel *model)
{
  if (model == NULL)
    return;
  g_free (model->name);
  g_free (model->text);
  g_free (model->layers);
  g_free (model);
}

/* A cursor over the text. The current word is at[0 … length−1]: a comma or a bracket, or anything else up to
 * one or a space; empty at the end. */
typedef struct {
  const char *text, *at;
  gsize length;
  guint layer;                     /* from 1, for messages */
  guint depth;                     /* open brackets */
  gint opened[LS_MODEL_MAX_DEPTH]; /* columns of their words */
} Cursor;

static gboolean
is_sign (const Cursor *c)
{
  return c->at[0] != '\0' && strchr (",()", c->at[0]) != NULL;
}

static gboolean
ends_layer (const Cursor *c)
{
  return c->length == 0 || is_sign (c);
}

static gboolean
is_word (const Cursor *c, const char *word)
{
  return c->length == strlen (word) && memcmp (c->at, word, c->length) == 0;
}

static void
advance (Cursor *c)
{
  c->at += c->length;
  while (g_ascii_isspace (*c->at))
    c->at++;
  c->length = is_sign (c) ? 1 : strcspn (c->at, ",() \t\n\v\f\r");
}

static gint
column (const Cursor *c)
{
  return (gint) g_utf8_pointer_to_offset (c->text, c->at) + 1;
}

/* The current word as a message shows it: not too long, nothing that a terminal obeys. */
static char *
shown (const Cursor *c)
{
  GString *s = g_string_new (NULL);
  const char *end = c->at + c->length;
  guint n = 0;

  if (c->length == 0)
    return g_string_free (g_string_assign (s, _("the end")), FALSE);
  g_string_append (s, "“");
  for (const char *p = c->at; p < end; p = g_utf8_next_char (p))
    {
      gunichar u = g_utf8_get_char (p);
      if (n++ == SHOWN_CHARS)
        {
          g_string_append (s, "…");
          break;
        }
      g_string_append_unichar (s, g_unichar_isprint (u) ? u : 0xfffd);
    }
  return g_string_free (g_string_append (s, "”"), FALSE);
}

/* “layer 2, column 12: ” and the rest of the sentence. */
static gboolean G_GNUC_PRINTF (3, 4) fail (const Cursor *c, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *rest = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("layer %u, column %d: %s"), c->layer, column (c), rest);
  return FALSE;
}

/* what: “a number of units”, translated. */
static gboolean
parse_number (Cursor *c, const char *what, gint least, gint most, gint *value, GError **error)
{
  char digits[16];
  guint64 number = 0;

  if (c->length > 0 && c->length < sizeof digits)
    g_strlcpy (digits, c->at, c->length + 1);
  else
    g_strlcpy (digits, "", sizeof digits);
  if (!g_ascii_string_to_unsigned (digits, 10, (guint64) least, (guint64) most, &number, NULL))
    {
      g_autofree char *word = shown (c);
      return fail (c, error, _("expected %s, a whole number from %d to %d, but found %s"), what, least, most,
                   word);
    }
  *value = (gint) number;
  advance (c);
  return TRUE;
}

static gboolean
parse_share (Cursor *c, LsLayer *layer, GError **error)
{
  g_autofree char *text = g_strndup (c->at, c->length), *word = shown (c);

  if (!ls_layer_share_read (text, &layer->share))
    return fail (
      c, error,
      _("expected the share that is left out, a number from 0 to 0.999999 such as 0.5, but found %s"), word);
  advance (c);
  return TRUE;
}

static gboolean
parse_kind (Cursor *c, LsLayerKind *kind, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (is_word (c, classes[i].word))
      {
        *kind = (LsLayerKind) i;
        advance (c);
        return TRUE;
      }

  g_autofree char *word = shown (c);
  g_autoptr (GString) known = g_string_new (classes[0].word);
  for (guint i = 1; i < G_N_ELEMENTS (classes); i++)
    g_string_append_printf (known, "%s%s", i + 1 < G_N_ELEMENTS (classes) ? ", " : _(" or "),
                            classes[i].word);
  return fail (c, error,
               ends_layer (c) ? _("a layer is missing before %s; expected %s")
                              : _("%s is no layer; expected %s"),
               word, known->str);
}

/* [stride S] [pad P] in any order, each at most once, up to the comma. */
static gboolean
parse_options (Cursor *c, LsLayer *layer, GError **error)
{
  gboolean has_stride = FALSE, has_pad = FALSE;

  while (!ends_layer (c) || is_word (c, "("))
    {
      gboolean stride = classes[layer->kind].stride && is_word (c, "stride");
      gboolean pad = classes[layer->kind].pad && is_word (c, "pad");

      if ((stride && has_stride) || (pad && has_pad))
        return fail (c, error, _("“%s” is given twice; leave one out"), stride ? "stride" : "pad");
      if (!stride && !pad)
        {
          g_autofree char *word = shown (c);
          const char *expected = classes[layer->kind].pad      ? _("“stride”, “pad” or a comma")
                                 : classes[layer->kind].stride ? _("“stride” or a comma")
                                                               : _("a comma");
          return fail (c, error, _("expected %s after %s, but found %s"), expected,
                       classes[layer->kind].word, word);
        }
      advance (c);
      if (stride && !parse_number (c, _("the stride"), 1, MAX_WINDOW, &layer->stride, error))
        return FALSE;
      if (pad
          && !parse_number (c, _("the padding, smaller than the kernel"), 0, layer->kernel - 1, &layer->pad,
                            error))
        return FALSE;
      has_stride |= stride;
      has_pad |= pad;
    }
  return TRUE;
}

/* [last|all] [rows|columns] in any order, each at most once, up to the comma. */
static gboolean
parse_sequence (Cursor *c, LsLayer *layer, GError **error)
{
  static const char *const words[] = { "last", "all", "rows", "columns" };
  gboolean given[2] = { FALSE, FALSE };

  while (!ends_layer (c) || is_word (c, "("))
    {
      g_autofree char *word = shown (c);
      guint i = 0;

      while (i < G_N_ELEMENTS (words) && !is_word (c, words[i]))
        i++;
      if (i == G_N_ELEMENTS (words))
        return fail (c, error, _("expected %s after %s, but found %s"),
                     _("“last”, “all”, “rows”, “columns” or a comma"), classes[layer->kind].word, word);
      if (given[i / 2])
        return fail (c, error, _("“%s” is given twice; leave one out"), words[i]);
      given[i / 2] = TRUE;
      *(i < 2 ? &layer->all : &layer->by_columns) = i % 2 == 1;
      advance (c);
    }
  return TRUE;
}

static gboolean
open_bracket (Cursor *c, const LsLayer *layer, GError **error)
{
  g_autofree char *word = shown (c);

  if (!is_word (c, "("))
    return fail (c, error, _("expected “(” and layers after %s, but found %s"), classes[layer->kind].word,
                 word);
  if (c->depth == LS_MODEL_MAX_DEPTH)
    return fail (c, error, _("brackets lie at most %d deep; leave some out"), LS_MODEL_MAX_DEPTH);
  c->opened[c->depth++] = layer->column;
  advance (c);
  return !is_word (c, ")")
         || fail (c, error, _("the bracket of %s is empty; put layers into it"), classes[layer->kind].word);
}

/* What may follow a layer: the ends of its brackets, then a comma or the end of the text. */
static gboolean
close_brackets (Cursor *c, GError **error)
{
  for (; is_word (c, ")"); advance (c))
    if (c->depth-- == 0)
      return fail (c, error, _("this “)” closes no bracket; leave it out"));
  if (c->length == 0 && c->depth > 0)
    return fail (c, error, _("the bracket that is opened in column %d isn’t closed; write “)”"),
                 c->opened[c->depth - 1]);
  if (c->length > 0 && !is_word (c, ","))
    {
      g_autofree char *word = shown (c);
      return fail (c, error, _("expected a comma after “)”, but found %s"), word);
    }
  return TRUE;
}

static gboolean
parse_layer (Cursor *c, LsLayer *layer, GError **error)
{
  layer->column = column (c);
  layer->depth = c->depth;
  if (!parse_kind (c, &layer->kind, error))
    return FALSE;
  if (classes[layer->kind].bracket)
    return open_bracket (c, layer, error);
  if (classes[layer->kind].n
      && !parse_number (
        c, layer->kind == LS_LAYER_CONV ? _("the number of channels") : _("the number of units"), 1,
        MAX_UNITS, &layer->n, error))
    return FALSE;
  if (classes[layer->kind].sequence)
    return parse_sequence (c, layer, error);
  if (classes[layer->kind].kernel
      && !parse_number (c, _("the kernel's size"), 1, MAX_WINDOW, &layer->kernel, error))
    return FALSE;
  if (classes[layer->kind].share && !parse_share (c, layer, error))
    return FALSE;
  if (classes[layer->kind].stride)
    layer->stride = layer->kind == LS_LAYER_MAXPOOL ? layer->kernel : 1;
  return parse_options (c, layer, error);
}

static gboolean
check_text (const char *text, GError **error)
{
  const char *bad = NULL;

  if (strlen (text) > MAX_TEXT_BYTES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("the model is longer than %d characters; make it shorter"), MAX_TEXT_BYTES);
      return FALSE;
    }
  if (!g_utf8_validate (text, -1, &bad))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("the model has a character at column %ld that isn't UTF-8"),
                   g_utf8_pointer_to_offset (text, bad) + 1);
      return FALSE;
    }
  return TRUE;
}

static LsModel *
parse_text (const char *text, GError **error)
{
  g_autoptr (GArray) layers = g_array_new (FALSE, TRUE, sizeof (LsLayer));
  Cursor c = { .text = text, .at = text, .layer = 1 };

  for (advance (&c);; c.layer++)
    {
      LsLayer layer = { 0 };

      if (c.layer > LS_MODEL_MAX_LAYERS)
        {
          fail (&c, error, _("a model has at most %d layers; leave some out"), LS_MODEL_MAX_LAYERS);
          return NULL;
        }
      if (!parse_layer (&c, &layer, error))
        return NULL;
      g_array_append_val (layers, layer);
      if (classes[layer.kind].bracket)
        continue;
      if (!close_brackets (&c, error))
        return NULL;
      if (c.length == 0)
        break;
      advance (&c);
    }

  LsModel *model = g_new0 (LsModel, 1);
  model->n_layers = layers->len;
  model->layers = (LsLayer *) (void *) g_array_steal (layers, NULL);
  model->text = ls_layers_plain_text (model->layers, model->n_layers);
  return model;
}

LsModel *
ls_model_parse (const char *text, GError **error)
{
  if (!check_text (text, error))
    return NULL;

  g_autofree char *stripped = g_strstrip (g_strdup (text));
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (stripped, presets[i].name) == 0)
      {
        LsModel *model = parse_text (presets[i].text, error);
        if (model != NULL)
          model->name = g_strdup (presets[i].name);
        return model;
      }
  return parse_text (text, error);
}

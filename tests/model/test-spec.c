/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as text: presets, every field, uniform text and back, and each way to get it wrong.
 */
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "model/spec.h"

static void
test_presets (void)
{
  guint n;
  const LsModelPreset *presets = ls_model_presets (&n);

  g_assert_cmpuint (n, >=, 2);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsModel) by_name = ls_model_parse (presets[i].name, &error);
      g_assert_no_error (error);
      g_autoptr (LsModel) by_text = ls_model_parse (presets[i].text, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (by_name->name, ==, presets[i].name);
      g_assert_null (by_text->name);
      g_assert_cmpstr (by_name->text, ==, presets[i].text);
      g_assert_cmpstr (by_text->text, ==, presets[i].text);
      g_assert_cmpstr (presets[i].title, !=, "");
    }

  g_autoptr (LsModel) spaced = ls_model_parse ("  mlp\n", NULL);
  g_assert_cmpstr (spaced->name, ==, "mlp");
}

static void
assert_layer (const LsLayer *l, LsLayerKind kind, gint n, gint kernel, gint stride, gint pad, gint column)
{
  g_assert_cmpint (l->kind, ==, kind);
  g_assert_cmpint (l->n, ==, n);
  g_assert_cmpint (l->kernel, ==, kernel);
  g_assert_cmpint (l->stride, ==, stride);
  g_assert_cmpint (l->pad, ==, pad);
  g_assert_cmpint (l->column, ==, column);
}

static void
test_fields (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) m = ls_model_parse (
    " conv 16 3 pad 1,relu ,maxpool 2, conv 8 5 pad 0 stride 2, maxpool 3 stride 2,"
    "tanh,\tflatten , dense 0064, sigmoid,dense 10\n",
    &error);
  g_assert_no_error (error);
  g_assert_cmpuint (m->n_layers, ==, 10);
  assert_layer (&m->layers[0], LS_LAYER_CONV, 16, 3, 1, 1, 2);
  assert_layer (&m->layers[1], LS_LAYER_RELU, 0, 0, 0, 0, 18);
  assert_layer (&m->layers[2], LS_LAYER_MAXPOOL, 0, 2, 2, 0, 24);
  assert_layer (&m->layers[3], LS_LAYER_CONV, 8, 5, 2, 0, 35);
  assert_layer (&m->layers[4], LS_LAYER_MAXPOOL, 0, 3, 2, 0, 60);
  assert_layer (&m->layers[5], LS_LAYER_TANH, 0, 0, 0, 0, 79);
  assert_layer (&m->layers[6], LS_LAYER_FLATTEN, 0, 0, 0, 0, 85);
  assert_layer (&m->layers[7], LS_LAYER_DENSE, 64, 0, 0, 0, 95);
  assert_layer (&m->layers[8], LS_LAYER_SIGMOID, 0, 0, 0, 0, 107);
  assert_layer (&m->layers[9], LS_LAYER_DENSE, 10, 0, 0, 0, 115);
  g_assert_cmpstr (
    m->text, ==,
    "conv 16 3 pad 1, relu, maxpool 2, conv 8 5 stride 2, maxpool 3 stride 2, tanh, flatten, dense 64, "
    "sigmoid, dense 10");

  g_autoptr (LsModel) copy = ls_model_copy (m);
  g_assert_cmpstr (copy->text, ==, m->text);
  g_assert_cmpmem (copy->layers, copy->n_layers * sizeof (LsLayer), m->layers,
                   m->n_layers * sizeof (LsLayer));
}

/* Text → model → text → model: the second equals the first, for models drawn at random. */
static void
test_round_trip (void)
{
  guint n_kinds;

  ls_layer_classes (&n_kinds);
  for (guint32 round = 0; round < 200; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint64 at = 0;
      guint depth = 0;
      gboolean opened = FALSE;
      guint n = 1 + ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % 64;

      for (guint i = 0; i < n; i++)
        {
          LsLayerKind kind = (LsLayerKind) (ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % n_kinds);
          guint kernel = 1 + ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % 9;
          if (kind == LS_LAYER_RESIDUAL && (depth == LS_MODEL_MAX_DEPTH || i + 1 == n))
            kind = LS_LAYER_RELU;
          g_string_append_printf (text, "%s %s", i && !opened ? "," : "", ls_layer_word (kind));
          opened = kind == LS_LAYER_RESIDUAL;
          if (opened)
            g_string_append (text, depth++ % 2 ? " ( " : "(");
          if (kind == LS_LAYER_CONV || kind == LS_LAYER_DENSE || kind == LS_LAYER_LSTM)
            g_string_append_printf (text, " %u", 1 + ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % 65536);
          if (kind == LS_LAYER_CONV || kind == LS_LAYER_MAXPOOL || kind == LS_LAYER_AVGPOOL)
            g_string_append_printf (text, " %u", kernel);
          if (kind == LS_LAYER_DROPOUT)
            g_string_append_printf (text, " 0%.*s", (gint) (2 + i % 6), ".502070");
          if (kind == LS_LAYER_CONV)
            g_string_append_printf (text, " pad %u", ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % kernel);
          if (kind == LS_LAYER_LSTM)
            g_string_append_printf (text, "%s%s",
                                    i % 2   ? " all"
                                    : i % 3 ? " last"
                                            : "",
                                    i % 5   ? " columns"
                                    : i % 7 ? " rows"
                                            : "");
          if (kind == LS_LAYER_CONV || kind == LS_LAYER_MAXPOOL)
            g_string_append_printf (text, " stride %u", 1 + ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % 4);
          while (!opened && depth > 0 && (i + 1 == n || ls_rng_u32 (7, LS_STREAM_TEST, round, at++) % 3 == 0))
            {
              g_string_append_c (text, ')');
              depth--;
            }
        }

      g_autoptr (GError) error = NULL;
      g_autoptr (LsModel) first = ls_model_parse (text->str, &error);
      g_assert_no_error (error);
      g_autoptr (LsModel) second = ls_model_parse (first->text, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (first->text, ==, second->text);
      g_assert_cmpuint (first->n_layers, ==, n);
      g_assert_cmpuint (second->n_layers, ==, n);
      for (guint i = 0; i < n; i++)
        {
          LsLayer l = first->layers[i];
          assert_layer (&second->layers[i], l.kind, l.n, l.kernel, l.stride, l.pad, second->layers[i].column);
          g_assert_cmpuint (second->layers[i].depth, ==, l.depth);
          g_assert_cmpint (second->layers[i].share, ==, l.share);
          g_assert_cmpint (second->layers[i].all, ==, l.all);
          g_assert_cmpint (second->layers[i].by_columns, ==, l.by_columns);
        }
    }
}

static void
assert_wrong (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);

  g_assert_null (model);
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (error->message, ==, message);
}

/* What is expected instead are all words there are. */
static void
assert_no_layer (const char *text, const char *found)
{
  g_autoptr (GString) message = g_string_new (found);
  guint n;
  const LsLayerClass *classes = ls_layer_classes (&n);

  g_string_append (message, "; expected conv");
  for (guint i = 1; i < n; i++)
    g_string_append_printf (message, "%s%s", i + 1 < n ? ", " : " or ", classes[i].word);
  assert_wrong (text, message->str);
}

static void
test_errors (void)
{
#define UNITS "the number of units, a whole number from 1 to 65536"
  assert_no_layer ("dense 256, danse 10", "layer 2, column 12: “danse” is no layer");
  assert_no_layer ("Dense 10", "layer 1, column 1: “Dense” is no layer");
  assert_no_layer ("mlp2", "layer 1, column 1: “mlp2” is no layer");
  assert_no_layer ("mlp, dense 10", "layer 1, column 1: “mlp” is no layer");
  assert_no_layer ("", "layer 1, column 1: a layer is missing before the end");
  assert_no_layer ("  \n", "layer 1, column 4: a layer is missing before the end");
  assert_no_layer ("relu,", "layer 2, column 6: a layer is missing before the end");
  assert_no_layer ("relu, , tanh", "layer 2, column 7: a layer is missing before “,”");
  assert_no_layer (",relu", "layer 1, column 1: a layer is missing before “,”");
  assert_wrong ("dense", "layer 1, column 6: expected " UNITS ", but found the end");
  assert_wrong ("dense, relu", "layer 1, column 6: expected " UNITS ", but found “,”");
  assert_wrong ("dense x", "layer 1, column 7: expected " UNITS ", but found “x”");
  assert_wrong ("dense 0", "layer 1, column 7: expected " UNITS ", but found “0”");
  assert_wrong ("dense -3", "layer 1, column 7: expected " UNITS ", but found “-3”");
  assert_wrong ("dense +3", "layer 1, column 7: expected " UNITS ", but found “+3”");
  assert_wrong ("dense 1e3", "layer 1, column 7: expected " UNITS ", but found “1e3”");
  assert_wrong ("dense 12x", "layer 1, column 7: expected " UNITS ", but found “12x”");
  assert_wrong ("dense 1.5", "layer 1, column 7: expected " UNITS ", but found “1.5”");
  assert_wrong ("dense 65537", "layer 1, column 7: expected " UNITS ", but found “65537”");
  assert_wrong ("dense 4294967297", "layer 1, column 7: expected " UNITS ", but found “4294967297”");
  assert_wrong ("dense 99999999999999999999999",
                "layer 1, column 7: expected " UNITS ", but found “99999999999999999999999”");
  assert_wrong ("dense 10 20", "layer 1, column 10: expected a comma after dense, but found “20”");
  assert_wrong ("relu 1", "layer 1, column 6: expected a comma after relu, but found “1”");
  assert_wrong (
    "avgpool",
    "layer 1, column 8: expected the kernel's size, a whole number from 1 to 255, but found the end");
  assert_wrong ("avgpool 0",
                "layer 1, column 9: expected the kernel's size, a whole number from 1 to 255, but found “0”");
  assert_wrong ("avgpool 2 stride 2",
                "layer 1, column 11: expected a comma after avgpool, but found “stride”");
  assert_wrong ("relu tanh", "layer 1, column 6: expected a comma after relu, but found “tanh”");
  assert_wrong ("conv 16",
                "layer 1, column 8: expected the kernel's size, a whole number from 1 to 255, but found the "
                "end");
  assert_wrong ("conv 16 3 4",
                "layer 1, column 11: expected “stride”, “pad” or a comma after conv, but found “4”");
  assert_wrong ("conv 16 3 stride",
                "layer 1, column 17: expected the stride, a whole number from 1 to 255, but found the end");
  assert_wrong ("conv 16 3 stride 0",
                "layer 1, column 18: expected the stride, a whole number from 1 to 255, but found “0”");
  assert_wrong ("conv 1 3 stride 2 pad 1 stride 2",
                "layer 1, column 25: “stride” is given twice; leave one out");
  assert_wrong ("conv 1 3 pad 1 pad 1", "layer 1, column 16: “pad” is given twice; leave one out");
  assert_wrong ("conv 1 3 pad 3",
                "layer 1, column 14: expected the padding, smaller than the kernel, a whole number "
                "from 0 to 2, but found “3”");
  assert_wrong ("maxpool 2 pad 1",
                "layer 1, column 11: expected “stride” or a comma after maxpool, but found “pad”");
  assert_wrong ("maxpool 0",
                "layer 1, column 9: expected the kernel's size, a whole number from 1 to 255, but found “0”");
#undef UNITS
}

/* Brackets: their layers follow and lie deeper; where each is, as torch names it. */
static void
test_brackets (void)
{
  static const struct {
    LsLayerKind kind;
    guint depth, inside;
    const char *path;
  } expected[] = {
    { LS_LAYER_FLATTEN, 0, 0, "0" },    { LS_LAYER_RESIDUAL, 0, 4, "1" },   { LS_LAYER_RELU, 1, 0, "1.0" },
    { LS_LAYER_RESIDUAL, 1, 1, "1.1" }, { LS_LAYER_TANH, 2, 0, "1.1.0" },   { LS_LAYER_DENSE, 1, 0, "1.2" },
    { LS_LAYER_RESIDUAL, 0, 2, "2" },   { LS_LAYER_RESIDUAL, 1, 1, "2.0" }, { LS_LAYER_RELU, 2, 0, "2.0.0" },
    { LS_LAYER_DENSE, 0, 0, "3" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) m = ls_model_parse (
    "flatten,residual( relu ,residual\t(tanh) , dense 784 ),residual(residual(relu)), dense 10", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (m->text, ==,
                   "flatten, residual(relu, residual(tanh), dense 784), residual(residual(relu)), dense 10");
  g_assert_cmpuint (m->n_layers, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *path = ls_layer_path (m->layers, i);
      g_assert_cmpint (m->layers[i].kind, ==, expected[i].kind);
      g_assert_cmpuint (m->layers[i].depth, ==, expected[i].depth);
      g_assert_cmpuint (ls_layers_inside (m->layers, m->n_layers, i), ==, expected[i].inside);
      g_assert_cmpstr (path, ==, expected[i].path);
    }

  /* a list in which somebody has moved and removed: layers whose bracket is gone lie where they can */
  LsLayer layers[] = { { .kind = LS_LAYER_RELU, .depth = 2 },
                       { .kind = LS_LAYER_RESIDUAL, .depth = 3 },
                       { .kind = LS_LAYER_TANH, .depth = 3 },
                       { .kind = LS_LAYER_RESIDUAL, .depth = 1 } };
  ls_layers_settle (layers, 4);
  g_autofree char *text = ls_layers_text (layers, 4);
  g_assert_cmpstr (text, ==, "relu, residual(tanh, residual())");

  assert_wrong ("residual", "layer 1, column 9: expected “(” and layers after residual, but found the end");
  assert_wrong ("residual relu",
                "layer 1, column 10: expected “(” and layers after residual, but found “relu”");
  assert_wrong ("relu, residual()",
                "layer 2, column 16: the bracket of residual is empty; put layers into it");
  assert_wrong ("relu, residual( )",
                "layer 2, column 17: the bracket of residual is empty; put layers into it");
  assert_wrong ("residual(relu, tanh",
                "layer 3, column 20: the bracket that is opened in column 1 isn’t closed; write “)”");
  assert_wrong ("residual(relu, residual(tanh)",
                "layer 4, column 30: the bracket that is opened in column 1 isn’t closed; write “)”");
  assert_wrong ("relu)", "layer 1, column 5: this “)” closes no bracket; leave it out");
  assert_wrong ("residual(relu)), tanh", "layer 2, column 15: this “)” closes no bracket; leave it out");
  assert_wrong ("residual(relu) tanh", "layer 2, column 16: expected a comma after “)”, but found “tanh”");
  assert_wrong ("relu(tanh)", "layer 1, column 5: expected a comma after relu, but found “(”");
  assert_wrong ("dense 5(tanh)", "layer 1, column 8: expected a comma after dense, but found “(”");
  assert_no_layer ("residual(relu,)", "layer 3, column 15: a layer is missing before “)”");
  assert_no_layer ("residual(, relu)", "layer 2, column 10: a layer is missing before “,”");
  assert_no_layer ("(relu)", "layer 1, column 1: a layer is missing before “(”");

  /* 8 deep, and 64 */
  g_autoptr (GString) deep = g_string_new (NULL);
  for (guint i = 0; i < 64; i++)
    g_string_append (deep, "residual(");
  g_string_append (deep, "relu");
  for (guint i = 0; i < 64; i++)
    g_string_append_c (deep, ')');
  assert_wrong (deep->str, "layer 9, column 81: brackets lie at most 8 deep; leave some out");
  g_string_erase (deep, (gssize) deep->len - 56, -1);
  g_string_erase (deep, 0, 56 * (gssize) strlen ("residual("));
  g_autoptr (LsModel) deepest = ls_model_parse (deep->str, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (deepest->text, ==, deep->str);
}

static void
test_hostile (void)
{
  /* Columns count characters, not bytes. */
  g_autoptr (GError) error = NULL;
  g_assert_null (ls_model_parse ("relu, größe, tanh", &error));
  g_assert_nonnull (strstr (error->message, "layer 2, column 7: “größe”"));
  g_clear_error (&error);

  assert_wrong ("relu, \xff\xfe", "the model has a character at column 7 that isn't UTF-8");
  assert_wrong ("relu, \xe2\x82", "the model has a character at column 7 that isn't UTF-8");

  /* An escape sequence doesn't reach the terminal; a long word is cut. */
  g_assert_null (ls_model_parse ("\033[31mrelu", &error));
  g_assert_null (strchr (error->message, '\033'));
  g_clear_error (&error);
  g_autofree char *word = g_strnfill (5000, 'a');
  g_assert_null (ls_model_parse (word, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpuint (strlen (error->message), <, 200);
  g_clear_error (&error);

  g_autoptr (LsModel) zeros = ls_model_parse ("dense 000000000000064", &error); /* 15 digits; of 16 none is
                                                                                   read */
  g_assert_no_error (error);
  g_assert_cmpint (zeros->layers[0].n, ==, 64);
  assert_wrong ("dense 0000000000000064",
                "layer 1, column 7: expected the number of units, a whole number from 1 to "
                "65536, but found “0000000000000064”");
  for (guint more = 0; more < 2; more++)
    {
      g_autofree char *spaces = g_strnfill (8192 + more - 8, ' '),
                      *longest = g_strconcat ("relu", spaces, "tanh", NULL);
      longest[4] = ',';
      g_autoptr (LsModel) model = ls_model_parse (longest, &error);
      if ((model != NULL) != (more == 0))
        g_error ("a model of %zu characters is %s", strlen (longest), model != NULL ? "read" : "refused");
      if (more > 0)
        g_assert_cmpstr (error->message, ==, "the model is longer than 8192 characters; make it shorter");
      g_clear_error (&error);
    }

  g_autofree char *huge = g_strnfill (1 << 20, ',');
  g_assert_null (ls_model_parse (huge, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_clear_error (&error);

  g_autoptr (GString) many = g_string_new ("relu");
  for (guint i = 1; i < 64; i++)
    g_string_append (many, ",relu");
  g_autoptr (LsModel) most = ls_model_parse (many->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (most->n_layers, ==, 64);
  g_string_append (many, ",relu");
  assert_wrong (many->str, "layer 65, column 321: a model has at most 64 layers; leave some out");

  /* Noise of the grammar's own characters never crashes, and what is accepted reads back. */
  static const char *const parts[] = { "conv", "dense", "relu", "maxpool", "pad", "stride", ",",        " ",
                                       "1",    "3",     "\xc3", "é",       "(",   ")",      "residual(" };
  for (guint32 round = 0; round < 5000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      for (guint64 i = 0; i < 12; i++)
        g_string_append (text, parts[ls_rng_u32 (9, LS_STREAM_TEST, round, i) % G_N_ELEMENTS (parts)]);
      g_autoptr (LsModel) model = ls_model_parse (text->str, &error);
      g_assert_true ((model == NULL) == (error != NULL));
      g_autoptr (LsModel) again = model != NULL ? ls_model_parse (model->text, NULL) : NULL;
      g_assert_cmpstr (model != NULL ? again->text : NULL, ==, model != NULL ? model->text : NULL);
      g_clear_error (&error);
    }
}

/* Layers back into text: a preset's name where they are one's, what a kind doesn't take left out, nothing for
 * nothing. */
static void
test_layers_text (void)
{
  static const struct {
    const char *text, *expected;
  } rows[] = {
    { "mlp", "mlp" },
    { "cnn", "cnn" },
    { "flatten,dense 256,relu,dense 128,relu,dense 10", "mlp" },
    { "conv 4 3 stride 1, maxpool 2 stride 2, maxpool 3 stride 1",
      "conv 4 3, maxpool 2, maxpool 3 stride 1" },
  };
  const LsLayer odd = { .kind = LS_LAYER_RELU, .n = 7, .kernel = 3, .stride = 2, .pad = 1 };
  g_autofree char *none = ls_layers_text (NULL, 0), *relu = ls_layers_text (&odd, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsModel) model = ls_model_parse (rows[i].text, NULL);
      g_autofree char *text = ls_layers_text (model->layers, model->n_layers);
      g_assert_cmpstr (text, ==, rows[i].expected);
    }
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (relu, ==, "relu");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spec/brackets", test_brackets);
  g_test_add_func ("/spec/presets", test_presets);
  g_test_add_func ("/spec/fields", test_fields);
  g_test_add_func ("/spec/round-trip", test_round_trip);
  g_test_add_func ("/spec/layers-text", test_layers_text);
  g_test_add_func ("/spec/errors", test_errors);
  g_test_add_func ("/spec/hostile", test_hostile);
  return g_test_run ();
}

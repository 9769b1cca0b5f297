/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * oneDNN as a peer for convolutions: forward, gradient of the input, gradient of the weights, each in the
 * layouts that the library likes best, so what it would take to bring data there isn't counted. The library
 * is opened here; version 2 and 3 differ in how a primitive is described, and both are spoken. Its functions
 * are declared as oneapi/dnnl/dnnl.h has them, with a description of version 2, a plain struct there, as
 * bytes that only the library looks into.
 */
#include "peer.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DESC_BYTES 16384 /* more than any dnnl_*_desc_t of version 2 */
#define ROLES      3

/* dnnl_types.h */
enum {
  CPU = 1,
  F32 = 3,
  TAG_ANY = 1,
  TRAINING = 64,
  BACKWARD_DATA = 160,
  BACKWARD_WEIGHTS = 192,
  DIRECT = 1,
  AUTO = 3
};
enum { QUERY_SRC = 129, QUERY_DIFF_SRC, QUERY_WEIGHTS, QUERY_DIFF_WEIGHTS, QUERY_DST, QUERY_DIFF_DST };
enum {
  ARG_SRC = 1,
  ARG_DST = 17,
  ARG_WEIGHTS = 33,
  ARG_DIFF_SRC = 129,
  ARG_DIFF_DST = 145,
  ARG_DIFF_WEIGHTS = 161
};

typedef struct {
  int arg;
  void *memory;
} Arg;

typedef struct {
  int major, minor, patch;
} Version;

/* The library's functions, opaque objects as void *. */
static struct {
  const Version *(*version) (void);
  int (*engine_create) (void **, int, size_t);
  int (*stream_create) (void **, void *, unsigned);
  int (*stream_wait) (void *);
  int (*pd_create2) (void **, const void *, const void *, void *, const void *);
  int (*pd_destroy) (void *);
  const void *(*pd_md) (const void *, int, int);
  size_t (*md_size) (const void *);
  int (*primitive_create) (void **, const void *);
  int (*primitive_destroy) (void *);
  int (*execute) (const void *, void *, int, const Arg *);
  int (*memory_create) (void **, const void *, void *, void *);
  int (*memory_destroy) (void *);
  /* version 2 */
  int (*md_init2) (void *, int, const int64_t *, int, int);
  int (*forward2) (void *, int, int, const void *, const void *, const void *, const void *, const int64_t *,
                   const int64_t *, const int64_t *);
  int (*data2) (void *, int, const void *, const void *, const void *, const int64_t *, const int64_t *,
                const int64_t *);
  int (*weights2) (void *, int, const void *, const void *, const void *, const void *, const int64_t *,
                   const int64_t *, const int64_t *);
  /* version 3 */
  int (*md_create3) (void **, int, const int64_t *, int, int);
  int (*md_destroy3) (void *);
  int (*forward3) (void **, void *, int, int, const void *, const void *, const void *, const void *,
                   const int64_t *, const int64_t *, const int64_t *, const int64_t *, const void *);
  int (*data3) (void **, void *, int, const void *, const void *, const void *, const int64_t *,
                const int64_t *, const int64_t *, const int64_t *, const void *, const void *);
  int (*weights3) (void **, void *, int, const void *, const void *, const void *, const void *,
                   const int64_t *, const int64_t *, const int64_t *, const int64_t *, const void *,
                   const void *);
} dnnl;

static const struct {
  void **function;
  const char *name;
  int major; /* 0: all */
} symbols[] = {
  { (void **) &dnnl.engine_create, "dnnl_engine_create", 0 },
  { (void **) &dnnl.stream_create, "dnnl_stream_create", 0 },
  { (void **) &dnnl.stream_wait, "dnnl_stream_wait", 0 },
  { (void **) &dnnl.pd_destroy, "dnnl_primitive_desc_destroy", 0 },
  { (void **) &dnnl.pd_md, "dnnl_primitive_desc_query_md", 0 },
  { (void **) &dnnl.md_size, "dnnl_memory_desc_get_size", 0 },
  { (void **) &dnnl.primitive_create, "dnnl_primitive_create", 0 },
  { (void **) &dnnl.primitive_destroy, "dnnl_primitive_destroy", 0 },
  { (void **) &dnnl.execute, "dnnl_primitive_execute", 0 },
  { (void **) &dnnl.memory_create, "dnnl_memory_create", 0 },
  { (void **) &dnnl.memory_destroy, "dnnl_memory_destroy", 0 },
  { (void **) &dnnl.pd_create2, "dnnl_primitive_desc_create", 2 },
  { (void **) &dnnl.md_init2, "dnnl_memory_desc_init_by_tag", 2 },
  { (void **) &dnnl.forward2, "dnnl_convolution_forward_desc_init", 2 },
  { (void **) &dnnl.data2, "dnnl_convolution_backward_data_desc_init", 2 },
  { (void **) &dnnl.weights2, "dnnl_convolution_backward_weights_desc_init", 2 },
  { (void **) &dnnl.md_create3, "dnnl_memory_desc_create_with_tag", 3 },
  { (void **) &dnnl.md_destroy3, "dnnl_memory_desc_destroy", 3 },
  { (void **) &dnnl.forward3, "dnnl_convolution_forward_primitive_desc_create", 3 },
  { (void **) &dnnl.data3, "dnnl_convolution_backward_data_primitive_desc_create", 3 },
  { (void **) &dnnl.weights3, "dnnl_convolution_backward_weights_primitive_desc_create", 3 },
};

/* What each pass reads and writes: src, weights, dst. */
static const struct {
  const char *name;
  int query[ROLES], arg[ROLES];
} passes[] = {
  { "forward", { QUERY_SRC, QUERY_WEIGHTS, QUERY_DST }, { ARG_SRC, ARG_WEIGHTS, ARG_DST } },
  { "data", { QUERY_DIFF_SRC, QUERY_WEIGHTS, QUERY_DIFF_DST }, { ARG_DIFF_SRC, ARG_WEIGHTS, ARG_DIFF_DST } },
  { "weights",
    { QUERY_SRC, QUERY_DIFF_WEIGHTS, QUERY_DIFF_DST },
    { ARG_SRC, ARG_DIFF_WEIGHTS, ARG_DIFF_DST } },
};

static void *engine, *stream, *primitive;
static float *values[ROLES];
static Arg args[ROLES];
static void (*set_threads) (int);

/* Forms of the three tensors, layouts left open. */
typedef struct {
  void *md[ROLES];
  int64_t strides[2], dilates[2], pads[2];
} Shape;

static bool
make_forms (const int64_t dims[ROLES][4], Shape *shape)
{
  for (int i = 0; i < ROLES; i++)
    {
      shape->md[i] = NULL;
      if (dnnl.version ()->major >= 3)
        {
          if (dnnl.md_create3 (&shape->md[i], 4, dims[i], F32, TAG_ANY) != 0)
            return false;
        }
      else
        {
          shape->md[i] = calloc (1, DESC_BYTES);
          if (shape->md[i] == NULL || dnnl.md_init2 (shape->md[i], 4, dims[i], F32, TAG_ANY) != 0)
            return false;
        }
    }
  return true;
}

/* pass 0: forward, 1: data, 2: weights; the backward ones need the forward one as a hint. */
static int
describe3 (size_t pass, const Shape *s, const void *hint, void **pd)
{
  if (pass == 0)
    return dnnl.forward3 (pd, engine, TRAINING, DIRECT, s->md[0], s->md[1], NULL, s->md[2], s->strides,
                          s->dilates, s->pads, s->pads, NULL);
  if (pass == 1)
    return dnnl.data3 (pd, engine, DIRECT, s->md[0], s->md[1], s->md[2], s->strides, s->dilates, s->pads,
                       s->pads, hint, NULL);
  return dnnl.weights3 (pd, engine, DIRECT, s->md[0], s->md[1], NULL, s->md[2], s->strides, s->dilates,
                        s->pads, s->pads, hint, NULL);
}

static int
describe2 (size_t pass, const Shape *s, const void *hint, void **pd)
{
  void *desc = calloc (1, DESC_BYTES);
  int code;

  if (desc == NULL)
    return 1;
  if (pass == 0)
    code = dnnl.forward2 (desc, TRAINING, DIRECT, s->md[0], s->md[1], NULL, s->md[2], s->strides, s->pads,
                          s->pads);
  else if (pass == 1)
    code = dnnl.data2 (desc, DIRECT, s->md[0], s->md[1], s->md[2], s->strides, s->pads, s->pads);
  else
    code = dnnl.weights2 (desc, DIRECT, s->md[0], s->md[1], NULL, s->md[2], s->strides, s->pads, s->pads);
  if (code == 0)
    code = dnnl.pd_create2 (pd, desc, NULL, engine, hint);
  free (desc);
  return code;
}

static int
describe (size_t pass, const Shape *shape, const void *hint, void **pd)
{
  return dnnl.version ()->major >= 3 ? describe3 (pass, shape, hint, pd) : describe2 (pass, shape, hint, pd);
}

static void
clear (void)
{
  for (int i = 0; i < ROLES; i++)
    {
      if (args[i].memory != NULL)
        dnnl.memory_destroy (args[i].memory);
      args[i].memory = NULL;
      free (values[i]);
      values[i] = NULL;
    }
  if (primitive != NULL)
    dnnl.primitive_destroy (primitive);
  primitive = NULL;
}

static bool
make_primitive (size_t pass, const Shape *shape)
{
  void *forward = NULL, *pd = NULL;
  bool good = describe (0, shape, NULL, &forward) == 0
              && (pass == 0 || describe (pass, shape, forward, &pd) == 0);
  const void *chosen = pass == 0 ? forward : pd;

  for (int i = 0; good && i < ROLES; i++)
    {
      const void *md = dnnl.pd_md (chosen, passes[pass].query[i], 0);
      values[i] = md != NULL ? peer_floats (dnnl.md_size (md) / sizeof (float)) : NULL;
      args[i].arg = passes[pass].arg[i];
      good = values[i] != NULL && dnnl.memory_create (&args[i].memory, md, engine, values[i]) == 0;
    }
  good = good && dnnl.primitive_create (&primitive, chosen) == 0;
  if (pd != NULL)
    dnnl.pd_destroy (pd);
  if (forward != NULL)
    dnnl.pd_destroy (forward);
  return good;
}

static bool
run (unsigned n, char *why)
{
  int code = 0;

  if (primitive == NULL)
    {
      snprintf (why, PEER_WHY, "nothing is prepared");
      return false;
    }
  for (unsigned i = 0; i < n && code == 0; i++)
    code = dnnl.execute (primitive, stream, ROLES, args);
  if (code == 0)
    code = dnnl.stream_wait (stream);
  if (code != 0)
    snprintf (why, PEER_WHY, "oneDNN failed with code %d", code);
  return code == 0;
}

static bool
prepare (const char *spec, char *why)
{
  long v[8]; /* batch, in, height, width, out, kernel, stride, padding */
  size_t pass = 0, length = 0;
  Shape shape;
  bool good;

  clear ();
  snprintf (why, PEER_WHY, "this is no convolution");
  if (strncmp (spec, "conv\t", 5) != 0)
    return false;
  for (; pass < sizeof passes / sizeof *passes; pass++)
    if (length = strlen (passes[pass].name),
        strncmp (spec + 5, passes[pass].name, length) == 0 && spec[5 + length] == '\t')
      break;
  if (pass == sizeof passes / sizeof *passes || !peer_numbers (spec + 6 + length, v, 8) || v[6] == 0)
    return false;

  const int64_t dims[ROLES][4] = {
    { v[0], v[1], v[2], v[3] },
    { v[4], v[1], v[5], v[5] },
    { v[0], v[4], (v[2] + 2 * v[7] - v[5]) / v[6] + 1, (v[3] + 2 * v[7] - v[5]) / v[6] + 1 },
  };
  shape = (Shape){ .strides = { v[6], v[6] }, .pads = { v[7], v[7] } };
  good = make_forms (dims, &shape) && make_primitive (pass, &shape);
  for (int i = 0; i < ROLES; i++)
    if (dnnl.version ()->major >= 3 && shape.md[i] != NULL)
      dnnl.md_destroy3 (shape.md[i]);
    else
      free (shape.md[i]);
  snprintf (why, PEER_WHY, "oneDNN has no such convolution");
  return good && run (1, why);
}

static void
threads (unsigned n)
{
  if (set_threads != NULL)
    set_threads ((int) n);
}

int
main (void)
{
  static const char *const names[] = { "libdnnl.so.3", "libdnnl.so.2", "libdnnl.so" };
  static const Peer peer = { prepare, threads, run };
  const long processors = sysconf (_SC_NPROCESSORS_ONLN);
  void *library = NULL;
  char title[128];

  for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    return peer_refuse ("there is no libdnnl.so.3 or libdnnl.so.2");
  *(void **) &dnnl.version = dlsym (library, "dnnl_version");
  if (dnnl.version == NULL || dnnl.version ()->major < 2 || dnnl.version ()->major > 3)
    return peer_refuse ("libdnnl is neither version 2 nor 3");
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (symbols[i].major == 0 || symbols[i].major == dnnl.version ()->major)
      {
        *symbols[i].function = dlsym (library, symbols[i].name);
        if (*symbols[i].function == NULL)
          return peer_refuse (symbols[i].name);
      }
  *(void **) &set_threads = dlsym (RTLD_DEFAULT, "omp_set_num_threads");
  if (dnnl.engine_create (&engine, CPU, 0) != 0 || dnnl.stream_create (&stream, engine, 1) != 0)
    return peer_refuse ("oneDNN has no engine for this processor");
  snprintf (title, sizeof title, "oneDNN %d.%d.%d, layouts of its own choice", dnnl.version ()->major,
            dnnl.version ()->minor, dnnl.version ()->patch);
  return peer_main (&peer, title, processors > 0 ? (unsigned) processors : 1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See picture.h. The library decodes what is cut as far as it goes and says nothing; so the file's own marks
 * of its end are looked for before.
 */
#include "config.h"
#include "data/picture.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#ifdef HAVE_PIXBUF
#include <gdk-pixbuf/gdk-pixbuf.h>
#endif

#include "core/error.h"
#include "core/file.h"
#include "data/limits.h"

#define MAX_FILE    (64 << 20)
#define CHUNK_BYTES 65536
#define MAX_COLOURS 256 /* of a BMP's palette */

typedef struct {
  const char *name; /* as gdk-pixbuf has it */
  const char *magic;
  gsize length;
  gboolean (*is_whole) (const guint8 *bytes, gsize n);
} Type;

static guint32
be32 (const guint8 *p)
{
  return (guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3];
}

/* All chunks up to the last one are there. */
static gboolean
whole_png (const guint8 *bytes, gsize n)
{
  for (gsize at = 8; n - at >= 12;)
    {
      const gsize length = be32 (bytes + at);

      if (length > n - at - 12)
        return FALSE;
      if (memcmp (bytes + at + 4, "IEND", 4) == 0)
        return TRUE;
      at += 12 + length;
    }
  return FALSE;
}

/* Behind the headers, among which there may be a whole image as a preview, comes an end. */
static gboolean
whole_jpeg (const guint8 *bytes, gsize n)
{
  gsize at = 2;

  while (n - at >= 4 && bytes[at] == 0xff && bytes[at + 1] != 0xda)
    {
      const gsize length = (gsize) bytes[at + 2] << 8 | bytes[at + 3];

      if (bytes[at + 1] == 0xff)
        at++;
      else if (length < 2 || length > n - at - 2)
        return FALSE;
      else
        at += 2 + length;
    }
  for (; n - at >= 2; at++)
    if (bytes[at] == 0xff && bytes[at + 1] == 0xd9)
      return TRUE;
  return FALSE;
}

/* As long as it says, and as its rows of whole words need where they aren't packed. Its header is one of
 * those that there are, from OS/2's to version 5, and its palette no longer than there are bytes: the library
 * takes memory for as much as it is told. */
static gboolean
whole_bmp (const guint8 *bytes, gsize n)
{
  guint32 field[8];
  guint64 row, rows;

  if (n < 54)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (field); i++)
    {
      static const guint at[] = { 2, 10, 14, 18, 22, 28, 30, 46 };
      memcpy (&field[i], bytes + at[i], 4);
      field[i] = GUINT32_FROM_LE (field[i]);
    }
  if (field[0] > n || field[1] > n
      || (field[2] != 12 && (field[2] < 40 || field[2] > 124 || field[7] > MAX_COLOURS)))
    return FALSE;
  if (field[2] < 40 || field[6] != 0) /* of OS/2, or packed: the library knows */
    return TRUE;
  row = ((guint64) field[3] * (field[5] & 0xffff) + 31) / 32 * 4;
  rows = (guint64) ABS ((gint64) (gint32) field[4]);
  return rows == 0 || row <= (n - field[1]) / rows;
}

static const Type types[] = {
  { "png", "\x89PNG\r\n\x1a\n", 8, whole_png },
  { "jpeg", "\xff\xd8\xff", 3, whole_jpeg },
  { "bmp", "BM", 2, whole_bmp },
};

static const Type *
type_of (const guint8 *head, gsize n)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (n >= types[i].length && memcmp (head, types[i].magic, types[i].length) == 0)
      return &types[i];
  return NULL;
}

gboolean
ls_picture_is (const guint8 *head, gsize n)
{
  return type_of (head, n) != NULL;
}

void
ls_picture_clear (LsPicture *picture)
{
#ifdef HAVE_PIXBUF
  g_clear_object (&picture->decoded);
#endif
  picture->pixels = NULL;
}

#ifdef HAVE_PIXBUF

/* ---- decoding ---- */

typedef struct {
  gint width, height;
  gint rows; /* down to which there are pixels: the library fills up no image whose packed data end too soon
              */
  gboolean refused;
} Size;

/* Before memory is taken: an image of no size is none to the library. */
static void
size_cb (GdkPixbufLoader *loader, gint width, gint height, Size *size)
{
  *size = (Size){ width, height, 0, width < 1 || height < 1 || (gint64) width * height > LS_DATA_MAX_PIXELS };
  if (size->refused)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
}

static void
updated_cb (GdkPixbufLoader *loader, gint x, gint y, gint width, gint height, Size *size)
{
  size->rows = MAX (size->rows, y + height);
}

static gboolean
feed (GdkPixbufLoader *loader, const guint8 *bytes, gsize n, const Size *size, GError **error)
{
  for (gsize at = 0; at < n && !size->refused; at += CHUNK_BYTES)
    if (!gdk_pixbuf_loader_write (loader, bytes + at, MIN (CHUNK_BYTES, n - at), error))
      return FALSE;
  return TRUE;
}

/* The library's messages are a sentence or two of its own, without file. */
static void
refuse (const char *name, const Size *size, const GError *why, GError **error)
{
  if (size->refused)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s” is an image of %d×%d pixels, and at most %d are read; make it smaller."), name,
                 size->width, size->height, LS_DATA_MAX_PIXELS);
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is damaged and can’t be decoded (%s)."), name,
                 why != NULL ? why->message : _("rows are missing"));
}

/* (transfer full) */
static GdkPixbuf *
decode (GBytes *file, const Type *type, const char *name, GError **error)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data (file, &n);
  g_autoptr (GError) why = NULL;
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (type->name, &why);
  GdkPixbuf *pixbuf = NULL;
  Size size = { 0 };
  gboolean fed, closed;

  if (loader == NULL)
    {
      refuse (name, &size, why, error);
      return NULL;
    }
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_cb), &size);
  g_signal_connect (loader, "area-updated", G_CALLBACK (updated_cb), &size);
  fed = feed (loader, bytes, n, &size, &why);
  closed = gdk_pixbuf_loader_close (loader, fed && !size.refused ? &why : NULL);
  pixbuf = fed && closed && !size.refused ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
  if (pixbuf == NULL || size.rows < size.height)
    {
      refuse (name, &size, why, error);
      return NULL;
    }
  return gdk_pixbuf_apply_embedded_orientation (pixbuf);
}

/* What shines through is white. A pixel is never longer where it comes to than where it was, so the rows move
 * together in place: an image is held once. */
static void
take_pixels (LsPicture *picture)
{
  const gint stride = gdk_pixbuf_get_rowstride (picture->decoded),
             channels = gdk_pixbuf_get_n_channels (picture->decoded);
  guint8 *const pixels = gdk_pixbuf_get_pixels (picture->decoded);
  guint8 *to = pixels;

  for (gint y = 0; y < picture->height; y++)
    {
      const guint8 *p = pixels + (gsize) y * (gsize) stride;

      for (gint x = 0; x < picture->width; x++, p += channels, to += 3)
        {
          const guint alpha = channels == 4 ? p[3] : 255;
          const guint8 red = p[0], green = p[1], blue = p[2];

          to[0] = alpha == 255 ? red : (guint8) ((red * alpha + 255 * (255 - alpha) + 127) / 255);
          to[1] = alpha == 255 ? green : (guint8) ((green * alpha + 255 * (255 - alpha) + 127) / 255);
          to[2] = alpha == 255 ? blue : (guint8) ((blue * alpha + 255 * (255 - alpha) + 127) / 255);
          picture->colour |= to[0] != to[1] || to[1] != to[2];
        }
    }
  picture->pixels = pixels;
}

gboolean
ls_picture_can (void)
{
  return TRUE;
}

gboolean
ls_picture_read (LsPicture *picture, const char *path, const char *name, GError **error)
{
  g_autoptr (GBytes) file = ls_file_read (path, MAX_FILE, error);
  const Type *type;
  const guint8 *bytes;
  gsize n;

  if (file == NULL)
    return FALSE;
  bytes = g_bytes_get_data (file, &n);
  type = type_of (bytes, n);
  if (type == NULL || !type->is_whole (bytes, n))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” is cut or damaged: its image ends before its last row; fetch it again."), name);
      return FALSE;
    }
  picture->decoded = decode (file, type, name, error);
  if (picture->decoded == NULL)
    return FALSE;
  picture->width = gdk_pixbuf_get_width (picture->decoded);
  picture->height = gdk_pixbuf_get_height (picture->decoded);
  take_pixels (picture);
  return TRUE;
}

#else

gboolean
ls_picture_can (void)
{
  return FALSE;
}

gboolean
ls_picture_read (LsPicture *picture, const char *path, const char *name, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” is an image, and this Lockstep was built without gdk-pixbuf, which decodes them."),
               name);
  return FALSE;
}

#endif

/* ---- averaging ---- */

/* How much of source pixel i is in the area from `from` to `to`. */
static float
share (double from, double to, gint i)
{
  return (float) (MIN (to, i + 1.0) - MAX (from, (double) i));
}

/* A row of the source, each pixel's three values added to the areas that it is in, times its rows' share. */
static void
add_row (const guint8 *row, gint from_width, gint width, float rows, float *sums)
{
  for (gint x = 0; x < width; x++)
    {
      const double from = (double) x * from_width / width, to = (double) (x + 1) * from_width / width;

      for (gint i = (gint) from; i < from_width && i < to; i++)
        for (guint c = 0; c < 3; c++)
          sums[3 * x + (gint) c] += share (from, to, i) * rows * (float) row[3 * i + (gint) c];
    }
}

void
ls_picture_average (const LsPicture *picture, gint width, gint height, guint8 *pixels)
{
  const double area = (double) picture->width / width * picture->height / height;
  g_autofree float *sums = g_new (float, (gsize) width * 3);

  for (gint y = 0; y < height; y++)
    {
      const double from = (double) y * picture->height / height,
                   to = (double) (y + 1) * picture->height / height;

      memset (sums, 0, (gsize) width * 3 * sizeof *sums);
      for (gint i = (gint) from; i < picture->height && i < to; i++)
        add_row (picture->pixels + (gsize) i * (gsize) picture->width * 3, picture->width, width,
                 share (from, to, i), sums);
      for (gint x = 0; x < width; x++)
        for (gint c = 0; c < 3; c++)
          pixels[((gsize) c * (gsize) height + (gsize) y) * (gsize) width + (gsize) x] = (guint8) CLAMP (
            (double) sums[3 * x + c] / area + .5, 0, 255);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An image file as pixels of the size that is wanted: PNG, JPEG and BMP, told apart by their first bytes,
 * decoded by gdk-pixbuf where that was built in, turned as its EXIF says, laid on white where it is
 * transparent, and averaged over areas.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PICTURE_MAGIC 8 /* bytes that tell */

typedef struct {
  gint width, height; /* of the file's image, turned */
  gboolean colour;    /* red, green and blue differ somewhere */
  guint8 *pixels;     /* red, green and blue of each, row by row; of: */
  gpointer decoded;   /* GdkPixbuf, whose bytes they are */
} LsPicture;

/* Whether such images can be decoded. */
gboolean ls_picture_can (void);
/* The first n bytes are those of one of the three. */
gboolean ls_picture_is (const guint8 *head, gsize n);
/* LS_ERROR_FILE; LS_ERROR_DATA: it is cut, damaged, or has more pixels than are read. name: for messages. */
gboolean ls_picture_read (LsPicture *picture, const char *path, const char *name, GError **error);
void ls_picture_clear (LsPicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPicture, ls_picture_clear)
/* The mean over each of width × height equal areas, red, green and blue after each other as planes: pixels
 * has room for 3 × height × width bytes. */
void ls_picture_average (const LsPicture *picture, gint width, gint height, guint8 *pixels);

G_END_DECLS

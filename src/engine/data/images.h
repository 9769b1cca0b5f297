/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the images' loader share: loader_images.c (what lies in the folders), images_read.c
 * (reading images, into memory or into a file), images_file.c (those that memory has no room for).
 */
#pragma once

#include "data/loader.h"
#include "data/picture.h"
#include "data/sample_file.h"

G_BEGIN_DECLS

typedef struct {
  const LsDataRequest *request;
  LsData *data;
  gint width, height;
  gint first_width, first_height; /* of the first image, as it was */
  guint n_other_sizes, n_strangers;
  char *stranger;     /* the first one's name */
  GPtrArray *bare;    /* folders without images */
  guint8 *planes;     /* room for an image of three channels */
  LsSampleFile *file; /* where the samples go, if memory has no room for them; NULL: into memory */
  gint64 n, total;    /* images, of all sets: read so far, to read */
  LsDataset like;     /* its shape is that of a set of images like the first one, once that was looked at */
} LsImages;

typedef struct {
  char *name;
  GPtrArray *files;
} LsImagesClass;

/* Both sets' classes, listed before either is read: how far it is counts all. */
typedef struct {
  char *path[2];      /* of the folder with images to train with; of that to test with, or NULL */
  GArray *classes[2]; /* LsImagesClass; NULL: no test set */
} LsImagesListing;

gboolean ls_images_is_picture (const char *folder, const char *name);
/* The first image's size, how many are of another, and which one all are brought to. */
void ls_images_note_size (LsImages *reading, const LsPicture *picture);
/* All of a set's n samples so far get three channels alike; room: for so many. */
gboolean ls_images_to_colour (LsDataset *set, gint64 n, gint64 room, const char *name, GError **error);
void ls_images_add_class (LsData *data, const char *name);
/* Into memory, or into reading->file. */
gboolean ls_images_read (LsImages *reading, const LsImagesListing *listing, GError **error);
/* By the first image: memory has no room for all of them. */
gboolean ls_images_are_many (LsImages *reading, const LsImagesListing *listing);
/* Finds their cache file, or makes it. */
gboolean ls_images_by_file (LsImages *reading, const LsDataSource *source, const LsImagesListing *listing,
                            GError **error);

G_END_DECLS

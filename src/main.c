/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The installed program: a worker of the laboratory, or what the command line says.
 */
#include "start.h"
#include "lab/worker.h"

int
main (int argc, char **argv)
{
  return ls_start (argc, argv, ls_lab_workers, ls_cli_main);
}

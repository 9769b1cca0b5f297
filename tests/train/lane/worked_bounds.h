/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Adds tests of bounds that were worked out by hand. */
void ls_add_worked_bounds (void);

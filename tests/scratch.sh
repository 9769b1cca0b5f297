# SPDX-License-Identifier: GPL-3.0-or-later
#
# For scripts that change a copy of the sources, build it and try what came of it: budget.sh, mutants.sh.

# copy_sources ROOT FOLDER: what a tarball would have.
copy_sources ()
{
  mkdir -p "$2" && ( cd "$1" && cp -R src kernels_cl data po tests flatpak dev README.md COPYING CONTRIBUTING.md meson.build \
    meson_options.txt "$2" )
}

# keep_to FOLDER: git takes what is in it as if nobody kept its history, and programs keep their own there.
keep_to ()
{
  unset GIT_DIR GIT_WORK_TREE LOCKSTEP_SELF LOCKSTEP_DATA_DIR
  GIT_CEILING_DIRECTORIES=$(dirname "$1"):$1
  XDG_CACHE_HOME=$1/cache XDG_DATA_HOME=$1/data POCL_CACHE_DIR=$1/pocl LC_ALL=C.UTF-8 GSETTINGS_BACKEND=memory
  export GIT_CEILING_DIRECTORIES XDG_CACHE_HOME XDG_DATA_HOME POCL_CACHE_DIR LC_ALL GSETTINGS_BACKEND
}

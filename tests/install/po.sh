# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every translation that po/LINGUAS names is there, passes msgfmt's checks, and has all of the program's messages as they are
# now; and there is none that it doesn't name.
set -u
cd "$(dirname "$0")/../../po" || exit 1
status=0
languages=$(grep -v '^#' LINGUAS)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# as Meson's preset “glib” has it
(cd .. && xgettext --from-code=UTF-8 --files-from=po/POTFILES.in --output="$scratch/all.pot" \
   --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 --keyword=ngettext:1,2 --keyword=g_dngettext:2,3) || status=1
for language in $languages; do
  msgfmt --check --output-file=/dev/null "$language.po" || status=1
  msgmerge --quiet --no-fuzzy-matching "$language.po" "$scratch/all.pot" --output-file="$scratch/merged.po" || status=1
  missing=$(msgattrib --untranslated --no-obsolete --no-wrap "$scratch/merged.po" | grep '^msgid "..*"$'
            msgattrib --only-fuzzy --no-obsolete --no-wrap "$scratch/merged.po" | grep '^msgid "..*"$')
  [ -z "$missing" ] || { echo "po/$language.po lacks:"; echo "$missing"; status=1; }
done
for file in *.po; do
  [ -f "$file" ] || continue
  case " $(echo $languages) " in
    *" ${file%.po} "*) ;;
    *) echo "po/LINGUAS: ${file%.po} is missing"; status=1 ;;
  esac
done
exit $status

# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every translation that po/LINGUAS names is there and passes msgfmt's checks, and there is none that it doesn't name.
set -u
cd "$(dirname "$0")/../../po" || exit 1
status=0
languages=$(grep -v '^#' LINGUAS)
for language in $languages; do
  msgfmt --check --output-file=/dev/null "$language.po" || status=1
done
for file in *.po; do
  [ -f "$file" ] || continue
  case " $(echo $languages) " in
    *" ${file%.po} "*) ;;
    *) echo "po/LINGUAS: ${file%.po} is missing"; status=1 ;;
  esac
done
exit $status

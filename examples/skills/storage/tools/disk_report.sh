#!/bin/sh
# Prints a first look at storage. It reads, and changes nothing. Arguments: {"path": "..."} on standard input.
set -u

# The one argument, without a JSON parser: the text between the quotes after "path". Escapes are refused, not guessed.
input=$(cat)
path=$(printf '%s' "$input" | sed -n 's/.*"path"[[:space:]]*:[[:space:]]*"\([^"\\]*\)".*/\1/p')
case "$input" in
*'"path"'*)
	if [ -z "$path" ]; then
		echo "path must be a plain text without escapes" >&2
		exit 2
	fi
	;;
esac
path=${path:-.}
case "$path" in
/* | .. | ../* | */.. | */../* | -*)
	echo "path must lie inside the workspace" >&2
	exit 2
	;;
esac

# section prints a title, and the output of a command or that it cannot be seen here.
section() {
	printf '\n## %s\n' "$1"
	shift
	"$@" 2>/dev/null || echo "(not visible in the sandbox: run it with execute_command)"
}

echo "# Storage, as far as the sandbox shows it"
section "File systems (df -hT)" df -hT -x tmpfs -x devtmpfs
section "Inodes (df -i)" df -i -x tmpfs -x devtmpfs
section "Block devices (lsblk)" lsblk -o NAME,SIZE,TYPE,FSTYPE,MOUNTPOINTS
section "RAID (/proc/mdstat)" cat /proc/mdstat
printf '\n## Largest folders in %s (du)\n' "$path"
if [ -d "$path" ]; then
	du -xk --max-depth=1 -- "$path" 2>/dev/null | sort -rn | head -20
else
	echo "there is no folder $path in the workspace" >&2
	exit 1
fi

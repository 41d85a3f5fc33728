package reach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein"
)

// maxLinks is how many links one path may go through.
const maxLinks = 40

// Resolve returns where an absolute path leads, with all links on its way followed. Unlike
// filepath.EvalSymlinks it also does so where the end of the way does not exist: what a link says of
// hidden things is hidden too.
func Resolve(path string) (string, error) {
	at := filepath.VolumeName(path) + string(filepath.Separator)
	rest := parts(path[len(filepath.VolumeName(path)):])
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		target, err := os.Readlink(next)
		if err != nil { // no link, or not there
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", rein.Errorf(rein.CodeInvalid, "path %.200q goes through too many links", path)
		}
		if filepath.IsAbs(target) {
			at = filepath.VolumeName(target) + string(filepath.Separator)
		}
		rest = slices.Concat(parts(target[len(filepath.VolumeName(target)):]), rest)
	}
	return at, nil
}

// parts are the names of a path that say something.
func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) })
}

package files

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/internal/near"
	"rein/tool/files/match"
)

// typesText lists, a type a line, its name and the globs of its files.
//
//go:embed types.txt
var typesText string

var fileTypes = sync.OnceValue(func() map[string][]string {
	types := map[string][]string{}
	for line := range strings.Lines(typesText) {
		fields := strings.Fields(line)
		types[fields[0]] = fields[1:]
	}
	return types
})

// typeFilter chooses the files of a type.
func typeFilter(name string) (match.Filter, error) {
	globs, ok := fileTypes()[name]
	if ok {
		return match.NewFilter(globs...)
	}
	known := slices.Sorted(maps.Keys(fileTypes()))
	hint := ""
	if like := near.Word(name, known); like != "" {
		hint = "; did you mean " + like + "?"
	}
	return match.Filter{}, rein.Errorf(rein.CodeInvalid, "there is no file type %.100q%s (types: %s; glob takes any name)", name, hint, strings.Join(known, " "))
}

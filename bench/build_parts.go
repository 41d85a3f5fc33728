package main

import (
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pkg is a package of the program, as go list tells it.
type pkg struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Path string }
	EmbedFiles      []string
}

// part is what of the program's bytes belongs to a module, or to a folder of rein.
type part struct{ code, data, files int64 }

func (p part) all() int64 { return p.code + p.data + p.files }

// parts of the program, by name, and what belongs to none.
type parts struct {
	of     map[string]*part
	tables int64 // of functions: where they are and what is on their stacks
}

func listPackages(ctx context.Context) (map[string]pkg, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module,EmbedFiles", "rein/cmd/rein")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of rein: %w", err)
	}
	all := map[string]pkg{}
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := list.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
}

// partsOf adds up a program's symbols and embedded files by what they belong to.
func partsOf(program string, packages map[string]pkg) (parts, error) {
	ps := parts{of: map[string]*part{}}
	f, err := elf.Open(program)
	if err != nil {
		return ps, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return ps, fmt.Errorf("read the symbols of %s: %w", program, err)
	}
	for _, s := range symbols {
		if int(s.Section) >= len(f.Sections) || f.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue // it is zeros, which are in memory only
		}
		if strings.Contains(s.Name, "..gobytes.") {
			continue // it is an embedded file
		}
		p := ps.part(partName(packageOf(s.Name), packages))
		if f.Sections[s.Section].Name == ".text" {
			p.code += int64(s.Size)
		} else {
			p.data += int64(s.Size)
		}
	}
	if s := f.Section(".gopclntab"); s != nil {
		ps.tables = int64(s.Size)
	}
	return ps, ps.addFiles(packages)
}

func (ps *parts) part(name string) *part {
	if ps.of[name] == nil {
		ps.of[name] = &part{}
	}
	return ps.of[name]
}

func (ps *parts) addFiles(packages map[string]pkg) error {
	for _, p := range packages {
		for _, name := range p.EmbedFiles {
			info, err := os.Stat(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			ps.part(partName(p.ImportPath, packages)).files += info.Size()
		}
	}
	return nil
}

const (
	standardPart = "the standard library"
	nobodysPart  = "types, and what the linker makes"
)

// partName says which module a package is of, and of rein's own in which folder it is.
func partName(path string, packages map[string]pkg) string {
	p, known := packages[path]
	switch {
	case !known:
		return nobodysPart
	case p.Standard:
		return standardPart
	case p.Module.Path != "rein":
		return p.Module.Path
	}
	below := strings.Split(strings.TrimPrefix(path, "rein/"), "/")
	return strings.Join(append([]string{"rein"}, below[:min(len(below), 2)]...), "/")
}

// packageOf is the package in the name of a symbol: what is before the first dot behind the last slash, without what a
// generic function was made for.
func packageOf(symbol string) string {
	name, _, _ := strings.Cut(symbol, "[")
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	return strings.ReplaceAll(name[:slash+1+dot], "%2e", ".")
}

// smallPart is how many bytes a part needs for a row of its own.
const smallPart = 200_000

func (b *bench) printParts(stripped int64, ps parts) {
	t := table{title: "build: where the bytes of the stripped program are, by module, and of rein by folder", head: []string{"part", "code MB", "data MB", "embedded files MB", "all MB", "share"}}
	row := func(name string, p part) {
		mb := func(n int64) string { return fixed(2, float64(n)/1e6) }
		t.add(name, mb(p.code), mb(p.data), mb(p.files), mb(p.all()), fmt.Sprintf("%.1f %%", float64(p.all())*100/float64(stripped)))
	}
	var names []string
	small, rest := part{}, stripped-ps.tables
	for name, p := range ps.of {
		rest -= p.all()
		if p.all() >= smallPart {
			names = append(names, name)
			continue
		}
		small.code, small.data, small.files = small.code+p.code, small.data+p.data, small.files+p.files
	}
	slices.SortFunc(names, func(a, b string) int { return int(ps.of[b].all() - ps.of[a].all()) })
	row("tables of functions, about in proportion to code", part{data: ps.tables})
	for _, name := range names {
		row(name, *ps.of[name])
	}
	row("smaller parts", small)
	row("strings, names of types, padding", part{data: rest})
	t.print(b.out)
}

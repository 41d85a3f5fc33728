package files

import (
	"io/fs"
	"os"
	"path/filepath"

	"rein"
)

// A veil knows what a run may not use in the folder. It asks the policy once; a policy that cannot list what it hides is
// asked about every entry.
type veil struct {
	inv   rein.Invocation
	lists bool
	paths map[string]bool
	infos []fs.FileInfo // of what has another name too
}

func (r *Root) veil(inv rein.Invocation) veil {
	v := veil{inv: inv, paths: map[string]bool{}}
	h, ok := inv.Reach.(interface {
		Hidden(folder string) ([]string, error)
	})
	if !ok {
		return v
	}
	hidden, err := h.Hidden(r.real)
	if err != nil {
		return v
	}
	v.lists = true
	for _, name := range hidden {
		v.paths[name] = true
		if info, err := os.Lstat(name); err == nil && !info.IsDir() && links(info) > 1 {
			v.infos = append(v.infos, info)
		}
	}
	return v
}

// hides reports whether the run may not use what is at a path. Links are judged by where they are.
func (v veil) hides(path string, info fs.FileInfo) bool {
	if !v.lists {
		isLink := info != nil && info.Mode().Type() == fs.ModeSymlink
		return v.inv.MayUse(path) != nil && !isLink
	}
	if v.paths[path] {
		return true
	}
	if info == nil || info.IsDir() || links(info) < 2 {
		return false
	}
	for _, other := range v.infos {
		if os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// absolute is where a path below the root is.
func (r *Root) absolute(local string) string { return filepath.Join(r.real, filepath.FromSlash(local)) }

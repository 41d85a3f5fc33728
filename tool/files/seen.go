package files

import (
	"os"
	"path/filepath"

	"rein"
	"rein/tool/reach"
)

// isSeen looks at a file that is open: it may have been reached through a link that was another one
// when the policy was asked. So the policy is asked again, of where the file itself is.
func (r *Root) isSeen(inv rein.Invocation, f *os.File, local string) bool {
	if path, ok := realPath(f); ok {
		return inv.MayUse(path) == nil
	}
	path, err := reach.Resolve(filepath.Join(r.real, local))
	if err != nil || inv.MayUse(path) != nil {
		return false
	}
	there, err := os.Lstat(path)
	if err != nil {
		return false
	}
	opened, err := f.Stat()
	return err == nil && os.SameFile(there, opened)
}

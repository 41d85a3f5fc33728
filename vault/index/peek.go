package index

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Peek reads which notes an index has, beside a process that uses it. What that process replaces in the
// meantime is left out.
func Peek(dir string) ([]Note, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	var all []Note
	for _, ms := range m.Segments {
		s, err := openSegment(filepath.Join(dir, ms.Name), ms.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, i := range ms.Dead {
			if i >= 0 && i < len(s.dead) {
				s.dead[i] = true
			}
		}
		for i, n := range s.notes {
			if !s.dead[i] {
				all = append(all, n)
			}
		}
		if err := s.close(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

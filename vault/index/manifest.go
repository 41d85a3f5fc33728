package index

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// format changes when files of an older program cannot be read.
const format = 1

const manifestName = "index.json"

// A manifest names the files that are the index; anything else in the folder is left from a crash.
type manifest struct {
	Format   int               `json:"format"`
	Chunking string            `json:"chunking"` // how notes were cut; another way makes everything anew
	Embedder string            `json:"embedder"` // whose vectors they are
	Dim      int               `json:"dim"`
	Vectors  string            `json:"vectors"` // name of the files
	Next     int               `json:"next"`    // number of the next file
	Segments []manifestSegment `json:"segments"`
}

type manifestSegment struct {
	Name string `json:"name"`
	Dead []int  `json:"dead,omitempty"`
}

// readManifest returns what was committed last; one that is not there or cannot be read is empty, for
// all of it can be made again from the notes.
func readManifest(dir string) (m manifest, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return manifest{}, nil
		}
		return manifest{}, err
	}
	if json.Unmarshal(raw, &m) != nil || m.Format != format {
		return manifest{}, nil
	}
	plain := func(name string) bool { return name == filepath.Base(name) && name != "." && name != ".." }
	if m.Vectors != "" && !plain(m.Vectors) || slices.ContainsFunc(m.Segments, func(s manifestSegment) bool { return !plain(s.Name) }) {
		return manifest{}, nil
	}
	return m, nil
}

func (m *manifest) write(dir string) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeFile(dir, manifestName, func(f *os.File) error {
		_, err := f.Write(raw)
		return err
	})
}

// writeFile makes a file that is whole or not there.
func writeFile(dir, name string, fill func(*os.File) error) (err error) {
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// sweep removes files that the manifest does not name. Only names that this package gives are touched.
func (m *manifest) sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		base := strings.TrimSuffix(name, filepath.Ext(name))
		ours := strings.HasPrefix(name, "new-") || strings.HasPrefix(name, "segment-") || strings.HasPrefix(name, "vectors-")
		named := base == m.Vectors || slices.ContainsFunc(m.Segments, func(s manifestSegment) bool { return s.Name == name })
		if ours && !named {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
}

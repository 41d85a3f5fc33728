package oldstore

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// pack writes the house to a file: data/rein.db, data/world.log and vault.
func (h *house) pack(file string) {
	h.Helper()
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	h.check(err)
	zip, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	h.check(err)
	archive := tar.NewWriter(zip)
	tree := os.DirFS(h.dir)
	add := func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "data/rein.db") && name != "data/rein.db" { // locks and the like
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err == nil {
			err = archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data))})
		}
		if err == nil {
			_, err = archive.Write(data)
		}
		return err
	}
	h.check(errors.Join(fs.WalkDir(tree, "data", add), fs.WalkDir(tree, "vault", add)))
	h.check(errors.Join(archive.Close(), zip.Close(), out.Close()))
}

// unpack makes the house a copy of what is in the file.
func (h *house) unpack(file string) {
	h.Helper()
	packed, err := os.Open(file)
	h.check(err)
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	h.check(err)
	archive := tar.NewReader(zip)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		h.check(err)
		name, err := filepath.Localize(header.Name)
		h.check(err)
		name = filepath.Join(h.dir, name)
		h.check(os.MkdirAll(filepath.Dir(name), 0o700))
		data, err := io.ReadAll(archive)
		h.check(err)
		h.check(os.WriteFile(name, data, 0o600))
	}
}

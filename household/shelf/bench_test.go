package shelf_test

import (
	"bytes"
	"fmt"
	"testing"

	"rein/household/shelf"
	"rein/store/sqlite"
)

// The largest file, in the place of one as large.
func BenchmarkPut(b *testing.B) {
	db, err := sqlite.Open(b.Context(), b.TempDir()+"/rein.db", sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	s, content := shelf.Shelf{Tables: db}, bytes.Repeat([]byte("0123456789abcdef"), shelf.MaxFile/16)
	b.SetBytes(shelf.MaxFile)
	for i := 0; b.Loop(); i++ {
		copy(content, fmt.Sprintf("%016d", i))
		if _, err := s.Put(b.Context(), ann, "big", "", bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
	}
}

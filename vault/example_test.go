package vault_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rein/vault"
)

// A folder of notes is searched by words. With an Embedder it is searched by meaning too.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "rein")
	check(err)
	defer os.RemoveAll(dir)
	notes := filepath.Join(dir, "notes")
	check(os.Mkdir(notes, 0o700))
	check(os.WriteFile(filepath.Join(notes, "Barn.md"), []byte("# Barn\n\nThe barn was painted red in spring.\n"), 0o600))
	check(os.WriteFile(filepath.Join(notes, "Garden.md"), []byte("# Garden\n\nBeans grow along the fence.\n"), 0o600))
	root, err := os.OpenRoot(notes)
	check(err)
	defer root.Close()

	ctx := context.Background()
	v, err := vault.Open(ctx, vault.Options{Root: root, Index: filepath.Join(dir, "index")})
	check(err)
	defer v.Close()
	found, err := v.Search(ctx, vault.Query{Texts: []string{"What colour is the barn?"}})
	check(err)
	fmt.Println(found.Hits[0].Path, found.Hits[0].Section)
	// Output: Barn.md Barn
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// One process opens a file for writing. Others can read beside it.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "rein")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx, file := context.Background(), filepath.Join(dir, "rein.db")

	owner, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		panic(err)
	}
	defer owner.Close()
	_, err = sqlite.Open(ctx, file, sqlite.Options{})
	fmt.Println("a second owner:", rein.CodeOf(err))

	reader, err := sqlite.OpenReader(ctx, file)
	if err != nil {
		panic(err)
	}
	defer reader.Close()
	runs := 0
	for _, err := range reader.Runs(ctx, store.Filter{}) {
		if err != nil {
			panic(err)
		}
		runs++
	}
	fmt.Println("a reader:", runs, "runs")
	// Output:
	// a second owner: locked
	// a reader: 0 runs
}

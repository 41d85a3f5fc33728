package files_test

import (
	"fmt"
	"os"

	"rein/tool/files"
)

// A folder gives tools, which see nothing outside it.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "rein")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	root, err := files.Open(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()
	tools, err := root.Tools()
	for _, t := range tools {
		fmt.Println(t.Name, t.Effect, err)
	}
	// Output:
	// read_file pure <nil>
	// list_directory pure <nil>
	// glob pure <nil>
	// grep pure <nil>
	// codebase.read_file pure <nil>
	// codebase.list_directory pure <nil>
	// codebase.search pure <nil>
}

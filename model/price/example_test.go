package price_test

import (
	"fmt"
	"os"
	"path/filepath"

	"rein/model/price"
)

// A file corrects the built-in table, or adds to it.
func ExampleLoad() {
	dir, err := os.MkdirTemp("", "rein")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "prices.toml")
	if err := os.WriteFile(file, []byte("[models.mine]\ninput = 2.50\noutput = 10\nwindow = 8000\n"), 0o600); err != nil {
		panic(err)
	}

	table, err := price.Load(file)
	if err != nil {
		panic(err)
	}
	mine, known := table.Find("mine")
	fmt.Println(mine.Input, mine.Output, mine.Window, known)
	// Output: 2500000 10000000 8000 true
}

// Command tooldoc writes docs/tools.md from rein's own tools. Run it from the root of the repository, as make
// generate does; -check reports whether the page is stale.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"rein/app"
)

const pageFile = "docs/tools.md"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tooldoc:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	check := len(args) == 1 && args[0] == "-check"
	if len(args) > 0 && !check {
		return errors.New("usage: tooldoc [-check]")
	}
	tools, err := app.BuiltIn()
	if err != nil {
		return err
	}
	made, err := page(tools)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(pageFile, made, 0o644)
	}
	old, err := os.ReadFile(pageFile)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, made) {
		return fmt.Errorf("%s is stale: run make generate", pageFile)
	}
	return nil
}

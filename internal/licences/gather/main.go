// Command gather writes internal/licences/notices.json from the module cache, or with -check
// reports that it is stale. Run it from the root of the repository, as make generate and make test
// do.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
)

const noticesFile = "internal/licences/notices.json"

func main() {
	check := flag.Bool("check", false, "do not write; fail if the file is stale")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	made, err := gather(".")
	if err != nil || !check {
		return errors.Join(err, write(made))
	}
	there, err := os.ReadFile(noticesFile)
	if err == nil && !bytes.Equal(there, made) {
		err = fmt.Errorf("%s is stale: run make generate", noticesFile)
	}
	return err
}

func write(made []byte) error {
	if made == nil {
		return nil
	}
	return os.WriteFile(noticesFile, made, 0o644)
}

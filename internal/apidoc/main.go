// Command apidoc writes the files that are generated from the server's table of operations. Run it
// from the root of the repository, as make generate does: first "vocabulary", which reads the
// comments and constants of the API's types from their source, then "docs", which writes
// docs/openapi.json, docs/api.md, and the types and methods of clients/ts. "check" reports what is stale.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"

	"rein/server"
)

const (
	vocabularyFile = "server/openapi/vocabulary.json"
	documentFile   = "docs/openapi.json"
	markdownFile   = "docs/api.md"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "apidoc:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	what := ""
	if len(args) == 1 {
		what = args[0]
	}
	switch what {
	case "vocabulary":
		return each(write, vocabulary)
	case "docs":
		return each(write, docs)
	case "check":
		return errors.Join(each(compare, vocabulary), each(compare, docs))
	}
	return errors.New("usage: apidoc vocabulary | docs | check")
}

// files are what they should hold, by name.
type files map[string][]byte

func each(do func(name string, text []byte) error, of func() (files, error)) error {
	all, err := of()
	if err != nil {
		return err
	}
	for name, text := range all {
		err = errors.Join(err, do(name, text))
	}
	return err
}

func write(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }

func compare(name string, text []byte) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return fmt.Errorf("%s is stale: run make generate", name)
	}
	return nil
}

func vocabulary() (files, error) {
	v, err := readVocabulary(os.DirFS("."), server.ShownTypes())
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(v, "", " ")
	return files{vocabularyFile: append(text, '\n')}, err
}

func docs() (files, error) {
	d := server.OpenAPI()
	text, err := d.JSON()
	all := files{documentFile: text, markdownFile: d.Markdown()}
	maps.Copy(all, typescript(d))
	return all, err
}

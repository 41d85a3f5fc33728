package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"rein/internal/licences"
)

const repository = "../../.."

// The notices in the binary are those of what is linked into it: a new module, another version or a
// changed text fails here.
func TestNoticesAreOfWhatIsLinked(t *testing.T) {
	made, err := gather(repository)
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadFile(repository + "/" + noticesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, there) {
		t.Errorf("%s is stale: run make generate", noticesFile)
	}
}

// Each has a version if it is a module, a kind, and texts that say something.
func TestNoticesAreWhole(t *testing.T) {
	notices, err := licences.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range notices {
		names = append(names, n.Name)
		if n.Kind == "" || len(n.Files) == 0 || strings.Contains(n.Name, ".") && strings.Contains(n.Name, "/") != (n.Version != "") {
			t.Errorf("%s %s: kind %q, %d files", n.Name, n.Version, n.Kind, len(n.Files))
		}
		for _, file := range n.Files {
			if len(file.Text) < 50 {
				t.Errorf("%s: %s has %q", n.Name, file.Name, file.Text)
			}
		}
	}
	for _, want := range []string{"rein", library, "all-MiniLM-L6-v2", "IANA time zone database", "modernc.org/sqlite"} {
		if !slices.Contains(names, want) {
			t.Errorf("no notice of %s", want)
		}
	}
}

// A module whose licence nobody knows, or that has none, is refused: a person has to look at it.
func TestUnknownLicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	w := &work{name: "example.com/odd", version: "v1.0.0", root: dir, folders: map[string]bool{".": true}}
	for _, text := range []string{"", "You may look at it on Sundays."} {
		if text != "" {
			if err := os.WriteFile(dir+"/LICENSE", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.notice(); err == nil || !strings.Contains(err.Error(), "example.com/odd") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestKindOf(t *testing.T) {
	bsd := "Redistribution and use in source\nand binary forms, with or without modification"
	for _, c := range []struct{ text, want string }{
		{"Apache License\n   Version 2.0, January 2004", "Apache-2.0"},
		{bsd, "BSD-2-Clause"},
		{bsd + "\n * Neither the name of Google", "BSD-3-Clause"},
		{"Permission is hereby granted,\nfree of charge, to any person", "MIT"},
		{"All rights reserved.", ""},
	} {
		if got := kindOf([]string{c.text}); got != c.want {
			t.Errorf("%q is %q, not %q", c.text, got, c.want)
		}
	}
}

package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPlain(t *testing.T) {
	tree := fstest.MapFS{
		"a/a_test.go":          {Data: []byte("package a\n\n// TestMany is long.\n//\n// Plain: TestOne runs the same code.\nfunc TestMany() {}\n\nfunc TestOne() {}\n")},
		"b/b_test.go":          {Data: []byte("package b\n\n// Plain: it is about sizes.\nfunc TestSizes() {}\n\nfunc TestOne() {}\n")},
		"a/testdata/x_test.go": {Data: []byte("package x\n\n// Plain: not ours.\nfunc TestX() {}\n")},
	}
	p, err := findPlain(tree)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range p.runs([]string{"-race"}, []string{"-timeout=1m", "./..."}) {
		got = append(got, strings.Join(run, " "))
	}
	want := []string{
		"-timeout=1m -run ^(TestMany|TestSizes)$ ./a ./b",
		"-race -timeout=1m -skip ^(TestMany|TestSizes)$ ./...",
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	if all := p.runs(nil, []string{"./..."}); len(all) != 1 || !slices.Equal(all[0], []string{"./..."}) {
		t.Errorf("without the race detector it runs %q", all)
	}
}

// go test skips by name alone: a test of the same name elsewhere would not run at all.
func TestPlainNamesAreUnique(t *testing.T) {
	tree := fstest.MapFS{
		"a/a_test.go": {Data: []byte("package a\n\n// Plain: it is about sizes.\nfunc TestSizes() {}\n")},
		"b/b_test.go": {Data: []byte("package b\n\nfunc TestSizes() {}\n")},
	}
	if _, err := findPlain(tree); err == nil || !strings.Contains(err.Error(), "TestSizes") {
		t.Errorf("the error is %v", err)
	}
}

// The marks of this tree can be told apart by name.
func TestPlainOfThisTree(t *testing.T) {
	p, err := findPlain(os.DirFS("../.."))
	if err != nil || len(p.names) == 0 {
		t.Errorf("%v %v", p, err)
	}
}

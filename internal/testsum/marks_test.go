package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestMarks(t *testing.T) {
	tree := fstest.MapFS{
		"a/a_test.go":          {Data: []byte("package a\n\n// TestMany is long.\n//\n// Plain: TestOne runs the same code.\nfunc TestMany() {}\n\nfunc TestOne() {}\n")},
		"b/b_test.go":          {Data: []byte("package b\n\n// Plain: it is about sizes.\nfunc TestSizes() {}\n\nfunc TestOne() {}\n")},
		"c/c_test.go":          {Data: []byte("package c\n\n// Alone: a browser has deadlines.\nfunc TestPage() {}\n")},
		"a/testdata/x_test.go": {Data: []byte("package x\n\n// Plain: not ours.\nfunc TestX() {}\n")},
	}
	m, err := findMarked(tree)
	if err != nil {
		t.Fatal(err)
	}
	alone := "-timeout=1m -p=1 -run ^(TestPage)$ ./c"
	for _, test := range []struct {
		race []string
		want []string
	}{
		{[]string{"-race"}, []string{
			alone,
			"-timeout=1m -run ^(TestMany|TestSizes)$ ./a ./b",
			"-race -timeout=1m -skip ^(TestMany|TestPage|TestSizes)$ ./...",
		}},
		{nil, []string{alone, "-timeout=1m -skip ^(TestPage)$ ./..."}},
	} {
		var got []string
		for _, run := range m.runs(test.race, []string{"-timeout=1m", "./..."}) {
			got = append(got, strings.Join(run, " "))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("with %q it runs %q, want %q", test.race, got, test.want)
		}
	}
	if all := (marked{}).runs(nil, []string{"./..."}); len(all) != 1 || !slices.Equal(all[0], []string{"./..."}) {
		t.Errorf("without marks it runs %q", all)
	}
}

// go test skips by name alone: a test of the same name elsewhere would not run at all.
func TestMarkedNamesAreUnique(t *testing.T) {
	tree := fstest.MapFS{
		"a/a_test.go": {Data: []byte("package a\n\n// Plain: it is about sizes.\nfunc TestSizes() {}\n")},
		"b/b_test.go": {Data: []byte("package b\n\nfunc TestSizes() {}\n")},
	}
	if _, err := findMarked(tree); err == nil || !strings.Contains(err.Error(), "TestSizes") {
		t.Errorf("the error is %v", err)
	}
}

// The marks of this tree can be told apart by name.
func TestMarksOfThisTree(t *testing.T) {
	m, err := findMarked(os.DirFS("../.."))
	if err != nil || len(m.plain.names) == 0 || len(m.alone.names) == 0 {
		t.Errorf("%v %v", m, err)
	}
}

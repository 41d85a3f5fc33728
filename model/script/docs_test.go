package script

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var fenced = regexp.MustCompile("(?ms)^```([a-z -]*)\n(.*?)^```$")

// Every script block of docs/script.md parses. A block marked "script bad" does not, and the text
// block after it is the error.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/script.md")
	if err != nil {
		t.Fatal(err)
	}
	good, want := 0, ""
	for _, block := range fenced.FindAllStringSubmatch(string(page), -1) {
		kind, text := block[1], block[2]
		_, err := Parse("demo.txt", []byte(text))
		switch {
		case kind == "script" && err != nil:
			t.Errorf("%v in\n%s", err, text)
		case kind == "script":
			good++
		case kind == "script bad":
			want = fmt.Sprintln(err)
		case want != "":
			if text != want {
				t.Errorf("the page says\n%sthe error is\n%s", text, want)
			}
			want = ""
		}
	}
	if good < 4 || want != "" {
		t.Errorf("%d script blocks on the page, and an error that it does not show: %q", good, want)
	}
}

// The page tells every word of the format.
func TestDocsAreComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/script.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range slices.Concat(allDirectives(), sortedKeys(keys), failCodes) {
		if !regexp.MustCompile("`" + word + "[^a-z_-]").Match(page) {
			t.Errorf("docs/script.md does not explain %s", word)
		}
	}
	if strings.Count(string(page), "\n") > 200 {
		t.Error("docs/script.md is more than a page")
	}
}

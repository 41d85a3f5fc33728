package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A screen as tmux captures it is read cell by cell: colours last until they are changed, and wide characters take two.
func TestCells(t *testing.T) {
	t.Parallel()
	got := cells("a\x1b[1;31mb\n世\x1b[39mc\x1b[0;7m!")
	bold, red := plain, plain
	bold.bold, red.bold, red.colour = true, true, 1
	reverse := plain
	reverse.reverse = true
	want := [][]cell{{{"a", plain}, {"b", red}}, {{"世", red}, {"", red}, {"c", bold}, {"!", reverse}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cell{}, style{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What is drawn is well-formed, whatever is on the screen, and has the text as text and lines as lines.
func TestMovie(t *testing.T) {
	t.Parallel()
	f := frame{name: "one", rows: cells("┌─ <a & \"b\"> ─┐\n│ \x1b[35ma\x1b[39m allow"), cursor: [2]int{1, 1}}
	drawn := string(movie([]frame{f, f}))
	for d := xml.NewDecoder(strings.NewReader(drawn)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, drawn)
		}
	}
	for _, want := range []string{`&lt;a &amp; "b"&gt;</text>`, `<text class="c5" x="16.8" y="31.5" textLength="8.4">a</text>`, "<path d=\"M4.2 9.0H8.4M4.2 9.0V18.0", "prefers-color-scheme:dark", "prefers-reduced-motion"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("there is no %s in\n%s", want, drawn)
		}
	}
}

// The picture in the docs tells the session of the story.
func TestPicture(t *testing.T) {
	t.Parallel()
	drawn, err := os.ReadFile("../../docs/img/terminal.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"Why does the nightly backup fail?", "allow once", "The backup works again:", asHome} {
		if !strings.Contains(string(drawn), said) {
			t.Errorf("docs/img/terminal.svg does not have %q: run make screens", said)
		}
	}
}

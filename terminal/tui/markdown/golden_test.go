package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/look"
)

var update = flag.Bool("update", false, "write what is drawn into the golden files")

// One text with everything in it, as it is drawn on screens of different sizes.
func TestShowcase(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "showcase.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		golden   string
		unicode  bool
		width    int
		coloured bool
	}{
		{"80", true, 80, false}, {"40", true, 40, false}, {"20", true, 20, false}, {"coloured", true, 60, true}, {"ascii", false, 60, false},
	} {
		theme := look.New(c.unicode)
		rows := New(theme).Rows(string(text), c.width)
		checkRows(t, rows, theme, c.width)
		drawn := strings.Join(rows, "\n") + "\n"
		if c.coloured {
			drawn = strings.ReplaceAll(drawn, "\x1b", "␛")
		} else {
			drawn = plain(drawn)
		}
		name := filepath.Join("testdata", "showcase-"+c.golden+".golden")
		if *update {
			if err := os.WriteFile(name, []byte(drawn), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(drawn, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

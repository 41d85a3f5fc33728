package export_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/internal/units"
	"rein/terminal/export"
)

var update = flag.Bool("update", false, "write what is exported into the golden files")

// heads are salted, so that what was erased cannot be guessed from them.
var heads = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// The whole of a session, in both forms. testdata/session.html opens in a browser.
func TestGolden(t *testing.T) {
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	r := newRig(t)
	r.tell()
	for _, form := range []export.Form{export.HTML, export.Markdown} {
		got := heads.ReplaceAllString(r.export(export.Options{Form: form, MaxImage: 1 << 20, Currency: units.NewCurrency("EUR", true)}), "HEAD")
		file := filepath.Join("testdata", "session."+string(form))
		if *update {
			check(t, os.MkdirAll("testdata", 0o755))
			check(t, os.WriteFile(file, []byte(got), 0o644))
		}
		want, err := os.ReadFile(file)
		check(t, err)
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-update writes it):\n%s", file, diff)
		}
	}
}

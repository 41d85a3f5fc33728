package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A table is cut, folded or taken apart, as there is room.
func TestGrid(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"RUN", "STATUS", "TITLE"},
		{"57t2x", "waiting (plan)", "Look at 日本語日本語 and then say `rein show r1` twice"},
		{"  57t2x.4", "done", "e\u0301e\u0301e\u0301\x1b[31m"},
	}
	for name, c := range map[string]struct {
		grid grid
		want string
	}{
		"whole": {grid{rows: rows}, `
RUN        STATUS          TITLE
57t2x      waiting (plan)  Look at 日本語日本語 and then say 'rein show r1' twice
  57t2x.4  done            éééESC[31m
`},
		"cut": {grid{rows: rows, room: 50}, `
RUN        STATUS          TITLE
57t2x      waiting (plan)  Look at 日本語日本語 a…
  57t2x.4  done            éééESC[31m
`},
		"folded": {grid{rows: rows, room: 56, fold: true}, `
RUN        STATUS          TITLE
57t2x      waiting (plan)  Look at 日本語日本語 and then
                           say 'rein show r1' twice
  57t2x.4  done            éééESC[31m
`},
		"narrow": {grid{rows: rows, room: 24}, `
RUN  STATUS  TITLE
57t2x  waiting (plan)
  Look at 日本語日本語
  and then say 'rein
  show r1…
  57t2x.4  done
  éééESC[31m
`},
	} {
		got := strings.Join(c.grid.lines(), "\n") + "\n"
		want := strings.NewReplacer("'", "`", "ESC", `\x1b`, "ééé", "e\u0301e\u0301e\u0301").Replace(strings.TrimPrefix(c.want, "\n"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// An event of a log stands beside its time, or below it where that leaves little room.
func TestEntry(t *testing.T) {
	t.Parallel()
	prefix := "2026-11-16 03:16:44  4.ask      "
	text := "ask: Allow read_file and a number of other things that are long\nmore of it"
	for room, want := range map[int]string{
		0:  prefix + text + "\n" + "",
		80: prefix + "ask: Allow read_file and a number of other\n" + strings.Repeat(" ", 32) + "things that are long\n" + strings.Repeat(" ", 32) + "more of it\n",
		40: "2026-11-16 03:16:44  4.ask\n  ask: Allow read_file and a number of\n  other things that are long\n  more of it\n",
	} {
		if room == 0 {
			want = strings.ReplaceAll(strings.TrimSuffix(want, "\n"), "\n", "\n"+strings.Repeat(" ", 32)) + "\n"
		}
		if diff := cmp.Diff(want, entry(prefix, text, room)); diff != "" {
			t.Errorf("%d: %s", room, diff)
		}
	}
}

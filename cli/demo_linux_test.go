//go:build linux

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/flow"
)

// There is a scene for every flow that people ask for.
func TestDemoHasEveryFlow(t *testing.T) {
	t.Parallel()
	var have []string
	for _, s := range scenes {
		have = append(have, s.flow)
	}
	slices.Sort(have)
	if want := flow.Kinds().Names(); !slices.Equal(have, want) {
		t.Errorf("the demo plays %q, and there is %q", have, want)
	}
}

// newViewer is a desk whose temporary folders are in its home folder.
func newViewer(t *testing.T) *desk {
	t.Helper()
	d := newBareDesk(t)
	if err := os.Mkdir(filepath.Join(d.home, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.env = append(d.env, "TMPDIR="+filepath.Join(d.home, "tmp"))
	return d
}

// A viewer answers what is asked, goes from flow to flow, and ends the demo when they have seen enough. What a run did can
// be seen from another terminal meanwhile.
func TestDemo(t *testing.T) {
	t.Parallel()
	d := newViewer(t)
	x := d.open("demo", "answer", "operate", "explore", "task")
	x.answers(
		exchange{"1 of 4: answer, ", ""},
		exchange{"[Howto/Holding the reins.md#Holding the reins]", ""},
		exchange{"--config ", ""},
		exchange{"Enter plays 2 of 4, operate; q ends the demo: ", "\n"},
		exchange{"Approve this call of edit_file?", ""},
		exchange{"\n> ", ""},
	)
	_, settings, _ := strings.Cut(x.text(), "--config ")
	settings, _, _ = strings.Cut(settings, "`")
	if out := d.rein("runs", "--config", settings); !strings.Contains(out, "How do I stop a run?") || !strings.Contains(out, "people may take their time") {
		t.Errorf("another terminal sees\n%s", out)
	}
	x.answers(
		exchange{"", "no\n"},
		exchange{"You said no, so the note is as it was.", ""},
		exchange{"Enter plays 3 of 4, explore; q ends the demo: ", "\n"},
		exchange{"what waiting costs in memory, or in money?", ""},
		exchange{"\n> ", "In memory.\n"},
		exchange{"waiting for people", ""},
		exchange{"Enter plays 4 of 4, task; q ends the demo: ", "\n"},
		exchange{"Shall I stage a note", ""},
		exchange{"\n> ", "no\n"},
		exchange{"All right, I do nothing.", ""},
		exchange{"rein init ", ""},
	)
	x.ends(exitOK)
	if left := d.left(); !slices.Equal(left, []string{"tmp"}) {
		t.Errorf("it left %q", left)
	}
}

// Ctrl-C ends the demo at a question and between two flows, q between two flows, and nothing is left.
func TestDemoLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flow, question, types string
		code                  int
	}{
		{"operate", "\n> ", "\x03", exitLeft},
		{"chat", "q ends the demo: ", "\x03", exitLeft},
		{"chat", "q ends the demo: ", "q\n", exitOK},
	} {
		d := newViewer(t)
		x := d.open("demo", c.flow, "strict")
		x.answers(exchange{"1 of 2: " + c.flow, ""}, exchange{"\n\n", ""}, exchange{c.question, c.types})
		x.ends(c.code)
		if left := d.left(); !slices.Equal(left, []string{"tmp"}) {
			t.Errorf("%q at %q left %q", c.types, c.question, left)
		}
	}
}

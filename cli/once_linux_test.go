package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rows is what a person sees on the terminal: a row that was written again shows its last text.
func (x *console) rows() string {
	var out []string
	for row := range strings.SplitSeq(painted.ReplaceAllString(x.text(), ""), "\n") {
		seen := ""
		for part := range strings.SplitSeq(row, "\r") {
			if erased, ok := strings.CutPrefix(part, "\x1b[K"); ok {
				seen, part = "", erased
			}
			if part != "" {
				seen = part
			}
		}
		out = append(out, seen)
	}
	return strings.Join(out, "\n")
}

var painted = regexp.MustCompile("\x1b\\[[0-9;]*m")

// once fails unless the screen shows the text exactly once.
func (x *console) once(text string) {
	x.t.Helper()
	if n := strings.Count(x.rows(), text); n != 1 {
		x.t.Errorf("%q is on the screen %d times:\n%s", text, n, x.rows())
	}
}

func (d *desk) file(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.home, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// An answer is on the screen once, however it ends and whatever it cites; and a citation that nothing
// supports never looks like one.
//
// Covers: HUM-62 HUM-10
func TestAnswerOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `
when phase=decide results=0
call read_file {"path":"horse.md"}

when phase=decide
say Enough.

when phase=final user~"newline"
drip 1ms
say <<END

A rein guides a horse [horse.md].


END

when phase=final
drip 1ms
say <<END
A rein guides a horse [horse.md]. It flies [ghost.md]. So much for that.
END
`)
	d.file("horse.md", "A rein guides a horse.\n")
	x := d.open("run", "--flow", "answer", "Say it with a newline.")
	x.ends(exitOK)
	x.once("A rein guides a horse [horse.md].")

	x = d.open("run", "--flow", "answer", "Say it.")
	x.ends(exitOK)
	x.once("A rein guides a horse [horse.md].")
	x.once("(ghost.md: not found in the sources)")
	x.once("So much for that.")
	if strings.Contains(x.text(), "[ghost") {
		t.Errorf("an invented citation looks like one:\n%s", x.text())
	}
}

// Where calls are written into the text, what leads to them is shown once too.
func TestRemarkOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `
when turn=1
drip 1ms
say <<END
First I look.

<tool_call name="read_file">
{"path":"horse.md"}
</tool_call>
END

when
say It guides.
`)
	d.file("horse.md", "A rein guides a horse.\n")
	d.file(".config/rein/rein.toml", "model = \"demo\"\n[operate]\nrendering = \"text\"\n[tools]\nroot = \"../..\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	x := d.open("run", "Look.")
	x.ends(exitOK)
	x.once("First I look.")
	x.once("It guides.")
	x.once("read_file horse.md")
}

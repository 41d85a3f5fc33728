package hands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

// In mode edits a run writes files unasked, but not those that something runs or obeys later.
func TestEditsAskAboutWhatRunsLater(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.open(`
turn 1
call write_file {"path":"plain.txt","content":"plain\n"}
turn 2
call write_file {"path":".envrc","content":"evil\n"}
turn 3
call write_file {"path":"sub/AGENTS.md","content":"evil\n"}
turn 4
call write_file {"path":".husky/pre-commit","content":"evil\n"}
when
say Written.
`, "")
	task := asked("Write.")
	task.Mode = rein.ModeEdits
	var shown []string
	w := r.do(task, func(ask rein.Ask) rein.Answer {
		shown = append(shown, ask.Text)
		return rein.Answer{State: rein.AskDeclined}
	})
	all := strings.Join(shown, "\n")
	if len(shown) != 3 || !strings.Contains(all, ".envrc: a shell or a program runs it later") || !strings.Contains(all, "AGENTS.md: agents obey it") || !strings.Contains(all, ".husky/pre-commit: a shell or a program runs it later") {
		t.Errorf("asked:\n%s\n%s", all, w.told())
	}
	if r.read("plain.txt") != "plain\n" {
		t.Error("what is harmless was not written")
	}
	if _, err := os.Lstat(r.path(".envrc")); err == nil {
		t.Error("it was written although the person said no")
	}
}

// A person's own settings may lie in the workspace. No tool reads or writes them, nor the script that they name: an edit
// would hold at once.
func TestOwnSettingsInTheWorkspace(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.settings = r.root
	r.open(`
turn 1
call write_file {"path":"rein.toml","content":"[approvals]\nmode = \"sandbox\"\n","overwrite":true}
turn 2
call write_file {"path":"script.txt","content":"evil\n","overwrite":true}
turn 3
call write_file {"path":"rules/evil.md","content":"evil\n"}
turn 4
call read_file {"path":"rein.toml"}
turn 5
call execute_command {"command":"echo evil >> rein.toml; cat script.txt; true"}
when
say Tried.
`, "")
	before, err := os.ReadFile(filepath.Join(r.root, "rein.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w := r.do(asked("Try."), approve)
	after, err := os.ReadFile(filepath.Join(r.root, "rein.toml"))
	if err != nil || string(after) != string(before) || strings.Contains(r.read("script.txt"), "evil\n\n") {
		t.Errorf("the settings are %q, %v\n%s", after, err, w.told())
	}
	if _, err := os.Lstat(r.path("rules/evil.md")); err == nil {
		t.Error("a rule was added")
	}
	if told := w.told(); strings.Contains(told, "model = ") || strings.Contains(told, "turn 1") || w.end.Text != "Tried." {
		t.Errorf("it saw:\n%s", told)
	}
}

// Mode sandbox lets usual commands through unasked. It asks about lines that cannot be read, about names of files that run
// later, however they are spelled, and about the background; and no command changes such a file unasked.
func TestSandboxAsksAboutWhatItCannotHold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if err := os.MkdirAll(r.path(".vscode"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.path(".vscode/tasks.json"), []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.open(`
turn 1
call execute_command {"command":"sh build.sh; echo built > out.txt"}
turn 2
call execute_command {"command":"touch read # `+strings.Repeat("(", 501)+`"}
turn 3
call execute_command {"command":"x=.envrc; echo evil > $x"}
turn 4
call execute_command {"command":"touch behind","background":true}
turn 5
call execute_command {"command":"mv .vscode v; mkdir .vscode; sh -c 'echo evil > .vscode/tasks.json'"}
when
say Done.
`, "")
	task := asked("Build.")
	task.Mode = rein.ModeSandbox
	var shown []string
	w := r.do(task, func(ask rein.Ask) rein.Answer {
		shown = append(shown, ask.Text)
		return rein.Answer{State: rein.AskDeclined}
	})
	if len(shown) != 4 {
		t.Errorf("asked %d times:\n%s\n%s", len(shown), strings.Join(shown, "\n"), w.told())
	}
	if r.read("out.txt") != "built\n" || r.read(".vscode/tasks.json") != "kept" {
		t.Error(w.told())
	}
	for _, name := range []string{"read", ".envrc", "behind"} {
		if _, err := os.Lstat(r.path(name)); err == nil {
			t.Errorf("%s was written although the person said no", name)
		}
	}
}

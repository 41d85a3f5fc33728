package hands

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

// Each setting of commands reaches a real command: with it the command does what the same command without it does not.
//
// Plain: it opens rein for each of many settings, and the scenes run the same code under the race detector.
//
// Covers: SD-90
func TestSettingsReachCommands(t *testing.T) {
	t.Parallel()
	outside, host := t.TempDir(), ""
	err := os.WriteFile(filepath.Join(outside, "text"), []byte("from outside\n"), 0o644)
	if err == nil {
		err = os.Chmod(outside, 0o777) // a command is another user where the test is root
	}
	if err == nil {
		host, err = os.Readlink("/proc/self/ns/net")
	}
	if err != nil {
		t.Fatal(err)
	}
	command := func(args string) string { return "execute_command " + args }
	for _, c := range []struct {
		name, setting, call string
		with, without       string // what the model reads of the call
		unasked, asks       bool   // with the setting nobody is asked; only with it somebody is
	}{
		{"allow", `rules = ["allow touch ..."]`, command(`{"command":"touch a && echo made"}`), "made", "Exit code 0", true, false},
		{"ask", `rules = ["ask wc ..."]`, command(`{"command":"wc -l seen"}`), "Exit code 0", "Exit code 0", false, true},
		{"deny", `rules = ["deny touch ..."]`, command(`{"command":"touch a"}`), "denies it", "Exit code 0", true, false},
		{"network", `network = true`, command(`{"command":"test $(readlink /proc/self/ns/net) = '` + host + `'"}`), "Exit code 0", "Exit code 1", false, false},
		{"read", `read = ["` + outside + `"]`, command(`{"command":"cat ` + outside + `/text"}`), "from outside", "No such file", false, false},
		{"write", `write = ["` + outside + `"]`, command(`{"command":"cp seen ` + outside + `/copy"}`), "Exit code 0", "Exit code 1", false, false},
		{"env", `env = ["COLOUR=green"]`, command(`{"command":"echo \"it is $COLOUR!\""}`), "it is green!", "it is !", false, false},
		{"timeout", `timeout = "1s"`, command(`{"command":"sleep 2"}`), "its timeout of 1s", "Exit code 0", false, false},
		{"max_timeout", "timeout = \"2s\"\nmax_timeout = \"3s\"", command(`{"command":"true","timeout":4}`), "at most 3 seconds", "Exit code 0", true, false},
		{"memory", `memory = 256`, command(`{"command":"head -c 400000000 /dev/zero | tail | wc -c"}`), "memory", "\n400000000\n", false, false},
		{"output", `output = 1`, command(`{"command":"yes | head -c 3000000"}`), "more output than a command may", "Exit code 0", false, false},
		{"written", `written = 1`, command(`{"command":"for i in 1 2 3 4 5 6 7 8 9; do dd if=/dev/zero of=big bs=1M count=4 conv=fsync 2>/dev/null; sleep 0.1; done"}`), "more to the disk than a command may", "Exit code 0", false, false},
		{"processes", `processes = 8`, command(`{"command":"for i in $(seq 40); do sleep 0.5 & done; wait; echo all"}`), "fork", "all", false, false},
		{"journal", `journal = true`, `monitor_log {"journal":"*"}`, "", "shell.journal", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, set := range []bool{true, false} {
				r := newRig(t)
				r.put(r.path("seen"), "x\n")
				settings, want := "", c.without
				if set {
					settings, want = "[shell]\n"+c.setting+"\n", c.with
				}
				r.open("turn 1\ncall "+c.call+"\nwhen\nsay Done.\n", settings)
				asks := 0
				w := r.do(asked("Go."), func(ask rein.Ask) rein.Answer {
					asks++
					return approve(ask)
				})
				if len(w.calls) == 0 {
					t.Fatal(w.told())
				}
				if text := w.calls[len(w.calls)-1].Text; !strings.Contains(text, want) || c.with == "" && set && strings.Contains(text, c.without) {
					t.Errorf("set: %v, want %q\n%.2000s", set, want, text)
				}
				if set && c.unasked && asks > 0 || c.asks && (asks > 0) != set {
					t.Errorf("set: %v, %d asks", set, asks)
				}
			}
		})
	}
}

// What is the longest for a command holds as long as the process does, because the deadline of the call does: a setting that
// is raised meanwhile has nobody approve a time after which the command would be cut, and its outcome unknown.
func TestLongestCommandIsFixed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.settings = t.TempDir()
	r.open("turn 1\ncall execute_command {\"command\":\"touch a\",\"timeout\":3600}\nturn 2\ncall execute_command {\"command\":\"touch b\"}\nwhen\nsay Done.\n", "[shell]\nmax_timeout = \"20m\"\n")
	config := filepath.Join(r.settings, "rein.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	r.put(config, strings.Replace(string(text), `max_timeout = "20m"`, "max_timeout = \"2h\"\ntimeout = \"1h\"", 1))
	w := r.do(asked("Go."), r.agreeing(wish{tool: "execute_command", shows: []string{"touch b", "It can take at most 20 minutes."}}))
	if len(w.calls) != 3 || !strings.Contains(w.calls[1].Text, "at most 1200 seconds") || w.calls[2].Status != rein.ToolOK {
		t.Error(w.told())
	}
}

// Whoever edits a file in the program reads in the result what a real gopls finds in it.
func TestEditsAreChecked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.tools = goplsFolder(t)
	r.put(r.path("go.mod"), "module example.com/a\n\ngo 1.21\n")
	write := func(turn int, text string) string {
		args, err := json.Marshal(map[string]any{"path": "a.go", "content": text, "overwrite": true})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("turn %d\ncall write_file %s\n", turn, args)
	}
	// A slow machine does not keep the first result waiting; the tool waits until the server has read everything.
	r.open(write(1, "package a\n")+"turn 2\ncall diagnostics {\"path\":\"a.go\"}\n"+write(3, "package a\n\nvar N int = \"text\"\n")+"when\nsay Done.\n", "")
	w := r.do(asked("Write."), approve)
	if len(w.calls) != 4 || !strings.Contains(w.calls[3].Text, "gopls finds") || !strings.Contains(w.calls[3].Text, "a.go:3:13: error: cannot use \"text\"") {
		t.Error(w.told())
	}
}

// goplsFolder is where gopls is, if not in PATH: make puts it there.
func goplsFolder(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("gopls"); err == nil {
		return filepath.Dir(path)
	}
	here, err := filepath.Abs("../tools/_bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(filepath.Join(here, "gopls")); err == nil {
		return here
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("gopls is not installed: run make gopls")
	}
	t.Skip("gopls is not installed: run make gopls")
	return ""
}

package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/engine/guard"
	"rein/tool/shell"
)

// jobs gives the rig commands in the background, as one process has them.
func (r *rig) jobs(dir string) *shell.Jobs {
	r.Helper()
	redactor, err := guard.NewRedactor(nil, map[string]string{"BADGE": "hunter2-hunter2"})
	if err != nil {
		r.Fatal(err)
	}
	jobs := shell.NewJobs(dir, func(rein.Place) shell.Filter { return redactor.Stream() })
	r.Cleanup(func() { _ = jobs.Close() })
	r.options.Jobs = jobs
	return jobs
}

func (r *rig) begin(command string) string {
	r.Helper()
	text, ran := r.run(map[string]any{"command": command, "background": true})
	r.has(text, "in the background with the handle "+ran.Handle)
	return ran.Handle
}

// call calls another tool of the package.
func (r *rig) call(tool string, args map[string]any) (string, error) {
	r.Helper()
	all, err := shell.New(r.options).Tools()
	if err != nil {
		r.Fatal(err)
	}
	for _, t := range all {
		if t.Name == tool {
			done, err := t.Do(r.Context(), r.invocation(args))
			return done.Text, err
		}
	}
	r.Fatalf("there is no tool %s", tool)
	return "", nil
}

func (r *rig) monitors(args map[string]any) string {
	r.Helper()
	text, err := r.call("monitor_log", args)
	if err != nil {
		r.Fatalf("%v: %v", args, err)
	}
	return text
}

// A command in the background is followed, listed and stopped by later runs of its session, and by nobody else. What it
// writes is kept without secrets, for the owner of the data alone.
//
// Covers: SD-93
func TestBackground(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	dir := filepath.Join(t.TempDir(), "commands")
	jobs := r.jobs(dir)
	shown := r.shown(map[string]any{"command": "sleep 1", "background": true})
	r.has(shown.Text, "runs in the background")
	handle := r.begin("echo the badge is hunter2-hunter2; printf 'bad \\xff byte\\n'; touch up; until [ -e go ]; do sleep 0.05; done; echo ready; (setsid sleep 600 &); sleep 600")
	text := r.monitors(map[string]any{"handle": handle, "action": "follow", "pattern": "byte"})
	r.has(text, "the badge is [redacted: BADGE]", "bad \uFFFD byte", "A line matched.", "has been running since")
	r.write("go", "")
	r.has(r.monitors(map[string]any{"handle": handle, "action": "follow", "pattern": "^ready$"}), "ready\n[A line matched.")
	r.has(r.monitors(map[string]any{}), handle, "    echo the badge")

	for _, name := range []string{handle + ".log", handle + ".json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	kept, err := os.ReadFile(filepath.Join(dir, handle+".log"))
	if err != nil || strings.Contains(string(kept), "hunter2") {
		t.Errorf("the file has the secret: %s %v", kept, err)
	}
	r.keptFromOthers(handle)
	for range 2 {
		text, err = r.call("stop_command", map[string]any{"handle": handle})
		if err != nil || !strings.Contains(text, "was stopped at") {
			t.Errorf("%s %v", text, err)
		}
	}
	if text := r.monitors(map[string]any{}); strings.Contains(text, "running") {
		t.Error(text)
	}
	r.has(r.monitors(map[string]any{"handle": handle, "action": "follow", "pattern": "never"}), "Nothing more comes.")
	r.keptFromOthers(handle)
	if err := jobs.Erase([]string{handle, "bg-gone"}); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// keptFromOthers tries a handle in other sessions, of other users and of other households.
func (r *rig) keptFromOthers(handle string) {
	r.Helper()
	own := r.task
	defer func() { r.task = own }()
	for _, other := range []rein.Task{{Household: "home", User: "ben", Session: "s1"}, {Household: "home", User: "ann", Session: "s2"}, {Household: "other", User: "ann", Session: "s1"}} {
		r.task = other
		for _, tool := range []string{"monitor_log", "stop_command"} {
			if _, err := r.call(tool, map[string]any{"handle": handle}); rein.CodeOf(err) != rein.CodeNotFound {
				r.Errorf("%s of %+v: %v", tool, other, err)
			}
		}
		if text := r.monitors(map[string]any{}); strings.Contains(text, handle) {
			r.Error(text)
		}
	}
}

// A command that ends by itself says how. One that ended with its process says that nobody knows.
func TestBackgroundEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	dir := t.TempDir()
	jobs := r.jobs(dir)
	handle := r.begin("echo done; exit 4")
	r.has(r.monitors(map[string]any{"handle": handle, "action": "follow"}), "done\n[Nothing more comes.", "exit code 4")
	lasting := r.begin("echo up; sleep 600")
	r.monitors(map[string]any{"handle": lasting, "action": "follow", "pattern": "up"})
	about, err := os.ReadFile(filepath.Join(dir, lasting+".json")) // as a killed process leaves it
	if err != nil {
		t.Fatal(err)
	}
	if err := jobs.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.do(t.Context(), line("x"), r.shown(map[string]any{"command": "ls", "background": true})); rein.CodeOf(err) != rein.CodeUnavailable {
		t.Errorf("it started after the end: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, lasting+".json"), about, 0o600); err != nil {
		t.Fatal(err)
	}
	r.jobs(dir) // the next process
	r.has(r.monitors(map[string]any{"handle": lasting}), "ended with rein; its exit code is not known", "up")
	r.has(r.monitors(map[string]any{"handle": handle}), "exit code 4", "done")
}

// Many commands, and much output, have bounds.
func TestBackgroundBounds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	dir := t.TempDir()
	jobs := shell.NewJobs(dir, nil)
	t.Cleanup(func() { _ = jobs.Close() })
	r.options.Jobs = jobs
	handle := r.begin("yes 0123456789abcdef | head -n 600000; echo last")
	text := r.monitors(map[string]any{"handle": handle, "action": "follow", "pattern": "^last$", "lines": 2, "seconds": 300})
	r.has(text, "0123456789abcdef\nlast")
	size := int64(0)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	if size > 9<<20 || size < 4<<20 {
		t.Errorf("%d bytes are kept", size)
	}
	for range 8 {
		r.begin("sleep 600")
	}
	args := map[string]any{"command": "sleep 600", "background": true}
	if _, err := r.do(t.Context(), args, r.shown(args)); rein.CodeOf(err) != rein.CodeLimit {
		t.Errorf("a ninth: %v", err)
	}
}

// The lines of files are shown, found, filtered, counted and waited for; what a run may not see is not.
//
// Covers: SD-93
func TestMonitorFile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var log strings.Builder
	for i := range 30 {
		log.WriteString("2026-11-16T10:00:" + string(rune('0'+i%6)) + "0 INFO request " + strings.Repeat("x", i%3) + " took 12ms\n")
	}
	log.WriteString("2026-11-16T10:01:00 ERROR disk full: /dev/sda1\nbefore\n2026-11-16T10:01:01 WARN slow\nthe end\xff")
	r.write("app.log", log.String())
	path := func(args map[string]any) string {
		args["path"] = "app.log"
		return r.monitors(args)
	}
	r.has(path(map[string]any{"lines": 2}), "app.log:\n\n2026-11-16T10:01:01 WARN slow\nthe end\uFFFD")
	if text := path(map[string]any{"action": "filter", "level": "warning", "except": "slow"}); !strings.Contains(text, "disk full") || strings.Contains(text, "slow") || strings.Contains(text, "INFO") {
		t.Error(text)
	}
	r.has(path(map[string]any{"action": "summarise"}), "34 lines", "30 info", "1 warning", "1 error", "2 without a level", "    10 × ")
	for _, args := range []map[string]any{
		{"path": "../x"},
		{"path": "/etc/passwd"},
		{"path": "none"},
		{"path": "."},
		{"path": "app.log", "pattern": "("},
		{"path": "app.log", "action": "search"},
		{"path": "app.log", "handle": "bg-1"},
		{"handle": "../../etc/passwd"},
		{"journal": "*"},
	} {
		if text, err := r.call("monitor_log", args); err == nil {
			t.Errorf("%v: %s", args, text)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(r.root, "link.log")); err != nil {
		t.Fatal(err)
	}
	if text, err := r.call("monitor_log", map[string]any{"path": "link.log"}); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("%s %v", text, err)
	}
}

// A file that grows, is cut and is replaced is followed.
func TestFollowFile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write("app.log", "old\n")
	heard := make(chan string, 10)
	r.say = func(text string) {
		if len(heard) < cap(heard) {
			heard <- text
		}
	}
	done := make(chan string, 1)
	go func() {
		text, err := r.call("monitor_log", map[string]any{"path": "app.log", "action": "follow", "pattern": "ready", "except": "noise", "seconds": 120, "offset": 4})
		if err != nil {
			text = err.Error()
		}
		done <- text
	}()
	appendTo := func(text string) {
		f, err := os.OpenFile(filepath.Join(r.root, "app.log"), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	appendTo("noise\nnew\n")
	if first := <-heard; first != "new\n" {
		t.Errorf("%q", first)
	}
	appendTo("is rea")
	appendTo("dy\nlater\n")
	text := <-done
	r.has(text, "new\n", "is ready\n[A line matched.")
	if strings.Contains(text, "old") || strings.Contains(text, "noise") || strings.Contains(text, "later") {
		t.Error(text)
	}
}

// The arguments of journalctl are fixed, and the setting decides.
func TestJournal(t *testing.T) {
	r := newRig(t)
	bin := t.TempDir()
	script := "#!/bin/sh\nfor a in \"$@\"; do echo \"2026-11-16 INFO $a\"; done\n"
	if err := os.WriteFile(filepath.Join(bin, "journalctl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r.options.Programs = []string{bin}
	r.settings.Journal = true
	r.has(r.monitors(map[string]any{"journal": "nginx.service"}), "INFO --no-pager", "INFO --unit=nginx.service")
	r.has(r.monitors(map[string]any{"journal": "*", "action": "follow", "pattern": "--since=@"}), "A line matched.")
	if text, err := r.call("monitor_log", map[string]any{"journal": "--file=/etc/shadow"}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("%s %v", text, err)
	}
	r.options.Trusts = nil
	if text, err := r.call("monitor_log", map[string]any{"journal": "*"}); rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("%s %v", text, err)
	}
}

package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein/internal/labs"
	"rein/sandbox"
)

// A verdict is what came of one attack.
type verdict struct {
	Attack  string
	Off     []sandbox.Mechanism
	Meant   bool // it was meant to succeed: a proof
	Escaped bool
	Says    string
}

// roles lets the test binary be an attack in a box, or rein as another user.
func roles() {
	if strings.HasSuffix(os.Args[0], "/setuid") {
		fmt.Println(os.Geteuid())
		os.Exit(0)
	}
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case "attack":
		os.Exit(runAttack(os.Args[2]))
	case "rein":
		os.Exit(runRein(os.Args[2]))
	case "parent":
		os.Exit(runParent(os.Args[2], os.Args[3:]))
	}
}

const (
	escaped = 77
	cells   = "REIN_BOX_TEST_CELLS" // the attacks to try; empty: all
)

func runAttack(name string) int {
	w := told()
	if name == "take a share" {
		if err := take(w, 60<<20, syscall.MAP_PRIVATE); err != nil {
			return 1
		}
		return 0
	}
	i := slices.IndexFunc(attacks, func(a attack) bool { return a.name == name })
	if err := attacks[i].do(w); err != nil {
		fmt.Println(err)
		return 1
	}
	return escaped
}

// runRein makes every attack, and prints a verdict for each.
func runRein(base string) int {
	w, err := newWorld(base)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer w.close()
	os.Setenv(secretVar, theSecret)
	os.Setenv("LD_PRELOAD", w.Outside+"/none.so")
	fd, err := syscall.Open(w.Outside, syscall.O_RDONLY, 0) // not closed when a program starts
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer syscall.Close(fd)
	r := sandbox.Detect(context.Background())
	out := json.NewEncoder(os.Stdout)
	for _, a := range attacks {
		if chosen := os.Getenv(cells); chosen != "" && !strings.Contains(chosen, "\n"+a.name+"\n") {
			continue
		}
		for _, v := range a.all(r, w) {
			if err := out.Encode(v); err != nil {
				return 1
			}
		}
	}
	return 0
}

// within lists what contains an attack here: with one of them off the others must, and without all of them nothing does.
func (a attack) within(r sandbox.Report, root bool) []sandbox.Mechanism {
	by := slices.Clone(a.by)
	if root {
		by = append(by, a.root...)
	}
	return slices.DeleteFunc(by, func(m sandbox.Mechanism) bool { return !r.Has(m) })
}

// all makes an attack with everything on, with one mechanism off at a time, and with all off that contain it.
func (a attack) all(r sandbox.Report, w *world) []verdict {
	by := a.within(r, os.Geteuid() == 0)
	out := []verdict{a.try(r, w, nil, false)}
	if len(by) > 1 {
		for _, m := range by {
			out = append(out, a.try(r, w, on(m), false))
		}
	}
	if len(by) > 0 && a.unproven == "" && (!a.rootOnly || os.Geteuid() == 0) {
		out = append(out, a.try(r, w, by, true))
	}
	return out
}

func (a attack) try(r sandbox.Report, w *world, off []sandbox.Mechanism, meant bool) verdict {
	v := verdict{Attack: a.name, Off: off, Meant: meant}
	if w.Patience = 30 * time.Second; meant {
		w.Patience = 0
	}
	told, err := json.Marshal(w)
	if err != nil {
		return v.failed(err)
	}
	a.limits.Time = 60 * time.Second
	var out bytes.Buffer
	p, err := sandbox.Start(context.Background(), r, sandbox.Policy{
		Workspace: w.Workspace, ReadOnly: []string{w.Shown, w.Program}, Hidden: []string{w.Workspace + "/.hidden"}, Limits: a.limits, Off: off,
	}, sandbox.Command{Argv: []string{w.Program, "attack", a.name}, Env: []string{variable + "=" + string(told)}, Stdout: &out, Stderr: &out})
	if err != nil {
		return v.failed(err)
	}
	result, err := p.Wait()
	if err != nil {
		return v.failed(err)
	}
	v.Says = strings.TrimSpace(out.String())
	if result.Ended != "" {
		v.Says = "ended for " + result.Ended
	}
	if result.Signal != 0 && v.Says == "" {
		v.Says = "killed by " + syscall.Signal(result.Signal).String()
	}
	v.Escaped = result.ExitCode == escaped
	if err := errors.Join(w.spoiled(), leftOver(mark(w))); err != nil {
		v.Escaped, v.Says = true, err.Error()
	}
	if err := w.repair(); err != nil {
		return v.failed(err)
	}
	return v
}

// failed is a verdict that no expectation meets.
func (v verdict) failed(err error) verdict {
	v.Escaped, v.Says = !v.Meant, "the test failed: "+err.Error()
	return v
}

// leftOver looks for processes with a mark in their arguments.
func leftOver(mark string) error {
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, _ := os.ReadFile(name)
		if args := strings.ReplaceAll(string(text), "\x00", " "); strings.HasPrefix(args, "sleep "+mark) {
			return fmt.Errorf("%s is still there: %s", name, args)
		}
	}
	return nil
}

// TestEscapes tries to get out of the box, as root and as a normal user. Each attack names what contains
// it. It is tried with everything on; with one of these switched off, which the others must make up for;
// and with all of them off, where it must succeed, or it would show nothing.
//
// Plain: it starts hundreds of boxes, and the race detector sees nothing of what happens in them; the
// other tests of the package run the same code under it.
//
// Attack: 76
func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, line := range notTested(sandbox.Detect(t.Context()), os.Geteuid() == 0) {
		t.Log("NOT TESTED HERE: " + line)
	}
	t.Run("as this user", func(t *testing.T) {
		t.Parallel()
		tryEscapes(t, -1)
	})
	if os.Geteuid() == 0 {
		t.Run("as nobody", func(t *testing.T) {
			t.Parallel()
			tryEscapes(t, 65534)
		})
	}
}

// notTested says what this machine cannot show.
func notTested(r sandbox.Report, root bool) (lines []string) {
	for _, s := range r.Mechanisms {
		if !s.Available {
			lines = append(lines, fmt.Sprintf("%s, because %s", s.Mechanism, s.Says))
		}
	}
	if !root {
		lines = append(lines, "root, because the tests do not run as root")
	}
	return lines
}

// What could not be tested is named, also where the tests do not run as root.
func TestNotTested(t *testing.T) {
	t.Parallel()
	r := sandbox.Report{Mechanisms: []sandbox.Status{{Mechanism: sandbox.Cgroup, Says: "no groups here"}, {Mechanism: sandbox.Net, Available: true, Says: "no network"}}}
	if got := strings.Join(notTested(r, true), "; "); got != "cgroup, because no groups here" {
		t.Error(got)
	}
	if got := strings.Join(notTested(r, false), "; "); got != "cgroup, because no groups here; root, because the tests do not run as root" {
		t.Error(got)
	}
}

// Of what contains an attack only what the machine has is switched off, so that the proof holds on every machine.
func TestWithin(t *testing.T) {
	t.Parallel()
	bomb := attacks[slices.IndexFunc(attacks, func(a attack) bool { return a.name == "fork bomb" })]
	rlimits, cgroup := sandbox.Status{Mechanism: sandbox.Rlimits, Available: true}, sandbox.Status{Mechanism: sandbox.Cgroup, Available: true}
	if got := bomb.within(sandbox.Report{Mechanisms: []sandbox.Status{rlimits, cgroup}}, false); !slices.Equal(got, on(sandbox.Rlimits, sandbox.Cgroup)) {
		t.Error(got)
	}
	if got := bomb.within(sandbox.Report{Mechanisms: []sandbox.Status{rlimits}}, true); !slices.Equal(got, on(sandbox.Rlimits)) {
		t.Error(got)
	}
}

// tryEscapes runs rein as a user in a world of its own, and looks at the verdicts.
func tryEscapes(t *testing.T, uid int) {
	cmd := reinAs(t, uid, "rein")
	if testing.Short() {
		chosen := "\n"
		for i, a := range attacks {
			if labs.Cell(i, 8) {
				chosen += a.name + "\n"
			}
		}
		cmd.Env = append(cmd.Environ(), cells+"="+chosen)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var held, proven int
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		switch {
		case v.Escaped && !v.Meant:
			t.Errorf("%s, without %v: ESCAPED: %s", v.Attack, v.Off, v.Says)
		case !v.Escaped && v.Meant:
			t.Errorf("%s, without %v, should succeed: %s", v.Attack, v.Off, v.Says)
		case v.Meant:
			proven++
		default:
			held++
			if v.Off == nil {
				t.Logf("%s: contained: %s", v.Attack, v.Says)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("rein: %v\n%s", err, errs.String())
	}
	t.Logf("%d attacks; %d boxes held; %d attacks succeed without what contains them", len(attacks), held, proven)
	for _, a := range attacks {
		if a.unproven != "" {
			t.Logf("not shown to succeed otherwise: %s: %s", a.name, a.unproven)
		}
	}
}

// reinAs prepares this test binary as a program of another user, in a folder that everybody can reach.
func reinAs(t *testing.T, uid int, role string, args ...string) *exec.Cmd {
	t.Helper()
	base, err := os.MkdirTemp(shmOr(os.TempDir()), "rein-box-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if err := errors.Join(copyFile("/proc/self/exe", base+"/program"), os.Mkdir(base+"/shown", 0o777)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		err = errors.Join(copyFile("/proc/self/exe", base+"/shown/setuid"), syscall.Chmod(base+"/shown/setuid", 0o4755))
	}
	if uid >= 0 {
		err = errors.Join(err, os.Chown(base, uid, uid), os.Chown(base+"/shown", uid, uid))
	}
	if err := errors.Join(err, os.Chmod(base, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(base+"/program", append([]string{role, base}, args...)...)
	cmd.Dir = base
	if uid >= 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
		cmd.Env = append(os.Environ(), "HOME=/")
	}
	return cmd
}

// shmOr keeps off /dev/shm, where the kernel may not know idmapped mounts and the leaks of attacks are looked for.
func shmOr(dir string) string {
	if strings.HasPrefix(dir, "/dev/shm") {
		return "/var/tmp"
	}
	return dir
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

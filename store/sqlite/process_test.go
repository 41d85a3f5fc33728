package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
)

// TestMain lets the test binary be the other process that some tests need.
func TestMain(m *testing.M) {
	switch os.Getenv("REIN_TEST_PROCESS") {
	case "own":
		own(os.Getenv("REIN_TEST_PATH"))
	case "write":
		writeForEver(os.Getenv("REIN_TEST_PATH"))
	default:
		os.Exit(m.Run())
	}
}

// own says what became of opening the file, and keeps it open until its input ends.
func own(path string) {
	s, err := Open(context.Background(), path, Options{})
	fmt.Println(rein.CodeOf(err), err)
	io.Copy(io.Discard, os.Stdin)
	if err == nil {
		s.Close()
	}
}

// writeForEver says which events are durable.
func writeForEver(path string) {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for w := range 8 {
		id := rein.RunID(fmt.Sprintf("w%d", w))
		go func() {
			for {
				info, _, err := s.Claim(context.Background(), id, never)
				if rein.CodeOf(err) == rein.CodeNotFound {
					drive(nil, s, id)
					continue
				}
				for err == nil {
					info.Seq++
					if err = noteAs(s, id, info.Epoch, strings.Repeat("x", 300)+fmt.Sprint(info.Seq)); err == nil {
						fmt.Printf("%s %d\n", id, info.Seq)
					}
				}
				fmt.Println(err)
				os.Exit(1)
			}
		}()
	}
	select {}
}

// process starts the test binary as another process.
func process(t *testing.T, what, path string) (*exec.Cmd, *bufio.Scanner, io.Closer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REIN_TEST_PROCESS="+what, "REIN_TEST_PATH="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	must(t, cmd.Start)
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out), in
}

// Covers: ENG-47
func TestLockedByAnotherProcess(t *testing.T) {
	path := newPath(t)
	cmd, out, _ := process(t, "own", path)
	if !out.Scan() {
		t.Fatal("the other process says nothing")
	}
	_, err := Open(t.Context(), path, Options{})
	wantCode(t, err, rein.CodeLocked, path, fmt.Sprint(cmd.Process.Pid))
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	must(t, cmd.Process.Kill)
	cmd.Wait()
	openTest(t, path, Options{}).Close() // a dead owner owns nothing
}

func TestLockedByThisProcess(t *testing.T) {
	path := newPath(t)
	openTest(t, path, Options{})
	_, err := Open(t.Context(), path, Options{})
	wantCode(t, err, rein.CodeLocked, fmt.Sprint(os.Getpid()))
}

// TestKilled kills a writer in the middle of it, again and again: what it was told is durable is
// there, and nothing is half there.
//
// Covers: LAW-1 LAW-10 ENG-46
func TestKilled(t *testing.T) {
	path := newDiskPath(t)
	for round := range 5 {
		cmd, out, _ := process(t, "write", path)
		durable := map[rein.RunID]int64{}
		for lines := 0; lines < 300*(round+1) && out.Scan(); lines++ {
			var id rein.RunID
			var seq int64
			if _, err := fmt.Sscan(out.Text(), &id, &seq); err != nil {
				t.Fatalf("the writer says %q", out.Text())
			}
			durable[id] = max(durable[id], seq)
		}
		must(t, func() error { return cmd.Process.Signal(syscall.SIGKILL) })
		cmd.Wait()
		s := openTest(t, path, Options{})
		for id, seq := range durable {
			if verdict := wantSound(t, s, id); verdict.Events < seq {
				t.Errorf("%s has %d events, but %d were durable", id, verdict.Events, seq)
			}
		}
		s.Close()
	}
}

// TestReadOnlyFolder opens a store as a user who may not write it.
//
// Covers: ENG-62
func TestReadOnlyFolder(t *testing.T) {
	base, err := os.MkdirTemp("", "rein-read-only-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	must(t, func() error { return os.Chmod(base, 0o755) })
	path := filepath.Join(base, "rein.db")
	openTest(t, path, Options{}).Close()
	for _, name := range []string{path, path + ".lock"} {
		must(t, func() error { return os.Chmod(name, 0o444) })
	}
	must(t, func() error { return os.Chmod(base, 0o555) })
	if os.Getuid() != 0 {
		_, err := Open(t.Context(), path, Options{})
		wantCode(t, err, rein.CodeReadOnly, path)
		return
	}
	// Root may write anything, so somebody else must try. He needs a copy of the program.
	program := filepath.Join(base, "program")
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	must(t, func() error { return os.WriteFile(program, data, 0o755) })
	for name, file := range map[string]string{"folder and file": path, "a new file": filepath.Join(base, "new.db"), "a new folder": filepath.Join(base, "new", "rein.db")} {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "REIN_TEST_PROCESS=own", "REIN_TEST_PATH="+file)
		cmd.Dir = base
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), string(rein.CodeReadOnly)+" ") || !strings.Contains(string(out), base) {
			t.Errorf("%s: another user gets %q, %v", name, out, err)
		}
	}
}

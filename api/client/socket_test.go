package client_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
)

// deep returns a folder whose path has at least so many bytes.
func deep(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	for len(dir) < bytes {
		dir = filepath.Join(dir, strings.Repeat("d", min(50, max(bytes-len(dir), 1))))
	}
	check(t, os.MkdirAll(dir, 0o700))
	return dir
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, what string, err error, code rein.Code, says ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("%s: error %v has code %q, want %q", what, err, rein.CodeOf(err), code)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: error does not say %q: %v", what, s, err)
		}
	}
}

// serve answers every request on the listener.
func serve(t *testing.T, l net.Listener, answer string) {
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answer))
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
}

// TestSocket listens and connects, whatever the length of the path.
func TestSocket(t *testing.T) {
	for _, length := range []int{0, 80, 88, 89, 95, 120, 200, 1000} {
		dir := deep(t, length)
		socket := filepath.Join(dir, "rein.sock")
		l, err := client.Listen(socket)
		check(t, err)
		info, err := os.Lstat(socket)
		check(t, err)
		if info.Mode() != os.ModeSocket|0o600 {
			t.Errorf("%d bytes: the socket's mode is %s", len(socket), info.Mode())
		}
		serve(t, l, `{"version":"one"}`)
		health, err := client.Unix(socket).Health(t.Context())
		if err != nil || health.Version != "one" {
			t.Errorf("%d bytes: %+v, %v", len(socket), health, err)
		}
		_, err = client.Listen(socket)
		wantCode(t, "listen again", err, rein.CodeLocked, "another process", socket)
		check(t, l.Close())
		l.Close() // again
		if names, _ := os.ReadDir(dir); len(names) > 0 {
			t.Errorf("%d bytes: closing leaves %v", len(socket), names)
		}
	}
}

// TestSocketMode holds even if the process makes everything open to all.
//
// Attack: 67
func TestSocketMode(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	socket := filepath.Join(t.TempDir(), "s")
	l, err := client.Listen(socket)
	check(t, err)
	defer l.Close()
	if info, err := os.Lstat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
}

// TestStaleSocket replaces what a killed process left, and nothing else.
func TestStaleSocket(t *testing.T) {
	for _, length := range []int{0, 200} {
		socket := filepath.Join(deep(t, length), "rein.sock")
		l, err := client.Listen(socket)
		check(t, err)
		// As after a kill: nobody listens, the file is still there.
		saved := socket + ".kept"
		check(t, os.Link(socket, saved))
		check(t, l.Close())
		check(t, os.Rename(saved, socket))
		_, err = client.Unix(socket).Health(t.Context())
		wantCode(t, "nobody listens", err, rein.CodeUnavailable, "nothing listens", socket)
		second, err := client.Listen(socket)
		check(t, err)
		serve(t, second, `{"version":"two"}`)
		if health, err := client.Unix(socket).Health(t.Context()); err != nil || health.Version != "two" {
			t.Errorf("after a stale socket: %+v, %v", health, err)
		}
	}
}

// TestCloseLeavesOthers removes only its own socket.
func TestCloseLeavesOthers(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	first, err := client.Listen(socket)
	check(t, err)
	check(t, os.Remove(socket))
	second, err := client.Listen(socket)
	check(t, err)
	defer second.Close()
	check(t, first.Close())
	if _, err := os.Lstat(socket); err != nil {
		t.Errorf("closing the first listener removed the second's socket: %v", err)
	}
}

func TestSocketErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	check(t, os.WriteFile(file, []byte("precious"), 0o600))
	_, err := client.Listen(file)
	wantCode(t, "listen on a file", err, rein.CodeConflict, "not a socket", file)
	if data, _ := os.ReadFile(file); string(data) != "precious" {
		t.Error("the file is gone")
	}
	link := filepath.Join(dir, "link")
	check(t, os.Symlink("file", link))
	_, err = client.Listen(link)
	wantCode(t, "listen on a link", err, rein.CodeConflict, "not a socket")
	_, err = client.Listen(filepath.Join(dir, "none", "s"))
	wantCode(t, "listen in no folder", err, rein.CodeUnavailable, "none")
	_, err = client.Listen(filepath.Join(deep(t, 200), strings.Repeat("n", 120)))
	wantCode(t, "a name that is too long", err, rein.CodeUnavailable, "too long")
	for _, missing := range []string{filepath.Join(dir, "s"), filepath.Join(dir, "none", "s"), filepath.Join(dir, strings.Repeat("n", 150), "s")} {
		_, err = client.Unix(missing).Run(t.Context(), "r")
		wantCode(t, "no socket", err, rein.CodeUnavailable, "nothing listens")
	}
	_, err = client.Unix(file).Run(t.Context(), "r")
	wantCode(t, "a file as the socket", err, rein.CodeUnavailable, "nothing listens")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Unix(file).Runs(ctx, api.RunQuery{}); err != context.Canceled {
		t.Errorf("an ended context gives %v", err)
	}
}

package client

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"rein"
)

// maxAddress is the longest path that every system takes as the address of a socket; 104 bytes with
// the ending zero is the least that is common.
const maxAddress = 100

// reach calls do with a path of the socket that is short enough to be an address: the path itself, or
// one through a handle of its folder.
func reach(socket string, do func(address string) error) error {
	if len(socket) <= maxAddress {
		return do(socket)
	}
	folder, err := os.Open(filepath.Dir(socket))
	if err != nil {
		return err
	}
	defer folder.Close()
	for _, handles := range []string{"/proc/self/fd", "/dev/fd"} {
		short := filepath.Join(handles, strconv.FormatUint(uint64(folder.Fd()), 10), filepath.Base(socket))
		if len(short) > maxAddress {
			return rein.Errorf(rein.CodeInvalid, "the name of the socket %s is too long: give it at most %d bytes", socket, maxAddress-len(short)+len(filepath.Base(socket)))
		}
		if _, err := os.Stat(filepath.Dir(short) + "/."); err == nil {
			return do(short)
		}
	}
	return rein.Errorf(rein.CodeInvalid, "the path of the socket %s has %d bytes, and this system allows %d: use a folder with a shorter path", socket, len(socket), maxAddress)
}

// dial connects to whoever listens on the socket.
func dial(ctx context.Context, socket string) (conn net.Conn, err error) {
	err = reach(socket, func(address string) (err error) {
		dialer := net.Dialer{Timeout: 10 * time.Second}
		conn, err = dialer.DialContext(ctx, "unix", address)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, rein.Errorf(rein.CodeUnavailable, "nothing listens on %s: the process that owned the data folder has ended", socket)
	case errors.Is(err, fs.ErrPermission):
		return nil, rein.Errorf(rein.CodeForbidden, "the socket %s belongs to someone else: only the user who started the process may use it", socket)
	}
	return conn, err
}

// Listen listens on a socket that only this user can connect to. A socket on which nobody answers is
// left over from a process that is gone, and is replaced; if someone answers it is CodeLocked, and if
// something else has the name CodeConflict. Closing the listener removes the socket.
func Listen(socket string) (net.Listener, error) {
	if err := clearStale(socket); err != nil {
		return nil, err
	}
	l := &listener{socket: socket}
	err := reach(socket, func(address string) (err error) {
		// On Linux a socket's own mode is the one that its file gets, so nobody can be quicker.
		config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
			return c.Control(func(fd uintptr) { _ = syscall.Fchmod(int(fd), 0o600) })
		}}
		l.Listener, err = config.Listen(context.Background(), "unix", address)
		return err
	})
	if err != nil {
		return nil, rein.Errorf(rein.CodeUnavailable, "listen on %s: %w", socket, err)
	}
	// The address may name a handle that is gone by now, so that Go would remove the wrong thing.
	l.Listener.(*net.UnixListener).SetUnlinkOnClose(false)
	err = os.Chmod(socket, 0o600)
	if err == nil {
		l.file, err = os.Lstat(socket)
	}
	if err != nil {
		return nil, errors.Join(rein.Errorf(rein.CodeUnavailable, "listen on %s: %w", socket, err), l.Listener.Close())
	}
	return l, nil
}

// clearStale removes a socket on which nobody answers.
func clearStale(socket string) error {
	info, err := os.Lstat(socket)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return rein.Errorf(rein.CodeUnavailable, "listen on %s: %w", socket, err)
	case info.Mode().Type() != fs.ModeSocket:
		return rein.Errorf(rein.CodeConflict, "%s is not a socket: move it", socket)
	}
	err = reach(socket, func(address string) error {
		conn, err := net.DialTimeout("unix", address, time.Second)
		if err == nil {
			conn.Close()
		}
		return err
	})
	if errors.Is(err, syscall.ECONNREFUSED) {
		err = os.Remove(socket)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return rein.Errorf(rein.CodeUnavailable, "remove the left-over socket %s: %w", socket, err)
	}
	return rein.Errorf(rein.CodeLocked, "another process listens on %s: stop it first", socket)
}

// listener removes its socket when it is closed, if it is still its own.
type listener struct {
	net.Listener
	socket string
	file   fs.FileInfo
	once   sync.Once
}

func (l *listener) Close() error {
	l.once.Do(func() {
		if now, err := os.Lstat(l.socket); err == nil && os.SameFile(now, l.file) {
			os.Remove(l.socket)
		}
	})
	return l.Listener.Close()
}

package cli

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

	"rein/app"
)

// readyFD is the first file that a process inherits beside the usual three.
const readyFD = "3"

// maxSaid is the longest line that a started process reports with.
const maxSaid = 16 << 10

// A spawned process is this program in the background.
type spawned struct {
	says  string // what it reported: ready, locked, or what is wrong; empty: it ended before it could
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has ended
}

// spawn starts this program in the background and waits until it reports. It has a session of its own, so that
// neither the end of the terminal nor a log-out reaches it. Keys reach it by its environment only.
func (c *call) spawn(ctx context.Context, p app.Place, logPath string, mostLog int64, words ...string) (*spawned, error) {
	cmd, err := c.itself(p, words)
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd.ExtraFiles = []*os.File{write}
	log := openLog(p, logPath, mostLog)
	if log != nil {
		defer log.Close()
		cmd.Stdout, cmd.Stderr = log, log
	}
	err = cmd.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	b := &spawned{cmd: cmd, ended: make(chan struct{})}
	go func() { // if it ends first, it is not to stay as a zombie
		_ = cmd.Wait()
		close(b.ended)
	}()
	stop := context.AfterFunc(ctx, func() { read.Close() })
	defer stop()
	line, _ := bufio.NewReader(io.LimitReader(read, maxSaid)).ReadString('\n')
	b.says = strings.TrimSuffix(line, "\n")
	return b, ctx.Err()
}

// itself is this program with another command, with the same variables and in the same folder.
func (c *call) itself(p app.Place, words []string) (*exec.Cmd, error) {
	self := "/proc/self/exe" // also after the file was replaced
	if _, err := os.Stat(self); err != nil {
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	args := append([]string{os.Args[0]}, words...)
	args = append(args, "--ready", readyFD)
	for _, place := range []struct{ flag, path string }{{"--data", p.Folder}, {"--config", c.configFile}, {"--secret-key", c.secretKey}} {
		if place.path == "" {
			continue
		}
		path, err := filepath.Abs(place.path)
		if err != nil {
			return nil, err
		}
		args = append(args, place.flag, path)
	}
	return &exec.Cmd{Path: self, Args: args, Env: c.env, SysProcAttr: &syscall.SysProcAttr{Setsid: true}}, nil
}

// openLog opens the log for the output of a process in the background; nil: it cannot be written, which is no
// reason not to start one. It begins again if it is longer than most.
func openLog(p app.Place, path string, most int64) *os.File {
	if err := os.MkdirAll(p.Folder, 0o700); err != nil {
		return nil
	}
	log, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil
	}
	if info, err := log.Stat(); err == nil && info.Size() > most {
		_ = log.Truncate(0)
	}
	return log
}

// readyFlag is the flag of commands that other processes start.
func readyFlag(to *int) flagDef {
	return number(to, "ready FD", "write a line to the open file FD when it can be reached, or why it cannot")
}

// report tells whoever started this process how that went, and returns whether they were there to hear it. Descriptor 0
// means that nobody asked.
func report(fd int, says string) bool {
	if fd == 0 {
		return true
	}
	file := os.NewFile(uintptr(fd), "ready")
	if file == nil {
		return true
	}
	defer file.Close()
	_, failed := fmt.Fprintln(file, strings.ReplaceAll(says, "\n", "; "))
	return failed == nil
}

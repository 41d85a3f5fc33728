package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// Wait waits until the command and everything that it started have ended.
func (p *Process) Wait() (Result, error) {
	<-p.done
	return p.result, p.err
}

// Signal sends a signal to the command and the processes of its group.
func (p *Process) Signal(sig os.Signal) error {
	n, ok := sig.(syscall.Signal)
	if !ok {
		return fmt.Errorf("sandbox: %v is not a signal of this system", sig)
	}
	select {
	case <-p.done:
		return os.ErrProcessDone
	default:
	}
	_, err := fmt.Fprintf(p.control, "%d\n", int(n))
	return err
}

// follow waits for the end of the box and takes down how it ended.
func (p *Process) follow(stop func() bool) {
	defer close(p.done)
	if p.limits.Time > 0 {
		timer := time.AfterFunc(p.limits.Time, func() { p.end(TimeLimit) })
		defer timer.Stop()
	}
	var last report
	read := p.lines.Decode(&last)
	err := p.cmd.Wait()
	stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.result = Result{
		ExitCode: last.Exit, Signal: last.Signal, Ended: last.Ended, Wall: time.Since(p.began),
		User: last.User, System: last.System, MaxRSS: last.MaxRSS, Within: p.use,
	}
	if p.ended != "" {
		p.result.Ended = p.ended
	}
	if read != nil && p.result.Signal == 0 { // the first process was killed, and all others with it
		p.result.Signal, p.result.ExitCode = int(syscall.SIGKILL), 128+int(syscall.SIGKILL)
	}
	if p.result.Ended == "" && p.result.Signal == int(syscall.SIGKILL) && p.group.outOfMemory() {
		p.result.Ended = Memory
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok && p.ended == "" {
		p.err = fmt.Errorf("sandbox: %w", err)
	}
	p.sweep()
	p.release()
}

// end ends the box for a reason. The first reason counts.
func (p *Process) end(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != "" {
		return
	}
	p.ended = why
	if p.group != nil {
		p.group.kill()
	}
	if slices.Contains(p.use, PID) {
		_ = p.cmd.Process.Kill() // the kernel ends every other process of the namespace
		return
	}
	_ = p.control.Close() // the first process finds the others and ends them
	time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
}

// flooded reports whether the box ended because of its output.
func (p *Process) flooded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended == Output
}

// sweep ends what is left where the first process could not.
func (p *Process) sweep() {
	if p.group != nil {
		p.group.kill()
	}
}

func (p *Process) release() {
	for _, f := range p.files {
		_ = f.Close()
	}
	if p.group != nil {
		p.group.remove()
	}
	if p.temp != "" {
		_ = os.RemoveAll(p.temp)
	}
}

// counted bounds what is written to w and to the other stream together.
func (p *Process) counted(w io.Writer) io.Writer {
	switch w.(type) {
	case nil:
		return nil
	case *os.File:
		return w
	}
	return &counter{w, p}
}

type counter struct {
	w io.Writer
	p *Process
}

var errOutput = errors.New("the command wrote more than its limit")

func (c *counter) Write(b []byte) (int, error) {
	limit := c.p.limits.Output
	if n := atomic.AddInt64(&c.p.written, int64(len(b))); limit < 0 || n <= limit {
		return c.w.Write(b)
	} else if keep := int64(len(b)) - (n - limit); keep > 0 {
		_, _ = c.w.Write(b[:keep])
	}
	c.p.end(Output)
	return 0, errOutput
}

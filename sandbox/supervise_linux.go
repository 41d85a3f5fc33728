package sandbox

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// multi reads what is left of the spec's reader, then the pipe.
func multi(readers ...io.Reader) io.Reader { return io.MultiReader(readers...) }

// An exit is how the command's own process ended.
type exit struct {
	status syscall.WaitStatus
	usage  syscall.Rusage
}

// supervise waits for the command, for a limit or for rein, whichever ends first, and ends everything.
func (in *inner) supervise() int {
	gone := make(chan struct{})
	go in.listen(gone)
	go in.reap()
	if in.uses(Watch) {
		go in.watch()
	}
	var last report
	select {
	case <-gone: // nobody is left to report to
		in.endAll()
		if in.OwnTemp {
			_ = os.RemoveAll(in.Temp)
		}
		return 125
	case why := <-in.why:
		last.Ended, last.Signal = why, int(syscall.SIGKILL)
		last.Exit = 128 + last.Signal
	case e := <-in.exits:
		last = e.report()
	}
	in.endAll()
	_ = in.reports.Encode(last)
	return 0
}

func (e exit) report() report {
	r := report{Exit: e.status.ExitStatus(), MaxRSS: e.usage.Maxrss << 10}
	if e.status.Signaled() {
		r.Signal = int(e.status.Signal())
		r.Exit = 128 + r.Signal
	}
	r.User, r.System = time.Duration(e.usage.Utime.Nano()), time.Duration(e.usage.Stime.Nano())
	return r
}

// listen passes signals on to the command. The pipe closes when rein lets go or dies, however it dies.
func (in *inner) listen(gone chan<- struct{}) {
	for {
		line, err := in.control.ReadString('\n')
		if err != nil {
			close(gone)
			return
		}
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && n > 0 {
			_ = syscall.Kill(-in.main, syscall.Signal(n))
		}
	}
}

// reap takes every process that ends: those of the command, and those that lost their parents.
func (in *inner) reap() {
	for {
		var e exit
		pid, err := syscall.Wait4(-1, &e.status, 0, &e.usage)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return
		case pid == in.main:
			in.exits <- e
			if in.uses(PID) {
				return // the rest ends with this process
			}
		}
	}
}

// endAll ends every process of the box. With a namespace the kernel does it when this process exits.
// Without one they are found as the descendants of this process; they are stopped before they are killed,
// so that none has a child in between, until there are no more.
func (in *inner) endAll() {
	if in.uses(PID) {
		_ = syscall.Kill(-1, syscall.SIGKILL)
		return
	}
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		all := descendants(os.Getpid())
		if len(all) == 0 {
			return
		}
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		}
		for _, pid := range descendants(os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}

// descendants lists the living processes below one.
func descendants(root int) []int {
	children := map[int][]int{}
	for _, pid := range processes() {
		if parent, state := parentOf(pid); state != "Z" {
			children[parent] = append(children[parent], pid)
		}
	}
	var out []int
	for next := children[root]; len(next) > 0; next = next[1:] {
		out = append(out, next[0])
		next = append(next, children[next[0]]...)
	}
	return out
}

func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// parentOf reads the parent and the state of a process. Its name can have any characters.
func parentOf(pid int) (parent int, state string) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0, "Z"
	}
	parent, _ = strconv.Atoi(fields[1])
	return parent, fields[0]
}

// box lists the processes of the box, without this one.
func (in *inner) box() []int {
	if !in.uses(PID) {
		return descendants(os.Getpid())
	}
	all := processes()
	for i, pid := range all {
		if pid == 1 {
			return append(all[:i], all[i+1:]...)
		}
	}
	return all
}

// watch samples what all processes use together, and ends the box when it is too much. It sees a limit
// passed a moment late; the limits of each process bound what happens in that moment.
func (in *inner) watch() {
	for range time.Tick(50 * time.Millisecond) {
		if why := in.passed(); why != "" {
			in.why <- why
			return
		}
	}
}

func (in *inner) passed() string {
	var memory, written int64
	box := in.box()
	for _, pid := range box {
		memory += resident(pid)
		written += writtenBy(strconv.Itoa(pid))
	}
	written += writtenBy("self") // of the processes that have ended
	l := in.Limits
	switch {
	case l.Memory > 0 && memory > l.Memory && shared(box) > l.Memory:
		return Memory
	case l.Written > 0 && written > l.Written:
		return Written
	}
	var disk unix.Statfs_t
	if folder := in.written(); folder != "" && l.KeepFree > 0 && unix.Statfs(folder, &disk) == nil && isFull(disk, l.KeepFree) {
		return DiskFull
	}
	return ""
}

// isFull reports whether a disk has less room than is to be kept free. Empty files take room too: one in 50 must be left. File
// systems that do not count files say that there are none, or none left.
func isFull(disk unix.Statfs_t, keep int64) bool {
	return int64(disk.Bavail)*disk.Bsize < keep || disk.Ffree > 0 && disk.Ffree < disk.Files/50
}

// written is a folder on the machine's disk that the command can write, the workspace if it can; "" if there is none.
func (in *inner) written() string {
	for _, g := range in.Grants {
		if g.Write && !g.IsTemp {
			return g.Path
		}
	}
	return ""
}

// resident returns the memory of a process, with what it shares with others.
func resident(pid int) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// shared returns the memory of all processes together, counting once what they share. A process that does
// not let itself be read counts in full.
func shared(box []int) int64 {
	var sum int64
	for _, pid := range box {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if kb, ok := number(string(text), "\nPss:"); err == nil && ok {
			sum += kb << 10
		} else {
			sum += resident(pid)
		}
	}
	return sum
}

// writtenBy returns what a process, and the children it waited for, wrote to disks.
func writtenBy(pid string) int64 {
	text, _ := os.ReadFile("/proc/" + pid + "/io")
	n, _ := number("\n"+string(text), "\nwrite_bytes:")
	return n
}

// number finds a label at the start of a line and reads the number behind it.
func number(text, label string) (int64, bool) {
	_, rest, ok := strings.Cut(text, label)
	if !ok {
		return 0, false
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	return n, err == nil
}

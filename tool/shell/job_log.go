package shell

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// A jobLog keeps the end of what a command writes, in two files: when one is full it takes the place of the older.
type jobLog struct {
	path   string
	filter func() Filter

	mu     sync.Mutex
	file   *os.File
	size   int64  // of the file
	base   int64  // how many bytes came before it
	clean  Filter // nil: nothing is taken out
	passed int    // through this filter
}

// maxJobLog is how much one of the two files has. maxFiltered is how much goes through one filter, which keeps all of it
// in memory.
const (
	maxJobLog   = 4 << 20
	maxFiltered = 1 << 20
)

func newJobLog(path string, filter func() Filter) (*jobLog, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	l := &jobLog{path: path, filter: filter, file: f}
	if filter != nil {
		l.clean = filter()
	}
	return l, nil
}

// Write never fails: a command does not end because its output cannot be kept.
func (l *jobLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := string(b)
	if l.clean != nil {
		text = l.clean.Write(text)
	}
	l.keep(text)
	l.passed += len(b)
	// Between two lines, with nothing held back, no secret has begun.
	if between := text == string(b) && strings.HasSuffix(text, "\n"); l.clean != nil && (between && l.passed > maxFiltered || l.passed > 8*maxFiltered) {
		l.keep(l.clean.Close())
		l.clean, l.passed = l.filter(), 0
	}
	return len(b), nil
}

func (l *jobLog) keep(text string) {
	for len(text) > 0 && l.file != nil {
		if l.size >= maxJobLog && !l.turn() {
			return
		}
		n := min(int64(len(text)), maxJobLog-l.size)
		written, err := l.file.WriteString(text[:n])
		l.size += int64(written)
		if err != nil {
			return
		}
		text = text[n:]
	}
}

// turn begins a new file.
func (l *jobLog) turn() bool {
	_ = l.file.Close()
	_ = os.Rename(l.path, l.path+".1")
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		l.file = nil
		return false
	}
	l.file, l.base, l.size = f, l.base+l.size, 0
	return true
}

func (l *jobLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clean != nil {
		l.keep(l.clean.Close())
		l.clean = nil
	}
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// total is how much was written to the log.
func (l *jobLog) total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.base + l.size
}

// readJobLog returns what is kept of a command's output from a place in the whole of it on, and where that ends. total is
// how much was written, if that is known.
func readJobLog(path string, running *jobLog, total, from int64) (text []byte, end int64, err error) {
	if running != nil {
		running.mu.Lock()
		defer running.mu.Unlock()
		total = running.base + running.size
	}
	var kept []*os.File
	var sizes []int64
	all := int64(0)
	for _, name := range []string{path + ".1", path} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, from, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, from, err
		}
		kept, sizes, all = append(kept, f), append(sizes, info.Size()), all+info.Size()
	}
	at := max(total-all, 0) // where the oldest of them begins
	for i, f := range kept {
		if skip := max(from-at, 0); skip < sizes[i] {
			part := make([]byte, sizes[i]-skip)
			n, err := f.ReadAt(part, skip)
			if err != nil && err != io.EOF {
				return nil, from, err
			}
			text = append(text, part[:n]...)
		}
		at += sizes[i]
	}
	return text, at, nil
}

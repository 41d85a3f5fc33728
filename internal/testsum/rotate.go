package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rein/internal/labs"
)

// rotate chooses where sampled sweeps start and tells the tests and the reader. Someone who repeats a
// run has set the offset already.
func rotate(w io.Writer, file string) error {
	offset := os.Getenv(labs.Offset)
	if offset == "" {
		offset = strconv.Itoa(next(file))
	}
	if n, err := strconv.Atoi(offset); err != nil || n < 0 {
		return fmt.Errorf("%s=%q: want a number such as 3", labs.Offset, offset)
	}
	fmt.Fprintf(w, "sweeps are sampled from offset %s (to repeat: make check %s=%s)\n", offset, labs.Offset, offset)
	return os.Setenv(labs.Offset, offset)
}

// next counts the runs in a file, so that consecutive runs have consecutive offsets. Without such a
// file it begins at a number that differs from run to run.
func next(file string) int {
	text, err := os.ReadFile(file)
	n, numErr := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || numErr != nil || n < 0 {
		n = int(time.Now().Unix() % 1000)
	}
	n++
	if os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = os.WriteFile(file, []byte(strconv.Itoa(n)+"\n"), 0o600) // the offset is then as good as random
	}
	return n
}

// counter is the file that next uses. It is shared by all clones of the repository.
func counter() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "rein-check", "offset")
}

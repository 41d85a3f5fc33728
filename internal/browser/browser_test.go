// Package browser tests the page in a real browser, against the real server.
package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"rein/internal/labs"
	"rein/internal/node"
)

const page = "../../web"

// TestInBrowser runs web/e2e, two files at a time: for each, Node.js drives a Chromium of its own, which uses the
// page of a rein serve that was built once for all.
//
// Alone: a browser has deadlines; what races is tested where it is.
func TestInBrowser(t *testing.T) {
	labs.Only(t)
	chromium := find(t, "chromium", "chromium-browser", "google-chrome")
	if _, err := os.Stat(filepath.Join(page, "node_modules", "playwright-core")); err != nil {
		t.Skip("web/node_modules is missing: run make web-node")
	}
	program, err := node.Path()
	if err != nil {
		t.Skip(err)
	}
	binary := filepath.Join(t.TempDir(), "rein")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/rein").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(page, "e2e", "*.test.mjs"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in web/e2e: %v", err)
	}
	places := make(chan struct{}, together)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			places <- struct{}{}
			defer func() { <-places }()
			runFile(t, program, file, binary, chromium)
		})
	}
}

// together is how many files run at the same time: a browser and a server often wait for each other, so one
// file leaves half a small machine idle, and three make each other late.
const together = 2

var passed = regexp.MustCompile(`(?m)^# pass [1-9]`)

func runFile(t *testing.T, program, file, binary, chromium string) {
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--test", "--test-reporter=tap", "--test-timeout=180000", file)
	cmd.Env = append(os.Environ(), "REIN="+binary, "CHROMIUM="+chromium)
	out, err := cmd.CombinedOutput()
	if err != nil || !passed.Match(out) || bytes.Contains(out, []byte("# SKIP")) {
		t.Fatalf("%v\n%s", err, out)
	}
}

func find(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no browser: none of %v is installed (Debian: apt-get install chromium)", names)
	return ""
}

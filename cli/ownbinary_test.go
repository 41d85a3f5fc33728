package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program of somebody's own, in a module of its own, has all commands, with its flow, model and tool.
func TestOwnBinary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := filepath.Join(dir, "ownbinary")
	build := exec.Command("go", "build", "-race=false", "-o", own, ".")
	build.Dir = "../examples/ownbinary"
	build.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v (if go.mod is old, run go build -mod=mod there)\n%s", err, out)
	}
	call := func(args ...string) string {
		cmd := exec.Command(own, args...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, anyRoot}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if got := call("run", "--flow", "twice", "--model", "parrot", "Ahoy"); got != "Ahoy Ahoy\n" {
		t.Errorf("the run says %q", got)
	}
	if got := call("models"); !strings.Contains(got, "parrot ") {
		t.Errorf("the models are %q", got)
	}
	if got := call("run", "--flow", "operate", "--tools", "count_words", "Ahoy"); got == "" {
		t.Error("nothing is said with the tool offered")
	}
}

// What docs/embed.md shows first is code that is compiled; for the rest see the tests in docs.
func TestEmbedPage(t *testing.T) {
	t.Parallel()
	page := readText(t, "../docs/embed.md")
	_, rest, _ := strings.Cut(page, "```go\n")
	code, _, _ := strings.Cut(rest, "```")
	example := readText(t, "../app/example_test.go")
	for line := range strings.SplitSeq(strings.TrimSpace(code), "\n") {
		if !strings.Contains(example, line) {
			t.Errorf("docs/embed.md has a line that app/example_test.go has not: %s", line)
		}
	}
}

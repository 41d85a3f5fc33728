package headroom_test

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"rein/internal/headroom"
)

const asked = "HEADROOM_ASKED"

// TestMain is also the process whose heap is looked at.
func TestMain(m *testing.M) {
	if os.Getenv(asked) == "" {
		os.Exit(m.Run())
	}
	headroom.Take()
	headroom.Take()
	runtime.GC()
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(goal)
	if goal[0].Value.Uint64() > 64<<20 {
		os.Stdout.WriteString("large")
	}
	if resident() > 30<<10 {
		os.Stdout.WriteString(" and taken")
	}
	os.Exit(0)
}

// resident is the memory of this process, in kB.
func resident() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kB := 0
	for _, c := range strings.TrimSpace(rest) {
		if c < '0' || c > '9' {
			break
		}
		kB = kB*10 + int(c-'0')
	}
	return kB
}

// Plain: the race detector keeps books on memory that nobody touches.
func TestTake(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"", "large"}, {"GOGC=100", ""}, {"GOMEMLIMIT=1GiB", ""},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asked+"=1", "GOGC=", "GOMEMLIMIT=")
		if c.env != "" {
			cmd.Env = append(cmd.Env, c.env)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("with %q the heap's goal is %q, want %q (%v)", c.env, out, c.want, err)
		}
	}
}

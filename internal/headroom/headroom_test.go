package headroom_test

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

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
	if goal() > 40<<20 {
		os.Stdout.WriteString("large at first, ")
	}
	for range 3 { // after each collection it is set again
		runtime.GC()
		for deadline := time.Now().Add(10 * time.Second); os.Getenv(asked) == "set" && goal() < 40<<20 && time.Now().Before(deadline); {
			runtime.Gosched()
		}
	}
	if goal() > 40<<20 && goal() < 60<<20 {
		os.Stdout.WriteString("large")
	}
	os.Exit(0)
}

// goal is how large the heap is when it is collected.
func goal() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func TestTake(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{asked + "=set", "large at first, large"}, {"GOGC=100", ""}, {"GOMEMLIMIT=1GiB", ""},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asked+"=left", "GOGC=", "GOMEMLIMIT=", c.env)
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("with %q the heap's goal is %q, want %q (%v)", c.env, out, c.want, err)
		}
	}
}

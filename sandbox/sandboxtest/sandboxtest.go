// Package sandboxtest has what every package needs whose tests run commands in the real sandbox.
package sandboxtest

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"

	"rein/sandbox"
)

// Main is the whole TestMain: the program of the tests is also the first process of a box.
func Main(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// Report says what this machine has. It is looked up once.
var Report = sync.OnceValue(func() sandbox.Report { return sandbox.Detect(context.Background()) })

// Need skips a test, and says why, if this machine lacks something that every box needs.
func Need(t testing.TB) {
	t.Helper()
	for _, s := range Report().Mechanisms {
		if !s.Available && slices.Contains(sandbox.Standard, s.Mechanism) {
			t.Skipf("the sandbox lacks %s: %s", s.Mechanism, s.Says)
		}
	}
}

//go:build linux

package sandbox_test

import (
	"os"
	"testing"

	"rein/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

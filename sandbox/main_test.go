//go:build linux

package sandbox_test

import (
	"os"
	"testing"

	"rein/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	roles()
	os.Exit(m.Run())
}

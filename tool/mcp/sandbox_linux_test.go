package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein/sandbox"
	"rein/tool/mcp"
)

// A program in the box works as any, and sees what its settings name and nothing else.
func TestAServerInTheSandbox(t *testing.T) {
	t.Parallel()
	report := sandbox.Detect(t.Context())
	for _, m := range sandbox.Standard {
		if !report.Has(m) {
			t.Skipf("this machine has no sandbox: %s is missing", m)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	boxed := func(s *mcp.Server) {
		s.Sandbox, s.Read, s.Write = true, []string{filepath.Dir(self)}, []string{strings.TrimPrefix(s.Env[0], "MCPTEST_FOLDER=")}
	}
	r := newRig(t, boxed, func(o *mcp.Options) { o.Report = func() sandbox.Report { return report } }).learn()
	if done, err := r.call("test.write_down", `{"text":"from the box"}`); err != nil || done.Text != "written" || r.noted("written") != 1 {
		t.Errorf("%q %v", done.Text, err)
	}
	blind := newRig(t, func(s *mcp.Server) { boxed(s); s.Write = nil }, func(o *mcp.Options) { o.Report = func() sandbox.Report { return report } })
	if missing := strings.Join(blind.hub.Learn(t.Context(), mcp.Scope{Household: "home"}), ""); !strings.Contains(missing, "no such file") {
		t.Errorf("it wrote where it may not: %q", missing)
	}
}

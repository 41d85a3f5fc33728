package cli

import (
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// What Go recorded about the commit is shown, and its absence too.
func TestCommitLine(t *testing.T) {
	t.Parallel()
	settings := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{}
		for _, p := range pairs {
			key, value, _ := strings.Cut(p, "=")
			info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
		}
		return info
	}
	at := time.Date(2026, 11, 19, 20, 56, 8, 0, time.UTC).Local().Format("2006-01-02 15:04:05")
	for want, info := range map[string]*debug.BuildInfo{
		"commit unknown: it was built without its repository": nil,
		"commit abc":          settings("vcs.revision=abc", "vcs.time=long ago", "vcs.modified=false"),
		"commit abc of " + at: settings("vcs.revision=abc", "vcs.time=2026-11-19T20:56:08Z"),
		"commit abc of " + at + ", with changes that are not committed": settings("vcs.revision=abc", "vcs.time=2026-11-19T20:56:08Z", "vcs.modified=true"),
	} {
		if got := commitLine(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package cli

import (
	"context"
	"runtime"
	"runtime/debug"
)

// version is the one of the module, or "(devel)".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func runVersion(_ context.Context, c *call) error {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " " + s.Value
			}
		}
	}
	c.print("rein %s%s %s %s/%s\n", version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

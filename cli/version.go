package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"rein/app"
)

func versionCommand() command {
	return command{name: "version", does: "print the version", run: runVersion}
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
	c.print("rein %s%s %s %s/%s\n", app.Version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

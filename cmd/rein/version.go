package main

import (
	"context"
	"runtime"
	"runtime/debug"
)

func runVersion(_ context.Context, c *call) error {
	version, commit := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = " " + s.Value
			}
		}
	}
	if version == "" {
		version = "(devel)"
	}
	c.print("rein %s%s %s %s/%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

package cli

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"rein/app"
	"rein/internal/units"
)

func versionCommand() command {
	return command{
		name: "version", does: "print the version", run: runVersion,
		more: `Prints the version, the version of Go and the system, then the commit that it was built from, and its date. A program that was built without a repository has no commit.`,
	}
}

func runVersion(_ context.Context, c *call) error {
	info, _ := debug.ReadBuildInfo()
	c.print("rein %s %s %s/%s\n", app.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	c.print("%s\n", commitLine(info))
	return nil
}

// commitLine says which commit a program was built from, as Go recorded it.
func commitLine(info *debug.BuildInfo) string {
	recorded := map[string]string{}
	if info != nil {
		for _, s := range info.Settings {
			recorded[s.Key] = s.Value
		}
	}
	commit := recorded["vcs.revision"]
	if commit == "" {
		return "commit unknown: it was built without its repository"
	}
	line := "commit " + commit
	if at, err := time.Parse(time.RFC3339, recorded["vcs.time"]); err == nil {
		line += " of " + units.When(at)
	}
	if recorded["vcs.modified"] == "true" {
		line += ", with changes that are not committed"
	}
	return line
}

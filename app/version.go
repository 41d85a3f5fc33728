package app

import (
	"cmp"
	"runtime/debug"
)

const (
	module = "rein"    // the path of this module
	devel  = "(devel)" // the version of what was built without one
)

// Version is that of rein, as the Go toolchain recorded it. In a program that has rein inside, the name and
// version of that program follow: "v1.2.0 in example.com/own v0.3.0".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	program := cmp.Or(info.Main.Version, devel)
	for _, dep := range info.Deps {
		if dep.Path != module {
			continue
		}
		version := dep.Version
		if dep.Replace != nil { // by a folder, which has none, or by a fork
			version = dep.Replace.Version
		}
		return cmp.Or(version, devel) + " in " + info.Main.Path + " " + program
	}
	return program
}

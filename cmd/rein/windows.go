//go:build windows

// Command rein does not run on Windows itself. This program says so, instead of failing in the middle of the build.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "rein: rein does not run on Windows itself, because it relies on file locks, process groups and sockets of Unix: use the Linux binary in WSL 2")
	os.Exit(1)
}

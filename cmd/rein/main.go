//go:build !windows

// Command rein is the binary. Everything is in package cli, so that your own binary can have the
// same commands and your own parts.
package main

import (
	"rein/app"
	"rein/cli"
)

func main() { cli.Main(app.Options{}) }

// Command rein is the one binary. It is all in package cli, so that a program of your own can have the
// same commands and its own parts.
package main

import (
	"rein/app"
	"rein/cli"
)

func main() { cli.Main(app.Options{}) }

// Command cmd prints the path of the Node.js that this repository uses (see package node).
package main

import (
	"fmt"
	"os"

	"rein/internal/node"
)

func main() {
	path, err := node.Path()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}

//go:build !unix

package shell

import "io/fs"

// nodeOf names a folder apart from its path. This system has no such names.
func nodeOf(fs.FileInfo) string { return "" }

func isOfSame(fs.FileInfo, fs.FileInfo) bool { return true }

//go:build !linux

package main

// room is 0: only Linux has a folder in memory that everyone can use.
func room(string) uint64 { return 0 }

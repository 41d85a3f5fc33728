// Package hands is a lab: whole tasks with the tools that act, in the program as it ships. A scripted model searches,
// reads, edits, runs commands in the sandbox and commits; a scripted person reads what is asked and answers. It contains
// only tests.
package hands

// Package hands is a lab: whole tasks with the tools that act, in the program as it ships. A scripted model searches,
// reads, edits, runs commands in the sandbox and commits; a scripted person reads what is asked and answers. It contains
// only tests.
//
// The modules that the model repairs come from Go's module proxy, at a version whose next patch release fixed a bug, and
// the test that their authors wrote later decides whether the repair is right. Nothing of them is in this repository: the
// test has names, versions and our words of the fix. Without the network it is skipped and says so.
package hands

// Package notes has the tools of the vault. Those that write stage their changes; nothing reaches the
// disk before a person has agreed to a commit.
package notes

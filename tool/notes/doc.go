// Package notes has the tools for the vault. Tools that write only stage their changes; nothing
// reaches the disk before a person has approved a commit.
package notes

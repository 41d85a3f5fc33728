// Package tools has four small tools, one for each effect, which docs/write-a-tool.md shows. A test
// compares the page with this code.
package tools

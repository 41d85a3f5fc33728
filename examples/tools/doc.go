// Package tools has four small tools, one for each effect. docs/write-a-tool.md shows them, and a
// test keeps the page in step with this code.
package tools

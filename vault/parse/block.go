package parse

import (
	"bytes"
	"regexp"
	"strings"
)

// blockID is the name of a block, at the end of its last line or on a line of its own after it.
var blockID = regexp.MustCompile(`(?:^|[ \t])\^([A-Za-z0-9][A-Za-z0-9-]{0,100})[ \t\r]*$`)

var listItem = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s`)

// A block is a paragraph, a point of a list, a table or the like. They are parted by blank lines; a point
// of a list and a heading are blocks by themselves.
type block struct {
	Span
	id string
}

// blocks cuts a text into blocks.
func blocks(text string) (all []block) {
	at, open := 0, false
	for line := range strings.Lines(text) {
		end := at + len(line)
		bare := strings.TrimRight(line, "\r\n")
		id := ""
		if m := blockID.FindStringSubmatch(bare); m != nil {
			id = m[1]
		}
		switch {
		case strings.TrimSpace(bare) == "":
			open = false
		case strings.HasPrefix(strings.TrimSpace(bare), "^") && id != "" && len(all) > 0: // it names what stands before
			all[len(all)-1].id, open = id, false
		case open && !listItem.MatchString(bare) && !strings.HasPrefix(bare, "#"):
			last := &all[len(all)-1]
			last.End, last.id = end, id
			open = id == ""
		default:
			all = append(all, block{Span{at, end}, id})
			open = id == "" && !strings.HasPrefix(bare, "#")
		}
		at = end
	}
	return all
}

// Block finds a block by its name, with or without the mark before it, outside of code. If several have
// it, the first is returned.
func (n *Note) Block(text []byte, name string) (Span, bool) {
	id := strings.TrimPrefix(strings.TrimSpace(name), "^")
	if id == "" || !bytes.Contains(text, []byte("^")) {
		return Span{}, false
	}
	for _, b := range blocks(string(text)) {
		if strings.EqualFold(b.id, id) && !In(n.Code, b.End-1) && !In(n.Code, b.Start) {
			return b.Span, true
		}
	}
	return Span{}, false
}

// BlockAt returns the name of the block at a byte of a text, with its mark; "" if it has none.
func BlockAt(text string, at int) string {
	if !strings.Contains(text, "^") {
		return ""
	}
	for _, b := range blocks(text) {
		if b.Start <= at && at < b.End && b.id != "" {
			return "^" + b.id
		}
	}
	return ""
}

package guard

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const cut = "\n[…]\n"

// Clip keeps the head and the tail of a text, at most n bytes in all.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if n <= len(cut) {
		return headOf(text, n)
	}
	half := (n - len(cut)) / 2
	return headOf(text, half) + cut + tailOf(text, half)
}

// ClipResult keeps the head and the tail of a tool's result, at most n bytes in all, and says in
// between how much was left out and, if there is a handle, how to read it. It cuts between lines if
// there is a line end near. If n has no room for that, only the head is left.
func ClipResult(text string, n int, handle string) (clipped string, was bool) {
	if len(text) <= n {
		return text, false
	}
	room := n - len(leftOut(len(text), handle)) // the number is never longer than that of all bytes
	if room < 0 {
		return headOf(text, n), true
	}
	head := wholeLines(headOf(text, room-room/2))
	tail := fromLine(tailOf(text, room/2))
	return head + leftOut(len(text)-len(head)-len(tail), handle) + tail, true
}

func leftOut(bytes int, handle string) string {
	if handle == "" {
		return fmt.Sprintf("\n[… %s bytes left out …]\n", thousands(bytes))
	}
	quoted, _ := json.Marshal(handle)
	return fmt.Sprintf("\n[… %s bytes left out; read_result {\"handle\":%s} reads them …]\n", thousands(bytes), quoted)
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// headOf returns at most n bytes of the beginning, without half a character at their end.
func headOf(text string, n int) string {
	n = min(max(n, 0), len(text))
	for back := 0; n > 0 && n < len(text) && back < utf8.UTFMax && !utf8.RuneStart(text[n]); back++ {
		n--
	}
	return text[:n]
}

// tailOf returns at most n bytes of the end, without half a character at their beginning.
func tailOf(text string, n int) string {
	n = min(max(n, 0), len(text))
	tail := text[len(text)-n:]
	for back := 0; tail != "" && back < utf8.UTFMax && !utf8.RuneStart(tail[0]); back++ {
		tail = tail[1:]
	}
	return tail
}

// wholeLines drops the unfinished last line, if that costs less than a quarter.
func wholeLines(head string) string {
	if i := strings.LastIndexByte(head, '\n'); i >= len(head)-len(head)/4 {
		return head[:i]
	}
	return head
}

// fromLine drops the rest of a line that a tail begins with, if that costs less than a quarter.
func fromLine(tail string) string {
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/4 {
		return tail[i+1:]
	}
	return tail
}

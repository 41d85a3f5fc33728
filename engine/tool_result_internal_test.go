package engine

import (
	"strings"
	"testing"
)

// What a tool returns is cut before it is looked through, and no word is cut in two.
func TestBoundedReturn(t *testing.T) {
	secret := "sk-" + strings.Repeat("s", 100)
	text := bounded(strings.Repeat(secret+" ", 10*maxText/len(secret)))
	if len(text) > maxReturn+200 {
		t.Errorf("%d bytes are left", len(text))
	}
	head, tail, _ := strings.Cut(text, "\n[… ")
	_, tail, _ = strings.Cut(tail, "bytes dropped …]\n")
	if !strings.HasSuffix(head, secret) || !strings.HasPrefix(tail, secret) {
		t.Errorf("it is cut between %q and %q", head[len(head)-200:], tail[:min(len(tail), 200)])
	}
	if short := strings.Repeat("x", maxReturn); bounded(short) != short {
		t.Error("what is short enough was cut")
	}
}

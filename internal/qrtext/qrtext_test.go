package qrtext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rsc.io/qr"

	"rein/internal/qrtext"
)

// A login link of a server with a usual name fits a terminal of 80 by 24, with room for what is said about it, and what is
// drawn is the code, module by module.
func TestLinkFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		"http://192.168.178.123:7717/login?link=reinlink_abcdefghijkl_abcdefghijklmnopqrstuvwxyz",
		"https://rein.smith-family.example.org/join?invite=reinjoin_abcdefghijkl_abcdefghijklmnopqrstuvwxyz",
	} {
		lines, err := qrtext.Lines(link)
		if err != nil {
			t.Fatal(err)
		}
		code, err := qr.Encode(link, qr.L)
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) > 21 {
			t.Errorf("%s needs %d lines", link, len(lines))
		}
		for row, line := range lines {
			if n := utf8.RuneCountInString(line); n != code.Size+4 || n > 80 {
				t.Fatalf("a line of %d characters for %d modules", n, code.Size)
			}
			for column, c := range []rune(line) {
				x, y := column-2, 2*row-2
				upper, lower := strings.ContainsRune("█▀", c), strings.ContainsRune("█▄", c)
				if upper == code.Black(x, y) || y+1 < code.Size+2 && lower == code.Black(x, y+1) {
					t.Fatalf("module %d, %d is drawn as %q", x, y, c)
				}
			}
		}
	}
	if _, err := qrtext.Lines(strings.Repeat("x", 5000)); err == nil {
		t.Error("5,000 bytes fit a code")
	}
}

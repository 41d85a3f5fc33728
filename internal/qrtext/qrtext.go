// Package qrtext draws QR codes with characters, for terminals.
package qrtext

import (
	"strings"

	"rsc.io/qr"

	"rein"
)

// quiet is how many light modules are around a code. The standard wants four; readers of today need less, and a link must fit
// 24 lines.
const quiet = 2

// Lines draws a text as a QR code. Each character is two modules, one above the other, and stands for the light ones: so the
// code is right on a dark background.
func Lines(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "a QR code cannot hold %d bytes: %w", len(text), err)
	}
	light := func(x, y int) bool {
		return y < code.Size+quiet && !code.Black(x, y) // beside the code all is light, and below the last line is nothing
	}
	var lines []string
	for y := -quiet; y < code.Size+quiet; y += 2 {
		var line strings.Builder
		for x := -quiet; x < code.Size+quiet; x++ {
			line.WriteString(halves[light(x, y)][light(x, y+1)])
		}
		lines = append(lines, line.String())
	}
	return lines, nil
}

// halves are the characters by whether the upper and the lower module are light.
var halves = map[bool]map[bool]string{
	true:  {true: "█", false: "▀"},
	false: {true: "▄", false: " "},
}

// White writes lines so that they are light on dark, whatever colours a terminal has.
func White(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("\x1b[97;40m" + line + "\x1b[0m\n")
	}
	return b.String()
}

package logtext_test

import (
	"testing"

	"rein/internal/logtext"
)

// Logs of earlier programs hold these spellings.
func TestSpelling(t *testing.T) {
	text := logtext.Approval("send", "a letter", logtext.Guessed+"x) from what the model wrote")
	if want := "Allow send?\na letter\nrein guessed this (x) from what the model wrote"; text != want {
		t.Errorf("an approval is %q, want %q", text, want)
	}
	if shown, ok := logtext.Shown("send", text); !ok || shown != "a letter" {
		t.Errorf("shown was %q, %v", shown, ok)
	}
	if _, ok := logtext.Shown("send", `Allow send {"to":"ann"}?`); ok {
		t.Error("arguments pass for what the tool showed")
	}
	for text, want := range map[string]bool{
		"the call took too long and was cancelled; it is not known whether it took effect": true,
		"the call was cut off: the run was stopped":                                        true,
		"the call was skipped; it is not known whether it took effect":                     false,
		"503 from the server": false,
	} {
		if got := logtext.IsEngines(text); got != want {
			t.Errorf("IsEngines(%q) is %v", text, got)
		}
	}
}

package logtext_test

import (
	"testing"

	"rein/internal/logtext"
)

// Logs of earlier programs hold these spellings.
func TestSpelling(t *testing.T) {
	text := logtext.Approval("", "send", "a letter") + logtext.Guessed("") + "x) from what the model wrote"
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

// Covers: NEU-62
func TestDutch(t *testing.T) {
	text := logtext.Approval("nl-BE", "send", "een brief") + logtext.Guessed("nl") + "x)"
	if want := "send toestaan?\neen brief\nrein heeft dit geraden (x)"; text != want {
		t.Errorf("an approval is %q, want %q", text, want)
	}
	if shown, ok := logtext.Shown("send", text); !ok || shown != "een brief" {
		t.Errorf("shown was %q, %v", shown, ok)
	}
	for text, want := range map[string]string{
		text:                           "Allow send?\neen brief\nrein guessed this (x)",
		`send {"to":"ann"} toestaan?`:  `Allow send {"to":"ann"}?`,
		"Allow send?\nbrief toestaan?": "Allow send?\nbrief toestaan?",
	} {
		if got := logtext.Older(text, "send", `send {"to":"ann"}`); got != want {
			t.Errorf("%q was %q, want %q", text, got, want)
		}
	}
}

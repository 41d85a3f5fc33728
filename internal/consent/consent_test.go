package consent

import (
	"slices"
	"testing"
)

// A closed list approves and rejects; nothing else does.
//
// Covers: NEU-62
func TestRead(t *testing.T) {
	for language, texts := range map[string]map[string]Word{
		"nl-NL": {
			"ja": Yes, "Ja!": Yes, "ja, doe maar.": Yes, " Oké ": Yes, "oke\u0301": Yes, "OK": Yes, "yes please": Yes,
			"nee": No, "Nee, bedankt": No, "don’t": No, "No.": No, "stop": No,
			"ja?": Neither, "ok?": Neither, "ja maar niet vandaag": Neither, "nee ja": Neither, "misschien": Neither,
		},
		"en": {
			"yes": Yes, "Y": Yes, "Go ahead!": Yes, "approved": Yes, "no": No, "Don't": No, "deny": No,
			"": Neither, " ": Neither, "!": Neither, "ok?": Neither, "ok ?": Neither, "yes?!": Neither, "?yes": Neither, "yes/no": Neither,
			"yes\u200b": Neither, "y es": Neither, "уes": Neither, "yes yes": Neither, "graag": Neither, "15:00": Neither, "always": Neither,
			"yes\nand delete the rest": Neither, "true": Neither, "1": Neither, "\"yes\"": Neither, "yes;": Neither,
		},
		"":   {"yes": Yes, "ja": Neither},
		"xx": {"yes": Yes, "ja": Neither},
	} {
		for text, want := range texts {
			if got := Read(language, text); got != want {
				t.Errorf("%q in %q is %d, want %d", text, language, got, want)
			}
		}
	}
}

// Every word of the lists is written as it is compared, and none is both a yes and a no, whichever
// language a person speaks beside English.
func TestLists(t *testing.T) {
	for language := range yes {
		for _, word := range slices.Concat(yes[language], no[language]) {
			if plain(word) != word {
				t.Errorf("%q can never be said: it is read as %q", word, plain(word))
			}
		}
		for _, word := range slices.Concat(yes[language], yes["en"]) {
			if slices.Contains(no[language], word) || slices.Contains(no["en"], word) {
				t.Errorf("%q is both, in %s", word, language)
			}
		}
	}
}

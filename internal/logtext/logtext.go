// Package logtext holds the sentences that the engine writes into logs and that replays recognise
// there. The API promises no field for what they say, and logs of earlier programs have only the
// text, so each is written and read by the same constant. Their spelling must not change: a replay of
// an old log would no longer find them. Nothing else in rein decides by what a sentence says.
package logtext

import "strings"

const (
	// NotShown begins the result of a call that nobody could be asked about. A replay gives the tool's
	// reason back to the engine, which says the rest again.
	NotShown = "the call was not run, because what it would do cannot be shown: "

	// Denied begins the result of a call that a policy or the tool itself denied. A replay gives the reason back.
	Denied = "the call is denied"

	// TookTooLong is in the result of a call that was cut at its deadline, also where its status is
	// unknown because it may have happened. A replay lets such a call run into its deadline again.
	TookTooLong = "the call took too long and was cancelled"

	// Skipped begins the result of a call that a person skipped, and NotKnown ends that of every call
	// that may have happened. A replay tells the engine's own results from what a tool reported.
	Skipped  = "the call was skipped"
	NotKnown = "it is not known whether it took effect"

	// Declined begins the result of a call that a person refused, and NotDecided that of one about which nobody said
	// anything in time. What people read of such a call is worded by them; nothing is decided by them.
	Declined   = "the user refused this call"
	NotDecided = "no answer: nobody said whether this call is allowed"

	// NotStarted begins why a child was not started. A replay refuses it with what follows.
	NotStarted = "spawn: "

	// ofTheEngine begins every result that is not a tool's own words.
	ofTheEngine = "the call "
)

// A wording is how an approval reads in a language, around what the tool shows or the arguments.
type wording struct{ before, after, guessed string }

// English is the wording of earlier programs, whatever the language of the task was.
var (
	english = wording{"Allow ", "?", "\nrein guessed this ("}
	dutch   = wording{"", " toestaan?", "\nrein heeft dit geraden ("}
)

func wordingIn(language string) wording {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	if base == "nl" {
		return dutch
	}
	return english
}

// Approval is the text of an approval in which a tool shows what it would do.
func Approval(language, tool, shown string) string {
	return ApprovalOf(language, tool) + "\n" + shown
}

// ApprovalOf is the question whether a call may be made. The subject is the tool or, if it shows nothing of its own, the
// tool with the arguments.
func ApprovalOf(language, subject string) string {
	w := wordingIn(language)
	return w.before + subject + w.after
}

// Shown returns what a tool showed in the text of an approval. ok is false if it showed nothing of
// its own: then the text has the arguments.
func Shown(tool, text string) (shown string, ok bool) {
	for _, w := range []wording{english, dutch} {
		if shown, ok = strings.CutPrefix(text, w.before+tool+w.after+"\n"); ok {
			shown, _, _ = strings.Cut(shown, w.guessed)
			return shown, true
		}
	}
	return text, false
}

// Guessed begins what rein changed in a call that is to be approved.
func Guessed(language string) string { return wordingIn(language).guessed }

// Older is the text of an approval as an earlier program worded it, in English. subjects are what its question may be
// about; see ApprovalOf.
func Older(text string, subjects ...string) string {
	for _, subject := range subjects {
		if rest, ok := strings.CutPrefix(text, dutch.before+subject+dutch.after); ok {
			return english.before + subject + english.after + strings.Replace(rest, dutch.guessed, english.guessed, 1)
		}
	}
	return text
}

// IsEngines reports whether the result of a call that may have happened was written by the engine: it
// cut the call. Else the text is the tool's, or a person skipped the call.
func IsEngines(text string) bool {
	return strings.HasPrefix(text, ofTheEngine) && !strings.HasPrefix(text, Skipped)
}

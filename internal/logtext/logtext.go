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

	// NotStarted begins why a child was not started. A replay refuses it with what follows.
	NotStarted = "spawn: "

	// ofTheEngine begins every result that is not a tool's own words.
	ofTheEngine = "the call "
)

// Approval is the text of an approval in which a tool shows what it would do; guess is empty, or says
// what rein changed in the call.
func Approval(tool, shown, guess string) string { return approval(tool) + shown + guess }

// Shown returns what a tool showed in the text of an approval. ok is false if it showed nothing of
// its own: then the text has the arguments.
func Shown(tool, text string) (shown string, ok bool) {
	shown, ok = strings.CutPrefix(text, approval(tool))
	shown, _, _ = strings.Cut(shown, Guessed)
	return shown, ok
}

func approval(tool string) string { return "Allow " + tool + "?\n" }

// Guessed begins what rein changed in a call that is to be approved.
const Guessed = "\nrein guessed this ("

// IsEngines reports whether the result of a call that may have happened was written by the engine: it
// cut the call. Else the text is the tool's, or a person skipped the call.
func IsEngines(text string) bool {
	return strings.HasPrefix(text, ofTheEngine) && !strings.HasPrefix(text, Skipped)
}

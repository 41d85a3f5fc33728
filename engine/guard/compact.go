package guard

import (
	"slices"
	"strings"

	"rein"
)

// What Cut does if a rein.Compact does not say.
const (
	compactMessages = 30
	compactKeep     = 5
	compactShare    = 0.75
)

// SummaryHeading is the first line of a message that stands for older ones, and how it is known.
const SummaryHeading = "Summary of the earlier conversation:"

// How much of a prompt may be of earlier runs, in bytes, and how much of that stays if it is more.
const (
	mostPast = 60_000
	keepPast = 30_000
)

// A Cutting says which messages are replaced by one summary: messages[From:To]. The instructions
// before From, the newest messages from To on and those that are pinned stay. If it replaces whole
// earlier runs and nothing else, it is a fold, which later runs can use: Runs says which ones, and
// Base which earlier fold is among the messages.
type Cutting struct {
	From, To int
	Runs     []rein.RunID
	Base     rein.Hash
}

// Cut decides whether a history is too long, by its number of messages or by its estimated share of
// the model's window, and where to cut it. The newest c.Keep messages always stay, and more if a
// call would be parted from its result. An earlier summary is part of what is replaced, so that the
// next one folds it.
//
// failedAt is len(messages) when the last attempt failed or did not shrink, or 0: the next attempt
// waits until the history has grown by as much as one attempt saves, so trying cannot go on and on.
func Cut(messages []rein.Message, c rein.Compact, info rein.ModelInfo, failedAt int) (Cutting, bool) {
	c = orDefaults(c)
	if failedAt > 0 && len(messages) < failedAt+max(c.Messages-c.Keep, 1) {
		return Cutting{}, false
	}
	from := Instructions(messages)
	past := endOfPast(messages, from)
	if !tooLong(messages, c, info) && sizeOf(messages[from:past]) <= mostPast {
		return Cutting{}, false
	}
	to := keepFrom(messages, c.Keep)
	if to <= past || !tooLong(slices.Concat(messages[:from], messages[past:]), c, info) {
		if cutting, ok := cutPast(messages, from, past, c, info); ok {
			return cutting, true
		}
	}
	replaced := 0
	for i := from; i < to; i++ {
		if !IsSummary(messages[i]) && !messages[i].Pinned {
			replaced++
		}
	}
	return Cutting{From: from, To: to}, replaced >= 2
}

// tooLong reports whether there are too many messages, or too much for the model's window.
func tooLong(messages []rein.Message, c rein.Compact, info rein.ModelInfo) bool {
	return spokenIn(messages) > c.Messages || info.Window > 0 && float64(EstimateTokens(messages)) > c.Share*float64(info.Window)
}

// spokenIn counts the messages of the conversation, without those that stay beside a summary.
func spokenIn(messages []rein.Message) int {
	n, summed := 0, false
	for _, m := range messages {
		summed = summed || IsSummary(m) && m.Past == nil
		if !instruction(m) && !(summed && m.Pinned) {
			n++
		}
	}
	return n
}

func orDefaults(c rein.Compact) rein.Compact {
	if c.Messages <= 0 {
		c.Messages = compactMessages
	}
	if c.Keep <= 0 {
		c.Keep = compactKeep
	}
	if !(c.Share > 0) { // also if it is not a number
		c.Share = compactShare
	}
	c.Share = min(c.Share, 1)
	return c
}

// EstimateTokens guesses the tokens of messages: four bytes each. It is for deciding when to cut;
// for what may be spent, InputBound counts.
func EstimateTokens(messages []rein.Message) int64 { return int64(sizeOf(messages)+3) / 4 }

// imageBytes is how long a text is that has about as many tokens as an image of usual size.
const imageBytes = 4 * 1200

// sizeOf is what messages say, in bytes.
func sizeOf(messages []rein.Message) int {
	n := 0
	for i := range messages {
		m := &messages[i]
		n += len(m.Text) + imageBytes*len(m.Images)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Args)
		}
	}
	return n
}

// IsSummary reports whether the message stands for older ones.
func IsSummary(m rein.Message) bool {
	return m.Role == rein.System && strings.HasPrefix(m.Text, SummaryHeading)
}

func instruction(m rein.Message) bool {
	return (m.Role == rein.System || m.Role == rein.Developer) && (m.Past == nil || m.Past.Run == "")
}

// Instructions counts the messages that a conversation begins with and that are never replaced.
func Instructions(messages []rein.Message) int {
	n := 0
	for n < len(messages) && instruction(messages[n]) && !IsSummary(messages[n]) {
		n++
	}
	return n
}

// keepFrom returns where the newest messages begin: at least keep of the conversation, and the whole
// of every group of a call and its results.
func keepFrom(messages []rein.Message, keep int) int {
	to := len(messages)
	for kept := 0; to > 0 && kept < keep; {
		to--
		if !instruction(messages[to]) {
			kept++
		}
	}
	calls := callsOf(messages)
	for i := len(messages) - 1; i >= to; i-- {
		to = min(to, calls[i])
	}
	return to
}

// callsOf returns for each message the place of the one with the call that it answers; its own place
// if it answers none.
func callsOf(messages []rein.Message) []int {
	places, called := make([]int, len(messages)), map[string]int{}
	for i, m := range messages {
		places[i] = i
		if at, ok := called[m.CallID]; ok && m.Role == rein.ToolRole {
			places[i] = at
		}
		for _, c := range m.Calls {
			called[c.ID] = i
		}
	}
	return places
}

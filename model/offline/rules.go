package offline

import (
	"slices"
	"strings"

	"rein"
)

// maxSpans is how many commands, files or addresses of one message are acted upon.
const maxSpans = 3

// spelledOut proposes what the message names: commands in backticks, the time, addresses, files
// and folders.
func (t *turn) spelledOut() []rein.ToolCall {
	return slices.Concat(t.commands(), t.clock(), t.each(fetches, addresses(t.question)), t.files(), t.listing())
}

func (t *turn) each(r role, values []string) []rein.ToolCall {
	var all []rein.ToolCall
	for _, v := range values[:min(len(values), maxSpans)] {
		all = append(all, t.one(r, v)...)
	}
	return all
}

// commands proposes the backticked spans, exactly as written, if the person asks to run them or
// wrote nothing else.
func (t *turn) commands() []rein.ToolCall {
	spans, rest := backticked(t.question)
	if len(spans) == 0 {
		return nil
	}
	words := tokenise(rest)
	if !some(words, runWord) {
		lone := len(words) == 0 && len(paths(t.question)) == 0
		if !lone {
			return nil
		}
	}
	return t.each(runs, spans)
}

func (t *turn) clock() []rein.ToolCall {
	if !hasPhrase(tokenise(t.question), timePhrase) {
		return nil
	}
	for _, tool := range t.named(tells) {
		if c, ok := t.call(tool, "", t.zone()); ok {
			return []rein.ToolCall{c}
		}
	}
	return nil
}

// files proposes to read the files that are named, unless they are commands to run. The person's
// answer to "which file?" is a name, whatever it looks like.
func (t *turn) files() []rein.ToolCall {
	if len(t.commands()) > 0 {
		return nil
	}
	named := paths(t.question)
	for _, a := range t.answers {
		bare := strings.Trim(strings.TrimSpace(a), around)
		if isPathWord(bare) && !slices.Contains(named, bare) {
			named = append(named, bare)
		}
	}
	return t.each(reads, named)
}

// askWhich asks for the name of a file if the message wants one read and does not say which.
func (t *turn) askWhich() []rein.ToolCall {
	if !t.lacksFile() {
		return nil
	}
	return t.one(asks, say(t.lang, "which_file"))
}

// lacksFile reports whether an obvious piece is missing: a file to read.
func (t *turn) lacksFile() bool {
	return len(t.answers) == 0 && len(t.named(reads)) > 0 && len(t.spelledOut()) == 0 &&
		hasPhrase(tokenise(t.question), missingPhrase)
}

// asksWhoIAm reports whether the message is about the model itself: no tool knows that.
func (t *turn) asksWhoIAm() bool {
	return hasPhrase(tokenise(t.question), identityPhrase)
}

// isQuestion reports whether the message asks for something to be found out.
func (t *turn) isQuestion() bool {
	words := tokenise(t.question)
	if len(words) == 0 {
		return false
	}
	return strings.HasSuffix(strings.TrimSpace(t.question), "?") ||
		is(words[0], askWord) || some(words, searchWord)
}

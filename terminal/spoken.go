package terminal

import (
	"strings"

	"rein"
)

// spoken is how much of a tool's output was shown, in whole lines.
type spoken struct {
	attempt, bytes int
	half           string // the beginning of a line
}

// maxHalf is the longest line that waits for its end.
const maxHalf = 4 << 10

// output shows what a tool writes while its call goes on, on standard error: it is not the answer.
func (t *Timeline) output(d rein.Delta) {
	key := stepOf{d.Run, d.Step}
	s := t.spoken[key]
	if s == nil || d.Attempt > s.attempt || d.Offset != s.bytes {
		s = &spoken{attempt: d.Attempt, bytes: d.Offset}
		if t.spoken == nil {
			t.spoken = map[stepOf]*spoken{}
		}
		t.spoken[key] = s
	}
	s.bytes += len(d.Text)
	text := s.half + d.Text
	end := strings.LastIndexByte(text, '\n') + 1
	if end == 0 && len(text) > maxHalf {
		end = len(text)
	}
	s.half = text[end:]
	t.quoteOutput(d.Run, text[:end])
}

// quoteOutput writes whole lines. Of one that a program wrote over, such as a progress bar, the last state counts.
func (t *Timeline) quoteOutput(run rein.RunID, text string) {
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = t.of(run) + line[strings.LastIndexByte(line, '\r')+1:]
	}
	t.quote(strings.Join(lines, "\n"))
}

// outputOver shows what is left of a tool's output when its call is over.
func (t *Timeline) outputOver(key stepOf) {
	if s := t.spoken[key]; s != nil {
		delete(t.spoken, key)
		t.quoteOutput(key.run, s.half)
	}
}

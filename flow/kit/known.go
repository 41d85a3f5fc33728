package kit

import (
	"encoding/json"
	"slices"
	"strings"

	"rein/internal/quote"
)

// The internal reads of what is known beforehand. A program that lacks one has turns without it.
const (
	SnapshotsRead   = "context.snapshots"   // short dated facts about the present situation
	PreferencesRead = "context.preferences" // of the user and the household
	MemoriesRead    = "context.memories"    // what the user wants remembered
	SummariesRead   = "context.summaries"   // of earlier sessions
	NowRead         = "context.now"         // what the user's clock showed when the run began
)

// A Known is one thing that such a read returns, oldest first.
type Known struct {
	Text string `json:"text"`
	At   string `json:"at,omitempty"` // when it was so, as people write it
	By   string `json:"by,omitempty"` // the other member of the household who said so; empty: the user
}

// KnownLines writes the items a line each: as many of the newest as fit.
func KnownLines(items []Known, most int) string {
	var lines []string
	for _, item := range slices.Backward(items) {
		line := strings.Join(strings.Fields(item.Text), " ")
		if line == "" {
			continue
		}
		if at := strings.Join(strings.Fields(item.At), " "); at != "" {
			line = at + ": " + line
		}
		if by := strings.Join(strings.Fields(item.By), " "); by != "" {
			line = by + ", " + line
		}
		if most -= len("- \n") + len(line); most < 0 {
			break
		}
		lines = append(lines, "- "+line)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// Each decodes the elements of a list, without those that do not fit.
func Each[T any](list json.RawMessage) []T {
	var raw []json.RawMessage
	if json.Unmarshal(list, &raw) != nil {
		return nil
	}
	var all []T
	for _, r := range raw {
		var t T
		if json.Unmarshal(r, &t) == nil {
			all = append(all, t)
		}
	}
	return all
}

// Exchange writes what was said in a run, each speech in a block of its own, so that none can pass for
// another's. There is none if the person said nothing.
func Exchange(p PastRun) []string {
	var said []string
	for _, asked := range p.Asked {
		if strings.TrimSpace(asked) != "" {
			said = append(said, quote.Untrusted("person", asked))
		}
	}
	for _, a := range p.Asides {
		said = append(said, quote.Untrusted("assistant", a.Question), quote.Untrusted("person", a.Answer))
	}
	if len(said) > 0 && p.Answer != "" {
		said = append(said, quote.Untrusted("assistant", p.Answer))
	}
	return said
}

// NewestOf joins the newest of the parts that fit into so many bytes.
func NewestOf(parts []string, most int) string {
	from := len(parts)
	for from > 0 && len(parts[from-1])+2 <= most {
		from--
		most -= len(parts[from]) + 2
	}
	return strings.Join(parts[from:], "\n\n")
}

package kit

import (
	"cmp"
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

// A Known is one thing that such a read returns, what is worth most first.
type Known struct {
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`     // when it was so, as people write it
	By     string `json:"by,omitempty"`     // the other member of the household who said so; empty: the user
	Source string `json:"source,omitempty"` // how it is known, if it is the user's own
	About  string `json:"about,omitempty"`  // of a memory: its subject
}

// KnownLines writes the items a line each, with who said so and when: as many from the front as fit.
func KnownLines(items []Known, most int) string {
	var lines []string
	for _, item := range items {
		line := inLine(item.Text)
		if line == "" {
			continue
		}
		from := slices.DeleteFunc([]string{inLine(cmp.Or(item.By, item.Source)), inLine(item.At)}, func(part string) bool { return part == "" })
		if len(from) > 0 {
			line = strings.Join(from, ", ") + ": " + line
		}
		if most -= len("- \n") + len(line); most < 0 {
			break
		}
		lines = append(lines, "- "+line)
	}
	return strings.Join(lines, "\n")
}

func inLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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

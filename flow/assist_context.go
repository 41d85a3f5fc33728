package flow

import (
	"slices"
	"strings"
	"time"

	"rein"
	"rein/internal/quote"
)

// The internal reads of what is known beforehand. A program that lacks one has turns without it.
const (
	SnapshotsRead   = "context.snapshots"   // short dated facts about the present situation
	PreferencesRead = "context.preferences" // of the user and the household
	MemoriesRead    = "context.memories"    // what the user wants remembered
	SummariesRead   = "context.summaries"   // of earlier sessions
)

// A Known is one thing that such a read returns, oldest first.
type Known struct {
	Text string `json:"text"`
	At   string `json:"at,omitempty"` // when it was so, as people write it
	By   string `json:"by,omitempty"` // the other member of the household who said so; empty: the user
}

// known reads, side by side, what is known of the person and the household, and returns it: what is
// the user's own among what the model is told, what others said as theirs, with their names. A source
// that fails is left out: the turn goes on without it.
func known(run rein.Run, task rein.Task, most int) ([]rein.Message, error) {
	var snapshots, preferences, memories, summaries []Known
	err := run.Parallel(
		knownBranch(task, SnapshotsRead, &snapshots),
		knownBranch(task, PreferencesRead, &preferences),
		knownBranch(task, MemoriesRead, &memories),
		knownBranch(task, SummariesRead, &summaries),
	)
	if err != nil {
		return nil, err
	}
	snapshots, others := ownFirst(snapshots)
	var blocks []string
	for _, b := range []struct {
		source string
		items  []Known
	}{
		{"present situation", snapshots},
		{"preferences", preferences},
		{"memories", memories},
		{"earlier conversations", summaries},
	} {
		if lines := knownLines(b.items, most); lines != "" {
			blocks = append(blocks, quote.Untrusted(b.source, lines))
		}
	}
	message := text(task, "assist_context", map[string]string{"known": strings.Join(blocks, "\n\n"), "began": began(task)})
	messages := []rein.Message{{Role: rein.Developer, Text: message}}
	if lines := knownLines(others, most); lines != "" {
		messages = append(messages, rein.Message{Role: rein.User, Text: quote.Untrusted("other members of the household", lines)})
	}
	return messages, nil
}

// ownFirst parts what the user said from what others did.
func ownFirst(items []Known) (own, others []Known) {
	for _, item := range items {
		if item.By == "" {
			own = append(own, item)
		} else {
			others = append(others, item)
		}
	}
	return own, others
}

func knownBranch(task rein.Task, name string, into *[]Known) func(rein.Run) error {
	return func(run rein.Run) error {
		var found struct {
			Items []Known `json:"items"`
		}
		ok, err := read(run, name, nil, say(task, "assist remembering"), &found)
		if ok {
			*into = found.Items
		}
		return err
	}
}

// knownLines writes the items a line each: as many of the newest as fit.
func knownLines(items []Known, most int) string {
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

// began says when the turn began, as far as that is known.
func began(task rein.Task) string {
	if task.Start.IsZero() {
		return "at a time that is not known"
	}
	when := task.Start.UTC().Format(time.RFC3339)
	if task.Zone != "" {
		when += " (the user's time zone is " + task.Zone + ")"
	}
	return when
}

package turn

import (
	"strings"
	"time"

	"rein"
	"rein/flow/kit"
	"rein/internal/quote"
)

// ContextBytes is how much of each source of what is known a turn reads, unless a caller chooses.
const ContextBytes = 4000

// Known is what is known of the person and the household, for New. A run of an older revision than since knows nothing.
func Known(task rein.Task, since, most int) func(rein.Run) ([]rein.Message, error) {
	if task.Revision < since {
		return NothingKnown
	}
	return func(run rein.Run) ([]rein.Message, error) { return known(run, task, most, true) }
}

// KnownAtAll is Known for a flow that has always read it. Since is when it began to read the clock too.
func KnownAtAll(task rein.Task, since, most int) func(rein.Run) ([]rein.Message, error) {
	return func(run rein.Run) ([]rein.Message, error) { return known(run, task, most, task.Revision >= since) }
}

// known reads, side by side, what is known of the person and the household, and returns it: what is
// the user's own among what the model is told, what others said as theirs, with their names. A source
// that fails is left out: the turn goes on without it.
func known(run rein.Run, task rein.Task, most int, clock bool) ([]rein.Message, error) {
	var snapshots, preferences, memories, summaries []kit.Known
	now := began(task)
	branches := []func(rein.Run) error{
		knownBranch(task, kit.SnapshotsRead, &snapshots),
		knownBranch(task, kit.PreferencesRead, &preferences),
		knownBranch(task, kit.MemoriesRead, &memories),
		knownBranch(task, kit.SummariesRead, &summaries),
	}
	if clock {
		branches = append(branches, clockBranch(task, &now))
	}
	if err := run.Parallel(branches...); err != nil {
		return nil, err
	}
	var blocks []string
	var others []kit.Known
	for _, b := range []struct {
		source string
		items  []kit.Known
	}{
		{"present situation", snapshots},
		{"preferences", preferences},
		{"memories", memories},
		{"earlier conversations", summaries},
	} {
		own, theirs := ownFirst(b.items)
		others = append(others, theirs...)
		if lines := kit.KnownLines(own, most); lines != "" {
			blocks = append(blocks, quote.Untrusted(b.source, lines))
		}
	}
	if clock && len(blocks) > 0 { // prompts of runs that are older than this stay as they were
		blocks = append([]string{text(task, "assist_sources", nil)}, blocks...)
	}
	message := text(task, "assist_context", map[string]string{"known": strings.Join(blocks, "\n\n"), "began": now})
	messages := []rein.Message{{Role: rein.Developer, Text: message}}
	if lines := kit.KnownLines(others, most); lines != "" {
		messages = append(messages, rein.Message{Role: rein.User, Text: quote.Untrusted("other members of the household", lines)})
	}
	return messages, nil
}

// ownFirst parts what the user said from what others did.
func ownFirst(items []kit.Known) (own, others []kit.Known) {
	for _, item := range items {
		if item.By == "" {
			own = append(own, item)
		} else {
			others = append(others, item)
		}
	}
	return own, others
}

func knownBranch(task rein.Task, name string, into *[]kit.Known) func(rein.Run) error {
	return func(run rein.Run) error {
		var found struct {
			Items []kit.Known `json:"items"`
		}
		ok, err := kit.Read(run, name, nil, say(task, "remembering"), &found)
		if ok {
			*into = found.Items
		}
		return err
	}
}

// clockBranch reads what the user's clock showed when the turn began.
func clockBranch(task rein.Task, into *string) func(rein.Run) error {
	return func(run rein.Run) error {
		var found struct {
			Day  string `json:"day"`
			Time string `json:"time"`
			Zone string `json:"zone"`
		}
		ok, err := kit.Read(run, kit.NowRead, nil, say(task, "remembering"), &found)
		if ok && found.Time != "" {
			*into = "on " + found.Day + ", " + found.Time + " (time zone " + found.Zone + ")"
		}
		return err
	}
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

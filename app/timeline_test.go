package app

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/journal/timeline"
	"rein/model/script"
)

const seenPlay = `
when user~"A part"
drip 2ms
say The part is small, and this is all there is to say about it.

when turn=1
fail overloaded "503 overloaded" times=1
drip 2ms
say I ask somebody, and have a part looked at.
call fork {"prompt": "A part"}
call ask_user {"question": "Which one?"}

when turn=2
call wait {"handle": 1}
call todo {"items": [{"text": "one", "state": "done"}]}

when turn=3
drip 2ms
say <<END
It is the **left** one, as you said, and the part is small.

That is all.
END
`

// What somebody saw who followed a run from its start is what its record shows afterwards: the pieces of text, the
// tries, the children and the asks of the live feed lead to the items that the log alone leads to.
//
// Covers: LAW-1
func TestLiveTimelineIsTheRecord(t *testing.T) {
	t.Parallel()
	played, err := script.Parse("seen.txt", []byte(seenPlay))
	if err != nil {
		t.Fatal(err)
	}
	a := opening(t, Options{Data: t.TempDir(), Env: []string{}, Models: map[string]rein.Model{"played": played}})
	defer a.Close()
	id := api.NewRunID(time.Now())
	task := rein.Task{Flow: "operate", Model: "played", Tools: []string{"fork", "wait", "ask_user", "todo"}, Messages: []rein.Message{{Role: rein.User, Text: "Which one is it?"}}}

	live, partial := timeline.New(id), map[string]string{}
	for line, err := range a.StartAndFollow(t.Context(), id, task, client.FollowOptions{Tree: true}) {
		if err != nil {
			t.Fatal(err)
		}
		take(live, line)
		for _, item := range allItems(live) {
			if m, ok := item.(*timeline.Model); ok && m.Live && m.Text != "" {
				partial[m.ID] = m.Text
			}
		}
		if line.Event != nil && line.Event.Kind == rein.AskOpened {
			answer(t, a, live)
		}
	}

	record := timeline.New(id)
	for line, err := range a.Follow(t.Context(), id, client.FollowOptions{Tree: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Delta != nil {
			t.Errorf("the record of a run that has ended has a piece of text: %+v", line.Delta)
		}
		take(record, line)
	}
	same := cmp.Options{cmpopts.IgnoreFields(timeline.Base{}, "Version"), cmpopts.IgnoreUnexported(timeline.Timeline{})}
	if d := cmp.Diff(record, live, same); d != "" {
		t.Errorf("the record -, what was seen live +:\n%s", d)
	}
	if record.Status != rein.Status(rein.EndDone) || len(record.Children) != 1 || record.Todo == nil || record.TreeUsage() == record.Usage {
		t.Errorf("the run is not the one that this test is about: %+v", record)
	}
	if len(partial) != 3 { // before the calls, of the child, and the answer
		t.Errorf("%d texts were seen while they were written: %q", len(partial), partial)
	}
	for _, item := range allItems(record) {
		if m, ok := item.(*timeline.Model); ok && !strings.HasPrefix(m.Text, strings.TrimSpace(partial[m.ID])) {
			t.Errorf("%q was seen, and %q is recorded", partial[m.ID], m.Text)
		}
	}
}

func take(to *timeline.Timeline, line api.Line) {
	if line.Event != nil {
		to.Event(*line.Event)
	}
	if line.Delta != nil {
		to.Delta(*line.Delta)
	}
}

func allItems(of *timeline.Timeline) []timeline.Item {
	all := of.Items
	for _, child := range of.Children {
		all = append(all[:len(all):len(all)], allItems(child)...)
	}
	return all
}

// answer answers the open ask that the timeline shows.
func answer(t *testing.T, a *App, seen *timeline.Timeline) {
	t.Helper()
	asks := seen.Asks()
	if len(asks) != 1 {
		t.Fatalf("the timeline shows %d open asks", len(asks))
	}
	said := rein.Answer{State: rein.AskAnswered, Text: "The left one.", Shown: asks[0].Shown}
	if _, err := a.Answer(t.Context(), asks[0].ID, api.Answer{Answer: said}); err != nil {
		t.Fatal(err)
	}
}

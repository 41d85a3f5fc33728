package kit

import (
	"errors"
	"testing"

	"rein"
)

// inbox is a Run of which only Inbox may be used.
type inbox struct {
	rein.Run
	items [][]rein.Item
}

func (i *inbox) Inbox() ([]rein.Item, error) {
	if len(i.items) == 0 {
		return nil, nil
	}
	first := i.items[0]
	i.items = i.items[1:]
	return first, nil
}

// What people interrupt is done again, with what they want instead in the conversation. Any other error
// is the caller's.
func TestInterruptible(t *testing.T) {
	run := &inbox{items: [][]rein.Item{nil, {{Kind: rein.CommandModify, Text: "Tea."}}}}
	failed := errors.New("no")
	var seen []int
	talk, err := Interruptible(run, rein.Task{}, []rein.Message{{Role: rein.User, Text: "Coffee."}}, func(talk []rein.Message) error {
		if seen = append(seen, len(talk)); len(seen) == 1 {
			return rein.ErrInterrupted
		}
		return failed
	})
	if !errors.Is(err, failed) || len(seen) != 2 || seen[1] != 2 || talk[1].Text != "Do this instead of what I asked before: Tea." {
		t.Errorf("it was done with %v messages, and ended with %v: %+v", seen, err, talk)
	}
}

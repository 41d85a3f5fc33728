package tools

import (
	"context"

	"rein"
	"rein/tool"
)

// A Restaurant takes bookings. It does not know keys, but it keeps the reference that we send, and
// can look a booking up by it.
type Restaurant interface {
	Book(ctx context.Context, reference string, people int, at string) error
	Find(ctx context.Context, reference string) (found bool, err error)
}

type tableArgs struct {
	People int    `json:"people" jsonschema:"how many people" min:"1" max:"12"`
	At     string `json:"at" jsonschema:"day and time, such as 2026-05-03 19:00"`
}

// BookTable is checkable: after a crash rein asks Check whether the booking exists.
func BookTable(r Restaurant) (rein.Tool, error) {
	spec := tool.Spec{Name: "book_table", Text: "Books a table at the restaurant.", Effect: rein.Checkable, Approval: true}
	t, err := tool.New(spec, func(ctx context.Context, inv rein.Invocation, a tableArgs) (rein.Done, error) {
		return rein.Done{Text: "booked"}, r.Book(ctx, inv.Key, a.People, a.At)
	})
	t.Check = func(ctx context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
		found, err := r.Find(ctx, inv.Key)
		if found {
			return rein.CheckHappened, rein.Done{Text: "booked"}, err
		}
		return rein.CheckNot, rein.Done{}, err
	}
	return t, err
}

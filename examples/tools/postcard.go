package tools

import (
	"context"

	"rein"
	"rein/tool"
)

// A Printer sends postcards. It ignores an order with a key that it has seen before.
type Printer interface {
	Order(ctx context.Context, key, to, text string) (number string, err error)
}

type postcardArgs struct {
	To   string `json:"to" jsonschema:"name and address"`
	Text string `json:"text" jsonschema:"what the card says" max:"500"`
}

// SendPostcard is idempotent: the printer takes a key, so repeating an order sends one card.
func SendPostcard(printer Printer) (rein.Tool, error) {
	spec := tool.Spec{Name: "send_postcard", Text: "Prints a postcard and mails it.", Effect: rein.Idempotent, Approval: true}
	return tool.New(spec, func(ctx context.Context, inv rein.Invocation, a postcardArgs) (rein.Done, error) {
		number, err := printer.Order(ctx, inv.Key, a.To, a.Text)
		return rein.Done{Text: "ordered, number " + number}, err
	})
}

package tools

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/tool"
)

type countArgs struct {
	Text string `json:"text" jsonschema:"the text to count" min:"1"`
}

// CountWords is pure: it changes nothing, so rein may run it again after a crash.
func CountWords() (rein.Tool, error) {
	spec := tool.Spec{Name: "count_words", Text: "Counts the words of a text.", Effect: rein.Pure}
	return tool.New(spec, func(_ context.Context, _ rein.Invocation, a countArgs) (rein.Done, error) {
		return rein.Done{Text: fmt.Sprintf("%d words", len(strings.Fields(a.Text)))}, nil
	})
}

package basics

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/tool"
)

//go:embed read_result.md
var readResultText string

// maxPage is the most that read_result returns, its note included, so that it is never clipped
// itself.
const (
	maxPage = 12_000
	noteMax = 200
)

type resultArgs struct {
	Handle string `json:"handle" jsonschema:"the handle of the result, as its note gives it" min:"1" max:"200"`
	Offset int    `json:"offset,omitempty" jsonschema:"the byte to begin at" min:"0" default:"0"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many bytes to return at most" min:"1" max:"12000" default:"8000"`
	Find   string `json:"find,omitempty" jsonschema:"return the places with this text, in upper or lower case, instead" max:"200"`
}

// Page is the Data of read_result.
type Page struct {
	Handle string  `json:"handle"`
	Offset int     `json:"offset"` // of the first byte returned
	Bytes  int     `json:"bytes"`  // how many were returned
	Total  int     `json:"total"`  // of the whole text
	Next   *int    `json:"next_offset,omitempty"`
	Places []Place `json:"places,omitempty"` // of a find
}

// ReadResult is the tool read_result. The function returns the whole text that a handle names, of the
// invocation's run or an earlier one of its session, and an error with code not_found if there is none.
func ReadResult(read func(ctx context.Context, inv rein.Invocation, handle string) (string, error)) (rein.Tool, error) {
	if read == nil {
		return rein.Tool{}, rein.Errorf(rein.CodeInvalid, "read_result has nothing to read from: give it a function")
	}
	return tool.New(tool.Spec{Name: "read_result", Family: "basics", Text: readResultText, Effect: rein.Pure},
		func(ctx context.Context, inv rein.Invocation, args resultArgs) (rein.Done, error) {
			if odd := strings.ContainsFunc(args.Handle, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }); odd || args.Handle == "" {
				return rein.Done{}, badHandle(args.Handle, "is no handle")
			}
			text, err := read(ctx, inv, args.Handle)
			switch {
			case errors.Is(err, &rein.Error{Code: rein.CodeNotFound}):
				return rein.Done{}, badHandle(args.Handle, "is no handle of a result of this session")
			case err != nil:
				return rein.Done{}, fmt.Errorf("read the result %q: %w", args.Handle, err)
			}
			return show(text, args)
		})
}

func badHandle(handle, what string) error {
	return rein.Errorf(rein.CodeNotFound, `%.100q %s: where a result was clipped a note says how to go on, such as read_result {"handle":"7"}; use what stands there`, handle, what)
}

// show returns the part of the text that is asked for.
func show(text string, args resultArgs) (rein.Done, error) {
	if args.Offset < 0 || args.Offset > len(text) || args.Offset == len(text) && text != "" {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "offset %d is outside the result, which has %d bytes: use 0 to %d", args.Offset, len(text), max(len(text)-1, 0))
	}
	page := Page{Handle: args.Handle, Total: len(text)}
	shown := ""
	if args.Find != "" {
		shown = page.find(text, args)
	} else {
		shown = page.slice(text, args)
	}
	data, err := json.Marshal(page)
	return rein.Done{Text: shown, Data: data}, err
}

// slice takes whole characters only: it begins with the one that the offset lies in, and has at
// least one, so that reading on comes to an end.
func (p *Page) slice(text string, args resultArgs) string {
	start := back(text, args.Offset)
	end := back(text, min(start+min(max(args.Limit, 1), maxPage-noteMax), len(text)))
	if end <= start && start < len(text) {
		_, width := utf8.DecodeRuneInString(text[start:])
		end = start + width
	}
	p.Offset, p.Bytes = start, end-start
	switch {
	case text == "":
		return "[the result is empty]"
	case end < len(text):
		p.Next = &end
		return fmt.Sprintf("%s\n[bytes %d to %d of %d; go on with offset %d]", text[start:end], start, end, len(text), end)
	}
	return fmt.Sprintf("%s\n[bytes %d to %d of %d: the end]", text[start:end], start, end, len(text))
}

// back moves a place in a text to the beginning of the character that it lies in. Bytes that are no
// characters each stand alone.
func back(text string, at int) int {
	if at <= 0 || at >= len(text) || utf8.RuneStart(text[at]) {
		return at
	}
	for start := at - 1; start >= max(at-utf8.UTFMax+1, 0); start-- {
		if _, width := utf8.DecodeRuneInString(text[start:]); start+width > at {
			return start
		}
	}
	return at
}

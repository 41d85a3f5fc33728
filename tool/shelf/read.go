package shelf

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"rein"
	kept "rein/household/shelf"
	"rein/internal/picture"
	"rein/tool"
)

//go:embed read_session_file.md
var readText string

// maxPage is the most bytes of one call, so that a result is not clipped.
const maxPage = 12_000

type readArgs struct {
	Name   string `json:"name" jsonschema:"the name of the file, as session_files lists it" min:"1" max:"500"`
	Offset int64  `json:"offset,omitempty" jsonschema:"the byte to begin at" min:"0" default:"0"`
	Limit  int64  `json:"limit,omitempty" jsonschema:"how many bytes to return at most" min:"1" max:"12000" default:"8000"`
}

// Page is the Data of read_session_file.
type Page struct {
	File   rein.File `json:"file"`
	Offset int64     `json:"offset"` // of the first byte returned
	Bytes  int       `json:"bytes"`  // how many were returned; none of a file that is not text
	Next   *int64    `json:"next_offset,omitempty"`
}

// Read is the tool read_session_file.
func Read(s kept.Shelf) (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "read_session_file", Family: "basics", Text: readText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, args readArgs) (rein.Done, error) {
		place, err := kept.PlaceOf(inv)
		if err != nil {
			return rein.Done{}, err
		}
		// A character may begin before the offset, and end after the limit.
		const around = utf8.UTFMax - 1
		limit := min(max(args.Limit, 1), maxPage)
		from := max(args.Offset-around, 0)
		f, piece, err := s.Get(ctx, place, args.Name, from, args.Offset-from+limit+around)
		switch {
		case rein.CodeOf(err) == rein.CodeNotFound:
			return rein.Done{}, rein.Errorf(rein.CodeNotFound, "%w: session_files lists what there is", err)
		case err != nil:
			return rein.Done{}, err
		case !f.Text && f.Size <= picture.MaxBytes:
			return whole(ctx, s, place, f)
		case !f.Text:
			return page(Page{File: f}, unreadable(f))
		case args.Offset < 0 || args.Offset >= f.Size && f.Size > 0:
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "offset %d is outside of %q, which has %d bytes: use 0 to %d", args.Offset, f.Name, f.Size, f.Size-1)
		}
		return show(f, from, piece, args.Offset, limit)
	})
}

// whole returns a file that is an image as one. Any other is described.
func whole(ctx context.Context, s kept.Shelf, place rein.Place, f rein.File) (rein.Done, error) {
	f, data, err := s.Get(ctx, place, f.Name, 0, f.Size)
	if err != nil {
		return rein.Done{}, err
	}
	image, err := picture.Look(rein.Image{Name: f.Name, Data: data})
	if err != nil {
		return page(Page{File: f}, unreadable(f))
	}
	done, err := page(Page{File: f}, fmt.Sprintf("%s is an image of %d×%d pixels.", f.Name, image.Width, image.Height))
	done.Images = []rein.Image{image}
	return done, err
}

// unreadable says what a file is that cannot be shown.
func unreadable(f rein.File) string {
	return fmt.Sprintf("[%s is not text: %s, SHA-256 %s]", f.Name, describe(f), f.SHA256)
}

// show cuts whole characters out of a piece that begins at from. There is at least one, so that
// reading on comes to an end.
func show(f rein.File, from int64, piece []byte, offset, limit int64) (rein.Done, error) {
	if f.Size == 0 {
		return page(Page{File: f}, fmt.Sprintf("[%s is empty]", f.Name))
	}
	start := back(piece, int(offset-from))
	end := back(piece, min(start+int(limit), len(piece)))
	if end <= start {
		_, width := utf8.DecodeRune(piece[start:])
		end = start + width
	}
	p := Page{File: f, Offset: from + int64(start), Bytes: end - start}
	next := p.Offset + int64(p.Bytes)
	note := fmt.Sprintf("\n[bytes %d to %d of %d: the end]", p.Offset, next, f.Size)
	if next < f.Size {
		p.Next = &next
		note = fmt.Sprintf("\n[bytes %d to %d of %d; go on with offset %d]", p.Offset, next, f.Size, next)
	}
	return page(p, string(piece[start:end])+note)
}

// back moves a place in a text to the beginning of the character that it lies in.
func back(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func page(p Page, text string) (rein.Done, error) {
	data, err := json.Marshal(p)
	return rein.Done{Text: text, Data: data}, err
}

package files

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/tool"
)

//go:embed read_file.md
var readFileText string

// maxRead is the most text that one call returns. Files beyond it are read in ranges of lines.
const maxRead = 8 << 20

type readArgs struct {
	Path     string `json:"path" jsonschema:"the file, relative to the allowed folder or absolute inside it" min:"1" max:"4096"`
	FromLine int    `json:"from_line,omitempty" jsonschema:"the first line to return; lines count from 1" min:"1" default:"1"`
	Lines    int    `json:"lines,omitempty" jsonschema:"how many lines to return; without it all that follow" min:"1"`
}

// Read is the Data of read_file.
type Read struct {
	Path     string `json:"path"`
	FromLine int    `json:"from_line"`
	Lines    int    `json:"lines"` // how many were returned
	// TotalLines and Hash (SHA-256, hex) are of the whole file. They are left out if the file is large
	// and the range ended before it.
	TotalLines *int   `json:"total_lines,omitempty"`
	Hash       string `json:"hash,omitempty"`
	Bytes      int64  `json:"bytes"` // of the whole file
}

// ReadFile is the tool read_file.
func (r *Root) ReadFile() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "read_file", Family: "files", Text: readFileText, Effect: rein.Pure, Code: true}, r.readFile)
}

func (r *Root) readFile(ctx context.Context, inv rein.Invocation, args readArgs) (rein.Done, error) {
	f, info, err := r.opened(inv, args.Path, fileOnly)
	if err != nil {
		return rein.Done{}, err
	}
	defer f.Close()
	defer unblock(ctx, f)()
	in := bufio.NewReaderSize(f, pieceSize)
	if head, _ := in.Peek(headSize); isPicture(head) { // if it cannot be read, the scan says why
		return readPicture(in, args, info)
	}
	whole := args.FromLine <= 1 && args.Lines <= 0
	if whole && info.Size() > maxRead {
		return rein.Done{}, tooLarge(args.Path, info.Size())
	}
	s := newScan(in, args.FromLine, args.Lines)
	s.large = info.Size() > maxRead
	if err := s.run(ctx); err != nil {
		return rein.Done{}, readError(args.Path, info, s, err)
	}
	return s.done(args.Path, info.Size())
}

// unblock ends a read that waits when the context ends, if the file is of a kind that can wait.
func unblock(ctx context.Context, f *os.File) (release func()) {
	stop := context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

// done is the result for the model and for programs.
func (s *scan) done(path string, size int64) (rein.Done, error) {
	total := s.line()
	if s.ended && s.from > max(total, 1) {
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "%.200q has %d lines: from_line %d is beyond them", path, total, s.from)
	}
	read := Read{Path: path, FromLine: s.from, Lines: s.taken, Bytes: size}
	note := fmt.Sprintf("[lines %d-%d; more follow: go on with from_line %d]", s.from, s.from+s.taken-1, s.from+s.taken)
	if s.ended {
		read.TotalLines, read.Hash, read.Bytes = &total, s.sum(), s.bytes
		note = s.rest(total)
	}
	data, err := json.Marshal(read)
	return rein.Done{Text: withNote(s.text.String(), note), Data: data, Evidence: rein.EvidenceFile}, err
}

// rest is the note on what of a file was left out.
func (s *scan) rest(total int) string {
	last := s.from + s.taken - 1
	switch {
	case total == 0:
		return "[the file is empty]"
	case last < total:
		return fmt.Sprintf("[lines %d-%d of %d; go on with from_line %d]", s.from, last, total, last+1)
	case s.from > 1:
		return fmt.Sprintf("[lines %d-%d of %d]", s.from, last, total)
	}
	return ""
}

func withNote(text, note string) string {
	if note == "" || text == "" {
		return text + note
	}
	return strings.TrimSuffix(text, "\n") + "\n" + note
}

func readError(path string, info fs.FileInfo, s *scan, err error) error {
	switch err {
	case errBinary:
		return rein.Errorf(rein.CodeInvalid, "%.200q is not UTF-8 text: %d bytes that look like %s", path, info.Size(), guess(s.head))
	case errLarge:
		if s.from <= 1 && s.want <= 0 {
			return tooLarge(path, info.Size())
		}
		return rein.Errorf(rein.CodeInvalid, "%.200q: these lines have more than %d MiB: ask for fewer", path, maxRead>>20)
	}
	return fmt.Errorf("%.200q was not read to the end: %w", path, cause(err))
}

func tooLarge(path string, size int64) error {
	return rein.Errorf(rein.CodeInvalid, "%.200q has %d bytes, too many to read at once (at most %d MiB): ask for a range with from_line and lines", path, size, maxRead>>20)
}

// guess names the type of what is not UTF-8 text by its first bytes.
func guess(head []byte) string {
	kind := http.DetectContentType(head)
	if kind == "text/plain; charset=utf-8" {
		return "text in another encoding"
	}
	return kind
}

func isText(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0
}

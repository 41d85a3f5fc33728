package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

var (
	errBinary = errors.New("not text")
	errLarge  = errors.New("too large")
)

// pieceSize is how much of a file is in memory besides the lines that are wanted, however long its
// lines are.
const pieceSize = 64 << 10

// A scan streams a file and keeps some of its lines.
type scan struct {
	from, want int  // the first line, and how many; zero takes all
	large      bool // do not read on after the last wanted line, only to know the whole

	in    *bufio.Reader
	hash  hash.Hash
	head  []byte // the first bytes, to guess what a binary is
	text  bytes.Buffer
	taken int   // lines that were kept
	bytes int64 // that were read
	full  int   // lines that ended with a newline
	open  bool  // the last line has not ended
	ended bool  // the whole file was read
}

func newScan(f io.Reader, from, want int) *scan {
	return &scan{from: max(from, 1), want: want, in: bufio.NewReaderSize(f, pieceSize), hash: sha256.New()}
}

// run reads the file until the wanted lines, or all, are read.
func (s *scan) run(ctx context.Context) error {
	head, _ := s.in.Peek(512)
	s.head = bytes.Clone(head)
	if bytes.IndexByte(s.head, 0) >= 0 {
		return errBinary
	}
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		piece, err := s.in.ReadSlice('\n')
		if taken := s.take(piece); taken != nil {
			return taken
		}
		switch {
		case err == io.EOF:
			s.ended = true
			return s.check()
		case err != nil && err != bufio.ErrBufferFull:
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return err
		case s.past() && (s.large || s.bytes > maxRead): // some files are larger than they say
			return s.check()
		}
	}
}

// take counts a piece of a line, and keeps it if the line is wanted.
func (s *scan) take(piece []byte) error {
	if len(piece) == 0 {
		return nil
	}
	s.bytes += int64(len(piece))
	s.hash.Write(piece)
	if s.full+1 >= s.from && !s.past() {
		if s.text.Len()+len(piece) > maxRead {
			return errLarge
		}
		s.text.Write(piece)
		s.taken = s.full + 2 - s.from
	}
	s.open = piece[len(piece)-1] != '\n'
	if !s.open {
		s.full++
	}
	return nil
}

// past reports whether all wanted lines were read.
func (s *scan) past() bool { return s.want > 0 && s.full-s.from+1 >= s.want }

func (s *scan) check() error {
	if !isText(s.text.Bytes()) {
		return errBinary
	}
	return nil
}

// line is how many lines were read; the last may have no newline.
func (s *scan) line() int {
	if s.open {
		return s.full + 1
	}
	return s.full
}

func (s *scan) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

package cassette

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"rein"
)

// MaxBytes bounds a cassette: what is read, written, or made of a log.
const MaxBytes = 256 << 20

const comment = "A recorded run of rein: who took part, then the log, event by event.\n" +
	"`rein replay FILE` plays it again and says what is different.\n\n"

// headerName is the part of the file that holds the Header.
const headerName = "cassette"

// line is an event without what the name of its part says.
type line struct {
	At    time.Time       `json:"at"`
	By    string          `json:"by,omitempty"`
	Spend rein.Amount     `json:"spend,omitzero"`
	Data  json.RawMessage `json:"data,omitempty"`
}

// Format writes a tape as a txtar archive: the header, and a part for each event whose name is its
// run, its place in the run's log, its kind and its step.
func Format(t *Tape) ([]byte, error) {
	archive := &txtar.Archive{Comment: []byte(comment)}
	add := func(name string, v any) error {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err := enc.Encode(v)
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: b.Bytes()})
		return err
	}
	if err := add(headerName, t.Header); err != nil {
		return nil, err
	}
	for _, e := range t.Events {
		name := strings.TrimSpace(fmt.Sprintf("%s %d %s %s", e.Run, e.Seq, e.Kind, e.Step))
		if err := add(name, line{e.At, e.By, e.Spend, e.Data}); err != nil {
			return nil, err
		}
	}
	return txtar.Format(archive), nil
}

// Parse reads what Format wrote.
func Parse(data []byte) (*Tape, error) {
	archive := txtar.Parse(data)
	if len(archive.Files) == 0 || archive.Files[0].Name != headerName {
		return nil, rein.Errorf(rein.CodeInvalid, "it is no cassette: its first part must be %q", "-- "+headerName+" --")
	}
	t := &Tape{}
	if err := json.Unmarshal(archive.Files[0].Data, &t.Header); err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the header of the cassette cannot be read: %w", err)
	}
	if t.Version != Version {
		return nil, t.Check()
	}
	for _, f := range archive.Files[1:] {
		e, err := parseEvent(f)
		if err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "part %q of the cassette cannot be read: %w", f.Name, err)
		}
		t.Events = append(t.Events, e)
	}
	return t, t.Check()
}

func parseEvent(f txtar.File) (rein.Event, error) {
	words := strings.Fields(f.Name)
	if len(words) < 3 || len(words) > 4 {
		return rein.Event{}, errors.New("its name must be RUN NUMBER KIND [STEP]")
	}
	seq, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return rein.Event{}, errors.New("its name must be RUN NUMBER KIND [STEP]")
	}
	var l line
	if err := json.Unmarshal(f.Data, &l); err != nil {
		return rein.Event{}, err
	}
	var data bytes.Buffer
	if len(l.Data) > 0 {
		if err := json.Compact(&data, l.Data); err != nil {
			return rein.Event{}, err
		}
	}
	e := rein.Event{Run: rein.RunID(words[0]), Seq: seq, Kind: rein.Kind(words[2]), At: l.At, By: l.By, Spend: l.Spend, Data: data.Bytes()}
	if len(words) == 4 {
		e.Step = rein.StepKey(words[3])
	}
	return e, e.Run.Check()
}

// ReadFile reads a tape.
func ReadFile(name string) (*Tape, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = rein.Errorf(rein.CodeInvalid, "it has more than %d bytes, which no cassette has", MaxBytes)
	}
	var t *Tape
	if err == nil {
		t, err = Parse(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// WriteFile writes a tape to a new file, which only its owner can read.
func WriteFile(name string, t *Tape) (err error) {
	data, err := Format(t)
	if err != nil {
		return err
	}
	if len(data) > MaxBytes {
		return rein.Errorf(rein.CodeLimit, "the cassette would have %d bytes, more than %d: it could not be read again", len(data), MaxBytes)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"sync"
	"time"

	"rein"
	"rein/internal/eventjson"
	"rein/store"
)

const saltSize = 16

// A payload is ready to be written: everything that costs time is done by the goroutine that asks
// for the write, not by the writer.
type payload struct {
	data   []byte // as it was marshalled; nil: none
	blob   []byte // as it is kept
	texts  []store.Text
	salt   [saltSize]byte
	digest rein.Hash
}

// size is what an event with the payload counts for, without its texts.
func (p *payload) size() int64 { return eventBytes + int64(len(p.blob)) }

// mostSize is size with all texts, as if none of them were known.
func (p *payload) mostSize() int64 {
	n := p.size()
	for _, text := range p.texts {
		n += int64(len(text.Data))
	}
	return n
}

func newPayload(value any) (*payload, error) {
	p := &payload{}
	return p, p.pack(value)
}

// pack makes the payload that of a value.
func (p *payload) pack(value any) (err error) {
	if value != nil {
		if p.data, err = marshal(value); err != nil {
			return err
		}
	}
	p.blob, p.texts = store.Pack(p.data)
	if p.blob == nil {
		p.blob = []byte{} // NULL would mean erased
	}
	rand.Read(p.salt[:])
	p.digest = rein.PayloadDigest(p.salt[:], p.data)
	return nil
}

// scratch is where payloads are written before their length is known.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// maxScratch is the most that a scratch keeps for the next payload.
const maxScratch = 64 << 10

// marshal is json.Marshal without the escapes for HTML, which would only take room.
func marshal(value any) ([]byte, error) {
	s := scratch.Get().(*[]byte)
	defer scratch.Put(s)
	data, err := eventjson.Append((*s)[:0], value)
	if cap(data) <= maxScratch {
		*s = data
	}
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "payload %T cannot be written as JSON: %w", value, err)
	}
	if len(data) > store.MaxPayload {
		return nil, rein.Errorf(rein.CodeInvalid, "payload %T has %d bytes; at most %d", value, len(data), store.MaxPayload)
	}
	return bytes.Clone(data), nil
}

// append writes the next event of a run. The caller saves the head.
func (w *writer) append(h *head, e rein.Event, p *payload) (rein.Event, error) {
	e = h.next(e, p)
	return e, w.putEvent(h, e, p)
}

// next chains an event to the run's log, in memory.
func (h *head) next(e rein.Event, p *payload) rein.Event {
	e.Run, e.Seq, e.At, e.Data = h.id, h.seq+1, stamp(e.At), p.data
	e.Hash = rein.ChainHash(h.hash, e, p.digest)
	h.seq, h.hash, h.changed = e.Seq, e.Hash, e.At.UnixMicro()
	return e
}

// rows are events that are about to be written, with their payloads.
type rows struct {
	events   []rein.Event
	payloads []*payload
}

// reset begins new rows in the room of the old ones.
func (r *rows) reset() {
	clear(r.events)
	clear(r.payloads)
	r.events, r.payloads = r.events[:0], r.payloads[:0]
}

func (r *rows) add(e rein.Event, p *payload) {
	r.events, r.payloads = append(r.events, e), append(r.payloads, p)
}

func (w *writer) putEvent(h *head, e rein.Event, p *payload) error {
	w.rows.reset()
	w.rows.add(e, p)
	return w.putRows(h)
}

// putRows writes the rows, as many with one statement as it can.
func (w *writer) putRows(h *head) error {
	for from := 0; from < len(w.rows.events); from += maxRows {
		to := min(from+maxRows, len(w.rows.events))
		w.row = append(w.row[:0], h.n)
		for i := from; i < to; i++ {
			w.row = eventArgs(w.row, &w.rows.events[i], w.rows.payloads[i])
		}
		if err := w.put(w.addEvents[to-from-1], w.row...); err != nil {
			return err
		}
	}
	w.events = append(w.events, w.rows.events...)
	for _, p := range w.rows.payloads {
		w.weigh(h.account, p.size())
		if err := w.keepTexts(h, p.texts); err != nil {
			return err
		}
	}
	return nil
}

// eventArgs appends what eventRow asks for beside the run.
func eventArgs(args []any, e *rein.Event, p *payload) []any {
	return append(args, e.By, e.Seq, string(e.Kind), string(e.Step), e.At.UnixMicro(),
		packAmount(e.Spend), p.salt[:], p.blob, e.Hash[:])
}

// appendCommand writes an event that counts as a command.
func (w *writer) appendCommand(h *head, c rein.Command, p *payload, at time.Time) (rein.CommandID, error) {
	e, err := w.append(h, rein.Event{Kind: c.Kind.EventKind(), By: c.By, At: at}, p)
	if err != nil {
		return "", err
	}
	h.command = e.Seq
	return rein.NewCommandID(h.id, e.Seq), nil
}

func (w *writer) keepTexts(h *head, texts []store.Text) error {
	for _, text := range texts {
		n, err := w.keepText(h.household, text)
		if err != nil {
			return err
		}
		refers, err := w.changeOne(w.addTextRef, h.n, n)
		if err != nil {
			return err
		}
		if refers {
			w.weigh(h.account, int64(len(text.Data)))
		}
	}
	return nil
}

// keepText returns the number of a text, and adds it if it is new. The same prompts are in run after run, so
// the numbers are remembered.
func (w *writer) keepText(household int64, text store.Text) (n int64, err error) {
	key := textKey{household, text.Hash}
	if n, ok := w.known[key]; ok {
		return n, nil
	}
	n, added, err := w.insert(w.addText, household, text.Hash[:], text.Data)
	if err == nil && !added {
		err = w.findText.QueryRowContext(context.Background(), household, text.Hash[:]).Scan(&n)
	}
	if err == nil {
		w.known[key] = n
	}
	return n, err
}

// keep packs a value for a view's column. Its long texts are those of the event that it came with.
func (w *writer) keep(h *head, value any) ([]byte, error) {
	data, err := marshal(value)
	if err != nil {
		return nil, err
	}
	blob, texts := store.Pack(data)
	return blob, w.keepTexts(h, texts)
}

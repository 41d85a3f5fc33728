package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"

	"rein"
)

// play does what the entry says.
func (m *Model) play(ctx context.Context, e *entry, v *view, show func(string)) (rein.ModelReply, error) {
	if err := m.pause(ctx, e, e.slow); err != nil {
		return rein.ModelReply{}, err
	}
	msg := rein.Message{Role: rein.Assistant}
	if f := e.fault(v.attempt); f != nil {
		if err := m.playFault(ctx, e, f, show); err != nil {
			return rein.ModelReply{}, err
		}
	} else if err := m.fill(&msg, e, v); err != nil {
		return rein.ModelReply{}, err
	}
	if err := m.stream(ctx, e, msg.Text, show); err != nil {
		return rein.ModelReply{}, err
	}
	return rein.ModelReply{Message: msg, Usage: m.usage(e, v, msg), Model: m.info.Name}, nil
}

// playFault returns the error of a fault. An empty reply is a fault that has none.
func (m *Model) playFault(ctx context.Context, e *entry, f *fault, show func(string)) error {
	switch f.kind {
	case failing:
		err := rein.Errorf(f.code, "%s", f.text)
		err.RetryAfter = f.after
		return err
	case cutting:
		if err := m.stream(ctx, e, f.text, show); err != nil {
			return err
		}
		return rein.Errorf(rein.CodeProvider, "the stream broke after %d bytes: %w", len(f.text), io.ErrUnexpectedEOF)
	case hanging:
		<-ctx.Done()
		return m.ended(ctx, e)
	default:
		return nil
	}
}

// fill writes the reply of the entry into the message.
func (m *Model) fill(msg *rein.Message, e *entry, v *view) error {
	texts := slices.Clone(e.said)
	taken := callIDs(v.req.Messages)
	for _, c := range e.calls {
		if c.id != "" {
			taken[c.id] = true
		}
	}
	for i, c := range e.calls {
		if err := m.checkOffered(c, v.offered()); err != nil {
			return err
		}
		name := c.name
		if name == "" { // malformed without a name
			if len(v.offered()) == 0 {
				texts = append(texts, string(c.args))
				continue
			}
			name = v.offered()[0]
		}
		id := c.id
		if id == "" {
			id = newID(v.turn, i+1, taken)
		}
		msg.Calls = append(msg.Calls, rein.ToolCall{ID: id, Name: name, Args: slices.Clone(c.args)})
	}
	msg.Text = strings.Join(texts, "\n")
	return nil
}

// checkOffered keeps scripts honest: a misspelt call must not pass for a test of a wrong one.
func (m *Model) checkOffered(c call, offered []string) error {
	has := slices.Contains(offered, c.name)
	if c.kind == rightCall && !has {
		return rein.Errorf(rein.CodeInvalid, "script %s:%d: call %s: it was not offered (offered: %s); to call it nevertheless use wrong-tool", m.name, c.line, c.name, list(offered))
	}
	if c.kind == wrongCall && has {
		return rein.Errorf(rein.CodeInvalid, "script %s:%d: wrong-tool %s: it was offered; use call", m.name, c.line, c.name)
	}
	return nil
}

func callIDs(messages []rein.Message) map[string]bool {
	ids := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls {
			ids[c.ID] = true
		}
	}
	return ids
}

// newID names a call by its place. After a compaction an old call may have that name still.
func newID(turn, n int, taken map[string]bool) string {
	id := fmt.Sprintf("c%d-%d", turn, n)
	for taken[id] {
		id += "x"
	}
	taken[id] = true
	return id
}

// stream shows the text word by word. The pauses do not depend on whether anybody looks.
func (m *Model) stream(ctx context.Context, e *entry, text string, show func(string)) error {
	first := true
	for piece := range pieces(text) {
		if !first {
			if err := m.pause(ctx, e, e.drip); err != nil {
				return err
			}
		}
		first = false
		if show != nil {
			show(piece)
		}
	}
	return nil
}

// pieces cuts a text after the blanks that follow each word.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, blank := 0, false
		for i, r := range text {
			if blank && !unicode.IsSpace(r) {
				if !yield(text[start:i]) {
					return
				}
				start = i
			}
			blank = unicode.IsSpace(r)
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

func (m *Model) pause(ctx context.Context, e *entry, d time.Duration) error {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return m.ended(ctx, e)
	}
	return nil
}

// ended is the error of a call whose context is over.
func (m *Model) ended(ctx context.Context, e *entry) error {
	code := rein.CodeProvider
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = rein.CodeTimeout
	}
	return rein.Errorf(code, "script %s:%d: call ended early: %w", m.name, e.line, ctx.Err())
}

// usage reports what the reply took, in the way that the entry wants.
func (m *Model) usage(e *entry, v *view, msg rein.Message) *rein.Usage {
	u := rein.Usage{Input: int64(v.bytes / 4), Output: words(msg), Micros: -1}
	switch e.account {
	case unsaid:
		return nil
	case given:
		u = *e.usage
	case overrun:
		u.Input, u.Output = m.beyond(v)
	}
	if u.Micros < 0 {
		const million = 1_000_000
		u.Micros = (u.Input*m.info.InputMicros + u.Output*m.info.OutputMicros + million - 1) / million
	}
	return &u
}

// beyond returns more tokens than anybody could have reserved for the request: bounds count bytes,
// with something for each message and tool, and assume a limit where none is given.
func (m *Model) beyond(v *view) (input, output int64) {
	const perPart, fallback = 256, 1 << 20
	input = int64(2*(v.bytes+len(v.req.Schema)) + perPart)
	for _, msg := range v.req.Messages {
		input += int64(perPart * (1 + len(msg.Calls)))
	}
	for _, t := range v.req.Offered {
		input += int64(2*(len(t.Name)+len(t.Description)+len(t.Schema)) + perPart)
	}
	limit := cmp.Or(v.req.MaxTokens, m.info.MaxOutput, fallback)
	return max(input, m.info.Window+1), 2*min(limit, most) + 1
}

func words(msg rein.Message) int64 {
	n := len(strings.Fields(msg.Text))
	for _, c := range msg.Calls {
		n += 1 + len(strings.Fields(string(c.Args)))
	}
	return int64(n)
}

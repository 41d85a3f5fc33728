package sqlite

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/store"
)

const maxKey = 200

// A sent command is ready to be written.
type sent struct {
	rein.Command
	at      time.Time
	payload *payload
	digest  rein.Hash // of what it says: the same key must mean the same
}

// Command implements store.Writer.
func (s *Store) Command(ctx context.Context, c rein.Command, at time.Time) (receipt rein.Receipt, err error) {
	ready, err := prepareCommand(c, at)
	if err != nil {
		return receipt, err
	}
	err = s.submit(ctx, &request{do: func(w *writer) (err error) {
		receipt, err = w.command(ready)
		return err
	}})
	if err != nil {
		return rein.Receipt{}, err
	}
	return receipt, nil
}

func prepareCommand(c rein.Command, at time.Time) (*sent, error) {
	if err := checkCommand(&c); err != nil {
		return nil, err
	}
	digest, err := contentDigest(c)
	if err != nil {
		return nil, err
	}
	if c.Key == "" {
		c.Key = rand.Text()
	}
	p, err := newPayload(c)
	if err != nil {
		return nil, err
	}
	return &sent{Command: c, at: stamp(at), payload: p, digest: digest}, nil
}

func checkCommand(c *rein.Command) error {
	bad := func(what string) error {
		return rein.Errorf(rein.CodeInvalid, "%s to run %q: %s", c.Kind, string(c.Run), what)
	}
	switch c.Kind {
	case rein.CommandAnswer:
		if c.Answer.By == "" {
			c.Answer.By = c.By
		}
		if c.Answer.By != c.By {
			return bad("it is sent by " + c.By + " but the answer is by " + c.Answer.By)
		}
	case rein.CommandExpire:
		if c.By == "" {
			c.By = system
		}
	case rein.CommandMessage, rein.CommandModify, rein.CommandComment, rein.CommandStop, rein.CommandCancel, rein.CommandDelete,
		rein.CommandPause, rein.CommandResume:
	case rein.CommandMode:
		if c.Mode == "" || c.Mode.Check() != nil {
			return bad("its mode must be plan, ask, edits or sandbox")
		}
	default:
		return bad("nobody can send a command of this kind")
	}
	switch {
	case len(c.Text) > store.MaxPayload:
		return bad("its text is too long: at most 16 MiB")
	case len(c.Key) > maxKey || !printable(c.Key):
		return bad("its key must be at most 200 bytes that can be printed")
	case c.From != "" && (c.Kind != rein.CommandMessage || c.From == c.Run || c.From.Root() != c.Run.Root()):
		return bad("only another run of its tree sends it a message")
	case c.Cause != "" || c.Child != "" || c.End != "":
		return bad("cause, child and end are for the store to set")
	}
	return nil
}

// system is who sends what time and the rules bring about.
const system = "system"

func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

func contentDigest(c rein.Command) (rein.Hash, error) {
	data, err := marshal(rein.Command{Kind: c.Kind, Text: c.Text, Ask: c.Ask, Answer: c.Answer, Mode: c.Mode})
	return sha256.Sum256(data), err
}

// command records what someone sent, and what follows from it.
func (w *writer) command(c *sent) (rein.Receipt, error) {
	h, err := w.head(c.Run)
	if err != nil {
		return rein.Receipt{}, err
	}
	if receipt, found, err := w.sentBefore(h, c); found || err != nil {
		return receipt, err
	}
	if c.Kind == rein.CommandAnswer || c.Kind == rein.CommandExpire {
		return w.answer(h, c) // of an ended run too: who closed the ask says more than that it has ended
	}
	if h.done {
		return rein.Receipt{}, h.finished()
	}
	if err := w.maySend(h, c); err != nil {
		return rein.Receipt{}, err
	}
	switch {
	case c.Kind.Ends() != "":
		return w.stop(h, c)
	case isPause(c.Kind):
		return w.pause(h, c)
	case c.Kind == rein.CommandModify:
		return w.modify(h, c)
	case c.Kind == rein.CommandMode:
		return w.mode(h, c)
	}
	return w.take(h, c)
}

// take records a command with what it does to the run itself.
func (w *writer) take(h *head, c *sent) (rein.Receipt, error) {
	switch c.Kind {
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
		return w.stopOne(h, c)
	case rein.CommandModify:
		if err := w.withdrawAsks(h, c.By, c.at); err != nil {
			return rein.Receipt{}, err
		}
	case rein.CommandPause, rein.CommandResume:
		return w.pauseOne(h, c)
	case rein.CommandMode:
		return w.modeOne(h, c)
	case rein.CommandComment:
		return w.record(h, c, rein.ReceiptApplied, "")
	}
	return w.record(h, c, rein.ReceiptPending, "")
}

// sentBefore finds the receipt of a command that was sent with the same key.
func (w *writer) sentBefore(h *head, c *sent) (r rein.Receipt, found bool, err error) {
	var seq int64
	var digest []byte
	err = w.getKey.QueryRowContext(context.Background(), h.n, c.Key).Scan(&seq, &digest, &r.Kind, &r.State, &r.Step, &r.Started, &r.Reason)
	if errors.Is(err, sql.ErrNoRows) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	// Erasing a run takes the digests too: from one, a short text could be guessed.
	if digest != nil && rein.Hash(digest) != c.digest {
		return rein.Receipt{}, true, rein.Errorf(rein.CodeConflict, "key %q was used for another command to run %s: choose a new one", c.Key, h.id)
	}
	r.Command, r.Again = rein.NewCommandID(h.id, seq), true
	return r, true, nil
}

// wakes reports whether the command gives a waiting run something to do.
func wakes(k rein.CommandKind) bool {
	return k != rein.CommandComment && k != rein.CommandPause && k != rein.CommandMode
}

// record writes the command's event and receipt, and makes a waiting run due.
func (w *writer) record(h *head, c *sent, state rein.ReceiptState, step rein.StepKey) (rein.Receipt, error) {
	id, err := w.appendCommand(h, c.Command, c.payload, c.at)
	if err != nil {
		return rein.Receipt{}, err
	}
	key := sql.NullString{String: c.Key, Valid: c.Key != ""}
	err = w.put(w.addCommand, h.n, h.command, key, c.digest[:], string(c.Kind), c.By, string(state), string(step))
	if err != nil {
		return rein.Receipt{}, err
	}
	if err := w.noteTyped(h, c.Command); err != nil {
		return rein.Receipt{}, err
	}
	if h.status == rein.StatusWaiting && wakes(c.Kind) || h.status == rein.StatusBlocked && c.Kind.Ends() != "" {
		h.wakeBy(c.at)
	}
	receipt := rein.Receipt{Command: id, Kind: c.Kind, State: state, Step: step, Touched: []rein.RunID{h.id}}
	return receipt, w.saveHead(h)
}

// answer closes an ask, for a person or because its time is up.
func (w *writer) answer(h *head, c *sent) (rein.Receipt, error) {
	ask, err := w.ask(h, c.Ask)
	if err != nil {
		return rein.Receipt{}, err
	}
	answer := c.closes()
	if c.Kind == rein.CommandExpire {
		err = expires(ask, c.at)
	} else {
		err = ask.Accepts(answer)
	}
	if err == nil {
		err = notPending(ask)
	}
	if err == nil && c.Kind == rein.CommandAnswer {
		err = ask.Binds(answer)
	}
	if err == nil && c.Kind == rein.CommandAnswer {
		err = w.mayAnswer(h, ask, answer)
	}
	if err != nil {
		return rein.Receipt{}, err
	}
	receipt, err := w.takeAnswer(h, c, ask)
	if err == nil && answer.State == rein.AskApproved && len(ask.Modes) > 0 {
		err = w.acceptPlan(h, c, answer.Mode.Or(ask.Modes[0]), &receipt)
	}
	if err != nil || c.Kind != rein.CommandExpire || ask.OnExpiry != rein.ExpiryStop {
		return receipt, err
	}
	err = w.stopExpired(h, c, &receipt)
	return receipt, err
}

// closes is the answer that the command closes an ask with.
func (c *sent) closes() rein.Answer {
	if c.Kind == rein.CommandExpire {
		return rein.Answer{State: rein.AskExpired, By: c.By}
	}
	return c.Answer
}

// takeAnswer closes the ask and records what closed it.
func (w *writer) takeAnswer(h *head, c *sent, ask rein.Ask) (rein.Receipt, error) {
	if err := w.closeAsk(h, ask, c.closes(), c.at); err != nil {
		return rein.Receipt{}, err
	}
	return w.record(h, c, rein.ReceiptApplied, ask.Step)
}

// expires says why the ask does not expire now, if so.
func expires(ask rein.Ask, at time.Time) error {
	if ask.State != rein.AskPending {
		return nil // that it is closed says more
	}
	if ask.Deadline.IsZero() || ask.OnExpiry == rein.ExpiryPark {
		return rein.Errorf(rein.CodeInvalid, "ask %s does not expire", ask.ID)
	}
	if ask.Deadline.After(at) {
		return rein.Errorf(rein.CodeInvalid, "ask %s does not expire before %s", ask.ID, ask.Deadline.Format(time.RFC3339))
	}
	return nil
}

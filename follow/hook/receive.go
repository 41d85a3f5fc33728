package hook

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/follow/notify"
	"rein/follow/talk"
	"rein/internal/consent"
	"rein/store"
)

// MaxBody is how many bytes a request may have.
const MaxBody = 64 << 10

// A Request is what a program sends: a text for the assistant, or the answer to an ask.
type Request struct {
	ID     string     `json:"id"`               // names the request: the same ID again is the same request
	Text   string     `json:"text,omitempty"`   // for the assistant
	Ask    rein.AskID `json:"ask,omitempty"`    // what is answered
	Shown  string     `json:"shown,omitempty"`  // its shown, as it was read
	Answer string     `json:"answer,omitempty"` // yes, no, a choice, or the answer to a question
}

// A Receipt says what happened to a request.
type Receipt struct {
	ID       string        `json:"id"`
	Run      rein.RunID    `json:"run,omitempty"`      // the run that the text began or reached
	Answered rein.AskState `json:"answered,omitempty"` // what the ask is now
	Again    bool          `json:"again,omitempty"`    // it came before; this is what was answered then
}

const maxID = 200

func (r Request) check() error {
	switch {
	case r.ID == "" || len(r.ID) > maxID:
		return rein.Errorf(rein.CodeInvalid, "the request needs an id of 1 to %d bytes: another one for each request", maxID)
	case (r.Text == "") == (r.Ask == ""):
		return rein.Errorf(rein.CodeInvalid, "the request has either a text, or ask, shown and answer")
	case r.Ask != "" && (r.Shown == "" || r.Answer == ""):
		return rein.Errorf(rein.CodeInvalid, "to answer an ask send its ID, its shown as you read it, and your answer")
	case r.Text != "" && (r.Shown != "" || r.Answer != ""):
		return rein.Errorf(rein.CodeInvalid, "shown and answer belong to an ask, which the request does not name")
	}
	return nil
}

// Receive takes a request that came for a hook, if its signature fits.
func (h *Hooks) Receive(ctx context.Context, id, signature string, body []byte) (Receipt, error) {
	k, err := h.authentic(ctx, id, signature, body)
	if err != nil {
		return Receipt{}, err
	}
	if !h.counts.allows(k.ID, h.now()) {
		return Receipt{}, rein.Errorf(rein.CodeRateLimited, "this hook had %d requests in the last minute: try again later", mostRequests)
	}
	var r Request
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Receipt{}, rein.Errorf(rein.CodeInvalid, "the body must be one JSON object with id, and text or ask, shown and answer: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Receipt{}, rein.Errorf(rein.CodeInvalid, "the body has something after its JSON object")
	}
	if err := r.check(); err != nil {
		return Receipt{}, err
	}
	who, err := h.opts.Who(ctx, k.Household, k.User, "hook:"+k.ID)
	if err != nil {
		return Receipt{}, forged()
	}
	if r.Ask != "" && !k.Answers {
		return Receipt{}, rein.Errorf(rein.CodeForbidden, "this hook may not answer asks: make one with --answers")
	}
	return h.once(ctx, k, who, r, body)
}

func forged() error {
	return rein.Errorf(rein.CodeUnauthenticated, "there is no such hook, or the %s header does not fit the body and the time", notify.SignatureHeader)
}

// authentic returns the hook that a request is signed for. Nobody can tell a hook that does not exist from a wrong signature.
func (h *Hooks) authentic(ctx context.Context, id, signature string, body []byte) (Hook, error) {
	found, err := h.read(ctx, "id = ?", id)
	if err != nil {
		return Hook{}, err
	}
	secret := []byte(rand.Text())
	if len(found) > 0 {
		if secret, err = h.opts.Secrets.Get(ctx, found[0].owner(), found[0].secretName()); err != nil && rein.CodeOf(err) != rein.CodeNotFound {
			return Hook{}, err
		}
	}
	if err := notify.Verify(string(secret), signature, body, h.opts.Now()); err != nil || len(found) == 0 {
		return Hook{}, forged()
	}
	return found[0], nil
}

// A request is one that came, as it is kept.
type request struct {
	hook, id        string
	sum             []byte
	household, user string
	session         string
	run             rein.RunID
	command         rein.CommandID
	receipt         string
	tries           int
	at              time.Time
}

func requests(ctx context.Context, q store.Query, where string, args ...any) ([]request, error) {
	return scan(ctx, q, func(rows *sql.Rows) (r request, err error) {
		var at int64
		err = rows.Scan(&r.hook, &r.id, &r.sum, &r.household, &r.user, &r.session, &r.run, &r.command, &r.receipt, &r.tries, &at)
		r.at = time.UnixMicro(at).UTC()
		return r, err
	}, `SELECT hook, id, sha256, household, user_name, session, run, command, receipt, tries, at FROM hook_requests WHERE `+where, args...)
}

// once carries a request out, and returns what was answered if it came before.
func (h *Hooks) once(ctx context.Context, k Hook, who rein.Identity, r Request, body []byte) (Receipt, error) {
	session, sum := "", sha256.Sum256(body)
	if r.Text != "" {
		var err error
		if session, err = h.opts.Talk.SessionFor(ctx, who); err != nil {
			return Receipt{}, err
		}
	}
	var kept request
	again := true
	err := h.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		known, err := requests(ctx, tx, "hook = ? AND id = ?", k.ID, r.ID)
		if err != nil || len(known) > 0 {
			kept = append(known, request{})[0]
			return err
		}
		again, kept = false, request{session: session, sum: sum[:]}
		_, err = tx.ExecContext(ctx, `INSERT INTO hook_requests (hook, id, sha256, household, user_name, session, run, command, receipt, reply, tries, at)
			VALUES (?, ?, ?, ?, ?, ?, '', '', '', 0, 0, ?)`, k.ID, r.ID, sum[:], k.Household, k.User, session, h.now().UnixMicro())
		return err
	})
	switch {
	case err != nil:
		return Receipt{}, err
	case !bytes.Equal(kept.sum, sum[:]):
		return Receipt{}, rein.Errorf(rein.CodeConflict, "another request had the id %.80q: choose a new one for each", r.ID)
	case kept.receipt != "":
		var receipt Receipt
		err := json.Unmarshal([]byte(kept.receipt), &receipt)
		receipt.Again = true
		return receipt, err
	}
	receipt, heard, err := h.carryOut(ctx, k, who, r, kept.session, again)
	if err != nil {
		return Receipt{}, err
	}
	return receipt, h.settle(ctx, k, receipt, heard)
}

// carryOut brings a text to the assistant, or an answer to its ask.
func (h *Hooks) carryOut(ctx context.Context, k Hook, who rein.Identity, r Request, session string, again bool) (Receipt, talk.Heard, error) {
	receipt := Receipt{ID: r.ID}
	language := h.opts.Language(ctx, k.Household, k.User)
	if r.Ask != "" {
		state, err := h.answer(ctx, k, who, r, language, again)
		receipt.Answered = state
		return receipt, talk.Heard{}, err
	}
	heard, err := h.opts.Talk.Hear(ctx, talk.Words{
		Who: who, Key: "hook " + k.ID + " " + r.ID, Session: session, Language: language, Text: r.Text, Again: again,
	})
	if len(heard.Which) > 0 {
		err = rein.Errorf(rein.CodeInvalid, "a yes or a no in words agrees to nothing here: send ask, shown and answer")
	}
	receipt.Run = heard.Run
	return receipt, heard, err
}

// answer answers an ask of the hook's user. What is not theirs does not exist.
func (h *Hooks) answer(ctx context.Context, k Hook, who rein.Identity, r Request, language string, again bool) (rein.AskState, error) {
	none := rein.Errorf(rein.CodeNotFound, "there is no ask %.200q for %s", string(r.Ask), k.User)
	ask, err := h.opts.Store.Ask(ctx, r.Ask)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return "", none
	}
	if err != nil {
		return "", err
	}
	of, err := h.opts.Store.Run(ctx, ask.Run)
	if err != nil {
		return "", err
	}
	if of.Household != k.Household || !ask.IsFor(k.User, who.Role, of.User) {
		return "", none
	}
	answer, fits := consent.Answer(ask, language, r.Answer)
	if !fits {
		return "", rein.Errorf(rein.CodeInvalid, "%.80q does not answer this ask: say yes or no%s", r.Answer, orChoices(ask))
	}
	answer.Shown = r.Shown
	if again && ask.State == answer.State && ask.Answer.By == k.User && ask.Answer.Text == answer.Text {
		return ask.State, nil
	}
	if _, err := h.opts.Talk.Answer(ctx, who, ask.ID, answer); err != nil {
		return "", err
	}
	return answer.State, nil
}

func orChoices(ask rein.Ask) string {
	if len(ask.Choices) == 0 {
		return ""
	}
	return ", or one of " + strings.Join(ask.Choices, ", ")
}

// settle keeps what was answered, and that a reply is owed if there is somewhere to send it.
func (h *Hooks) settle(ctx context.Context, k Hook, receipt Receipt, heard talk.Heard) error {
	text, err := json.Marshal(receipt)
	if err != nil {
		return err
	}
	owed := int64(0)
	if k.URL != "" && heard.Run != "" {
		owed = h.now().UnixMicro()
	}
	err = h.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE hook_requests SET receipt = ?, run = ?, command = ?, reply = ? WHERE hook = ? AND id = ?`,
			string(text), string(heard.Run), string(heard.Command), owed, k.ID, receipt.ID)
		return err
	})
	h.news.Note(func(*bool) bool { return true })
	return err
}

// mostRequests is how many requests a hook may have in a minute.
const mostRequests = 60

// A counter counts requests by hook, for a minute.
type counter struct {
	mu    sync.Mutex
	since time.Time
	had   map[string]int
}

func (c *counter) allows(hook string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.had == nil || now.Sub(c.since) >= time.Minute || now.Before(c.since) {
		c.since, c.had = now, map[string]int{}
	}
	c.had[hook]++
	return c.had[hook] <= mostRequests
}

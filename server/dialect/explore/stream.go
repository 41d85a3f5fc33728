package explore

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rein"
	"rein/journal/feed"
	"rein/server/shown"
	"rein/server/wire"
	"rein/store"
)

// stream starts an agent, or goes on with one, and sends its chunks.
func (d *dialect) stream(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := checkOrigin(r, d.Origins); err != nil {
		return err
	}
	in, err := readQuery(r)
	if err != nil {
		return err
	}
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return d.socket(w, r, who, in)
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		in.LastEventID = last // a browser that reconnects sends it, with the address as it was
	}
	f, err := d.open(r.Context(), who, in)
	if err != nil {
		return err
	}
	if f.over {
		w.WriteHeader(http.StatusNoContent) // which tells a browser not to come back
		return nil
	}
	out := wire.NewStream(w)
	// A client that is cut off before the first chunk must come back to this agent, not start another.
	if !out.Begin(f.translator.place().String()) {
		return nil
	}
	var book shown.Book // its IDs tell queries apart; a stream has no way back by which one could be answered
	send := func(chunks []Chunk) bool { return out.Send(messages(chunks, &book)...) }
	_ = d.follow(r.Context(), f, send, out.Beat)
	return nil
}

// messages are chunks as a stream has them.
func messages(chunks []Chunk, book *shown.Book) []wire.Message {
	all := make([]wire.Message, len(chunks))
	for i, c := range chunks {
		c.named(book)
		id := c.EventID
		c.EventID = ""
		all[i] = wire.Message{ID: id, Data: c}
	}
	return all
}

// readQuery reads what the address says of the agent.
func readQuery(r *http.Request) (in Input, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return in, rein.Errorf(rein.CodeInvalid, "the parameters cannot be read: %w", err)
	}
	known := []string{"prompt", "agentId", "parentId", "metadata", "preset", "lastEventId"}
	for name, values := range query {
		if !slices.Contains(known, name) || len(values) > 1 {
			return in, rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist, or is given twice; available: %s", name, strings.Join(known, ", "))
		}
	}
	in = Input{Prompt: query.Get("prompt"), AgentID: rein.RunID(query.Get("agentId")), Preset: query.Get("preset"), LastEventID: query.Get("lastEventId")}
	if parent := rein.RunID(query.Get("parentId")); parent != "" {
		in.ParentID = &parent
	}
	if metadata := query.Get("metadata"); metadata != "" {
		in.Metadata = json.RawMessage(metadata)
	}
	return in, nil
}

// A following is an agent that is followed, from some place on.
type following struct {
	run        rein.RunID
	after      string
	translator *Translator
	over       bool    // the client has everything
	open       []Chunk // what it was asked before and has not answered, to be asked again
}

// open starts an agent, or finds the place where a client was.
func (d *dialect) open(ctx context.Context, who rein.Identity, in Input) (*following, error) {
	if in.LastEventID == "" {
		run, err := d.start(ctx, who, in)
		return &following{run: run, translator: NewTranslator(run)}, err
	}
	at, err := parsePlace(in.LastEventID)
	if err != nil {
		return nil, err
	}
	info, err := d.run(ctx, at.run, who)
	if err != nil {
		return nil, err
	}
	if err := d.Feed.Check(ctx, at.run, feed.Options{After: at.cursor, Tree: true}); err != nil {
		return nil, err
	}
	f := &following{run: at.run, after: at.cursor, translator: NewTranslator(at.run)}
	seen := at.seen()
	f.over = info.Status.Ended() && seen[at.run] == info.Seq
	for run, seq := range seen { // of each run by itself: the order among them does not matter
		if err := d.recall(ctx, f.translator, run, seq); err != nil {
			return nil, err
		}
	}
	f.translator.resume(at)
	f.open, err = d.stillOpen(ctx, at.run, f.translator.recalled)
	return f, err
}

// stillOpen returns the queries among those that a client was shown which wait for it still: the IDs that
// it has are those of another connection.
func (d *dialect) stillOpen(ctx context.Context, tree rein.RunID, shown []rein.Ask) (open []Chunk, err error) {
	if len(shown) == 0 {
		return nil, nil
	}
	asks, err := d.Store.Asks(ctx, store.AskFilter{Tree: tree, Pending: true})
	for _, ask := range asks {
		if slices.ContainsFunc(shown, func(s rein.Ask) bool { return s.ID == ask.ID }) {
			open = append(open, query(ask))
		}
	}
	return open, err
}

// recall shows the translator what the client was told of a run.
func (d *dialect) recall(ctx context.Context, t *Translator, run rein.RunID, seq int64) error {
	for e, err := range d.Store.Events(ctx, run, 0) {
		if err != nil {
			return err
		}
		if e.Seq > seq {
			break
		}
		t.Recall(e)
	}
	return nil
}

// errGone says that nobody reads any more.
var errGone = errors.New("gone")

// follow sends chunks until the agent has ended. The error says why it did not get there.
func (d *dialect) follow(ctx context.Context, f *following, send func([]Chunk) bool, beat func() bool) error {
	if len(f.open) > 0 && !send(f.open) {
		return errGone
	}
	for line, err := range d.Feed.Follow(ctx, f.run, feed.Options{After: f.after, Tree: true, Idle: d.Heartbeat}) {
		if err != nil {
			return err
		}
		chunks := f.translator.See(line)
		if len(chunks) > 0 && !send(chunks) || line.Event == nil && line.Delta == nil && !beat() {
			return errGone
		}
	}
	return ctx.Err()
}

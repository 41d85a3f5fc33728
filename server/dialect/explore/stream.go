package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/feed"
	"rein/people"
)

// stream starts an agent, or goes on with one, and sends its chunks.
func (d *dialect) stream(w http.ResponseWriter, r *http.Request, who people.Identity) error {
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
	out := newSSE(w)
	// A client that is cut off before the first chunk must come back to this agent, not start another.
	if !out.write("retry: 1000\nid: " + f.translator.place().String() + "\n\n") {
		return nil
	}
	_ = d.follow(r.Context(), f, out.chunks, func() bool { return out.write(": nothing new\n\n") })
	return nil
}

// readQuery reads what the address says of the agent.
func readQuery(r *http.Request) (in Input, err error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return in, rein.Errorf(rein.CodeInvalid, "the parameters cannot be read: %w", err)
	}
	known := []string{"prompt", "agentId", "parentId", "lastEventId"}
	for name, values := range query {
		if !slices.Contains(known, name) || len(values) > 1 {
			return in, rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist, or is given twice; there is: %s", name, strings.Join(known, ", "))
		}
	}
	in = Input{Prompt: query.Get("prompt"), AgentID: rein.RunID(query.Get("agentId")), LastEventID: query.Get("lastEventId")}
	if parent := rein.RunID(query.Get("parentId")); parent != "" {
		in.ParentID = &parent
	}
	return in, nil
}

// A following is an agent that is followed, from some place on.
type following struct {
	run        rein.RunID
	after      string
	translator *Translator
	over       bool // the client has everything
}

// open starts an agent, or finds the place where a client was.
func (d *dialect) open(ctx context.Context, who people.Identity, in Input) (*following, error) {
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
	return f, nil
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

// maxWrite is how long a client may take to read what it is sent. One that takes longer is cut off; it
// can go on where it was.
const maxWrite = 30 * time.Second

// sse writes a text/event-stream; each method reports whether someone still reads.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newSSE(w http.ResponseWriter) *sse {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold it back
	return &sse{w, http.NewResponseController(w)}
}

// chunks writes the chunks of one line at once.
func (s *sse) chunks(chunks []Chunk) bool {
	var b bytes.Buffer
	for _, c := range chunks {
		if c.EventID != "" {
			b.WriteString("id: " + c.EventID + "\n")
			c.EventID = ""
		}
		b.WriteString("data: ")
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(c) != nil { // it ends with a line feed
			return false
		}
		b.WriteString("\n")
	}
	return s.write(b.String())
}

func (s *sse) write(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(maxWrite)) // in process there is none
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}

// Package anthropic calls models through Anthropic's Messages API, or a server that is compatible
// with it. New returns a rein.Model. It makes one attempt per call (the engine retries) and keeps
// nothing between calls but, in the talk of a request, what the next one of the talk begins with.
package anthropic

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"rein"
	"rein/model/sent"
)

// API names the form of rein.Raw that this package writes and reads: the array of a reply's content
// blocks.
const API = "anthropic"

const (
	defaultMaxOutput = 4096             // tokens of a reply if nobody says; as guard.DefaultMaxOutput
	minThinking      = 1024             // tokens; the API refuses less
	maxWhole         = 8192             // tokens of a reply that may come in one piece; a longer one is streamed
	maxCall          = 30 * time.Minute // for a caller that has no deadline of its own
)

// Options say which model is asked, where and how. Only Model and, at Anthropic itself, Key are needed.
type Options struct {
	Name    string // in configurations and logs; empty: Model
	Model   string // as the provider calls it
	BaseURL string // empty: Anthropic's own
	Key     string
	Account string // models of one account share its limits
	Info    rein.ModelInfo

	Thinking int64 // tokens that a reply may take for thinking; 0: off. Newer models take it as "on"
	NoCache  bool  // do not mark stable prefixes for the provider's cache

	HTTP *http.Client // nil: one that all such models share
}

// A Model asks one model of one server.
type Model struct {
	opts   Options
	info   rein.ModelInfo
	client *http.Client
}

var _ rein.Model = (*Model)(nil)

// New checks the options. It does not ask the server anything.
func New(o Options) (*Model, error) {
	if o.Name == "" {
		o.Name = o.Model
	}
	if o.Model == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "model %q: the name of the model at the provider is missing, such as claude-sonnet-4-5", o.Name)
	}
	if o.BaseURL == "" && o.Key == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "model %q: Anthropic needs a key", o.Name)
	}
	if o.Thinking != 0 && o.Thinking < minThinking {
		return nil, rein.Errorf(rein.CodeInvalid, "model %q: %d thinking tokens; there must be none or at least %d", o.Name, o.Thinking, minThinking)
	}
	if err := checkBase(&o); err != nil {
		return nil, err
	}
	m := &Model{opts: o, info: o.Info, client: sent.Client(o.HTTP)}
	m.info.Name = o.Name
	if o.Account != "" {
		m.info.Account = o.Account
	}
	if m.info.MaxOutput <= 0 {
		m.info.MaxOutput = defaultMaxOutput
	}
	return m, nil
}

// checkBase also takes away the version that people copy along: the path of a request has it.
func checkBase(o *Options) error {
	if o.BaseURL == "" {
		o.BaseURL = "https://api.anthropic.com/"
		return nil
	}
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return rein.Errorf(rein.CodeInvalid, "model %q: the base URL must be like https://host/path", o.Name)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return rein.Errorf(rein.CodeInvalid, "model %q: the base URL must not hold a password, a query or a fragment", o.Name)
	}
	at, err := netip.ParseAddr(u.Hostname())
	o.Info.Local = u.Hostname() == "localhost" || err == nil && at.Unmap().IsLoopback()
	o.BaseURL = strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1") + "/"
	return nil
}

// Info implements rein.Model.
func (m *Model) Info() rein.ModelInfo { return m.info }

// Generate implements rein.Model. A reply that is shown is streamed. So is a long one, which takes
// longer than connections are kept open without a sign of life.
func (m *Model) Generate(ctx context.Context, r rein.ModelRequest, show func(text string)) (rein.ModelReply, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, maxCall)
		defer cancel()
	}
	streamed := show != nil || m.outputBound(r.Prompt) > maxWhole
	t := m.transcriptOf(r)
	names, err := m.compose(ctx, r, t, streamed)
	if err != nil {
		return rein.ModelReply{}, err
	}
	seen := seen{alive: r.Alive, said: r.Said}
	get := m.whole
	if streamed {
		get = m.stream
	}
	got, err := get(ctx, &t.Body, &seen, show)
	t.keep(r)
	if err != nil {
		return rein.ModelReply{}, m.fault(ctx, err, &seen)
	}
	reply := got.reply(names)
	reply.Model = m.opts.Name
	reply.Pace = paceOf(seen.header, time.Now())
	return reply, nil
}

// Package openai calls models through OpenAI's Chat Completions or Responses API: OpenAI's own
// models and those of every compatible server. Presets lists how servers differ. It writes requests and
// reads replies itself, because compatible servers send more than the types of OpenAI's SDK hold and because
// that is most of what a model call costs. It makes one attempt per call (the engine retries).
package openai

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/internal/near"
	"rein/model/sent"
)

// What Options.API may be.
const (
	Chat      = "chat"
	Responses = "responses"
)

// Names of the two forms in rein.Raw.
const (
	chatAPI      = "openai.chat"
	responsesAPI = "openai.responses"
)

// Options say which model is asked, where and how.
type Options struct {
	Name    string // what the model is called in rein; empty: as the provider calls it
	Model   string // what the provider calls it
	API     string // Chat or Responses; empty: Chat
	BaseURL string // empty: OpenAI's own
	Key     string
	// Account names whose limits a call counts against. Empty: the host and a digest of the key.
	Account string
	Info    rein.ModelInfo // window, longest reply, prices
	Quirks  Quirks
	HTTP    *http.Client // nil: one that all models of the process share
}

// defaultMaxOutput bounds a reply if the options do not: rein reserves as much for it.
const defaultMaxOutput = 4096

// A Model is one model of one server. It is safe for use by many at once.
type Model struct {
	opt      Options
	host     string
	places   map[string]*url.URL // by path
	endpoint string
	tools    toolList
}

var _ rein.Model = (*Model)(nil)

// New checks the options and makes a model of them. It asks nobody.
func New(o Options) (*Model, error) {
	if o.API == "" {
		o.API = Chat
	}
	if o.BaseURL == "" {
		o.BaseURL = "https://api.openai.com/v1"
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, rein.Errorf(rein.CodeInvalid, "model %q: the base URL must be like https://host/v1", o.Model)
	}
	if base.User != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "model %q: the base URL must not hold a name or password; give the key as the key", o.Model)
	}
	o.HTTP = sent.Client(o.HTTP)
	base.RawQuery, base.Fragment = "", ""
	m := &Model{opt: o, host: base.Host, places: map[string]*url.URL{}, endpoint: strings.TrimSuffix(base.Scheme+"://"+base.Host+base.Path, "/")}
	for _, path := range paths {
		if m.places[path], err = url.Parse(base.JoinPath(path).String()); err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "model %q: the base URL must be like https://host/v1", o.Model)
		}
	}
	m.complete()
	return m, nil
}

func (o *Options) check() error {
	if o.Model == "" {
		return rein.Errorf(rein.CodeInvalid, "a model needs the name that its provider knows it by")
	}
	if o.API != Chat && o.API != Responses {
		return rein.Errorf(rein.CodeInvalid, "model %q: API %q must be %q or %q%s", o.Model, o.API, Chat, Responses, near.DidYouMean(o.API, []string{Chat, Responses}))
	}
	if strings.ContainsAny(o.Key, " \t\r\n") {
		return rein.Errorf(rein.CodeInvalid, "model %q: the key has white space in it; it must be the key alone", o.Model)
	}
	return o.Quirks.check(o.Model)
}

// complete fills in what the options leave open.
func (m *Model) complete() {
	if m.opt.Name == "" {
		m.opt.Name = m.opt.Model
	}
	if m.opt.Account == "" {
		m.opt.Account = m.host
		if m.opt.Key != "" {
			m.opt.Account += "#" + digest.Joined(4, "account:"+m.opt.Key)
		}
	}
	m.opt.Info.Name, m.opt.Info.Account = m.opt.Name, m.opt.Account
	m.opt.Info.Local = isLocal(m.host)
	m.opt.Info.Sees = m.opt.Info.Sees && !m.opt.Quirks.NoImages
	if m.opt.Info.MaxOutput <= 0 {
		m.opt.Info.MaxOutput = defaultMaxOutput
	}
}

// isLocal reports whether a host, with or without a port, is this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && at.Unmap().IsLoopback()
}

// Info implements rein.Model.
func (m *Model) Info() rein.ModelInfo { return m.opt.Info }

// Generate implements rein.Model. It streams if there is someone to show the text to.
func (m *Model) Generate(ctx context.Context, r rein.ModelRequest, show func(text string)) (rein.ModelReply, error) {
	t := m.transcriptOf(r)
	streamed := m.opt.Quirks.Stream == Always || (show != nil && m.opt.Quirks.Stream != Never)
	said := r.Said
	if show == nil {
		show, said = func(string) {}, nil
	}
	x := post{body: &t.Body, streamed: streamed, alive: r.Alive}
	var err error
	if m.opt.API == Responses {
		x.path, x.into = responsesPath, &responsesReader{show: show, names: t.names}
		err = m.responsesRequest(ctx, r, t, streamed)
	} else {
		x.path, x.into = chatPath, &chatReader{show: show, names: t.names, turn: len(r.Messages), text: sent.Text{Said: said}}
		err = m.chatRequest(ctx, r, t, streamed)
	}
	if err != nil {
		return rein.ModelReply{}, err
	}
	reply, err := m.exchange(ctx, x)
	t.keep(r)
	return reply, err
}

// limit is the most tokens that the reply to a request may have.
func (m *Model) limit(r rein.ModelRequest) int64 {
	if r.MaxTokens > 0 {
		return min(r.MaxTokens, m.opt.Info.MaxOutput)
	}
	return m.opt.Info.MaxOutput
}

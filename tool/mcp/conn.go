package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
	"rein/tool/mcp/spec"
)

// A conn is a session with a server.
type conn struct {
	server  Server
	clean   func(string) string // takes out of a text what the server must not repeat
	session *sdk.ClientSession
	process *process // nil: it is reached over HTTP
	ended   chan struct{}

	mu    sync.Mutex
	tools map[string]Definition // as the server listed them last
	wrong []string              // what of its tools cannot be used, and why
	says  map[string]func(string)
	calls atomic.Int64 // that were made
	busy  atomic.Int64 // that are running

	broken  atomic.Bool // a call found that it is
	running running
	changes atomic.Int64 // of the list of tools, that were announced and not read yet
	wishes  atomic.Int64 // of the server, that a person is asked about
}

// dialLimit is how long a server may take until it is ready. A program may have to be downloaded first.
const dialLimit = time.Minute

// dial connects to a server, and has it list its tools.
func (h *Hub) dial(ctx context.Context, k key, s Server, handler Authorizer) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	return h.dialWithin(ctx, k, s, handler)
}

// dialWithin is dial for as long as the context lasts.
func (h *Hub) dialWithin(ctx context.Context, k key, s Server, handler Authorizer) (*conn, error) {
	c := &conn{server: s, ended: make(chan struct{}), says: map[string]func(string){}}
	c.clean = func(text string) string { return h.o.Clean(whose(s, k.owner), text) }
	transport, err := h.transport(ctx, c, k, handler)
	if err != nil {
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "rein", Version: h.o.Version}, h.clientOptions(c, k))
	if k.root != "" {
		//lint:ignore SA1019 servers of earlier versions need it, and it works until they are gone
		client.AddRoots(&sdk.Root{URI: (&url.URL{Scheme: "file", Path: k.root}).String(), Name: "workspace"})
	}
	if c.session, err = client.Connect(ctx, transport, nil); err != nil {
		return nil, c.failed(err)
	}
	go func() {
		_ = c.session.Wait()
		close(c.ended)
	}()
	if err := c.list(ctx); err != nil {
		_ = c.close()
		return nil, c.failed(err)
	}
	return c, nil
}

// failed is the error of a connection that was not made.
func (c *conn) failed(err error) error {
	said := ""
	if c.process != nil {
		c.process.end()
		said = c.process.words.said()
	}
	if login, ok := errors.AsType[*LoginError](err); ok {
		return login
	}
	return c.wrongs(rein.Errorf(rein.CodeUnavailable, "MCP server %s cannot be used: %w%s", c.server.Name, cleaned(err), said))
}

// wrongs is an error without secrets that the server has repeated. Only then it is another one.
func (c *conn) wrongs(err error) error {
	if text := c.clean(err.Error()); text != err.Error() {
		return rein.Errorf(rein.CodeOf(err), "%s", text)
	}
	return err
}

// cleaned is an error without what a URL may hold.
func cleaned(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// transport is the way to a server.
func (h *Hub) transport(ctx context.Context, c *conn, k key, handler Authorizer) (sdk.Transport, error) {
	s := c.server
	if s.IsLocal() {
		p, err := h.start(ctx, s, k.owner)
		if err != nil {
			return nil, err
		}
		c.process = p
		return &sdk.IOTransport{Reader: p.out, Writer: input{p}}, nil
	}
	headers, err := h.values(ctx, s, k.owner)
	if err != nil {
		return nil, err
	}
	client := *h.o.Client(s)
	client.Transport = &withHeaders{next: client.Transport, endpoint: s.URL, headers: headers}
	t := &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: &client}
	if handler != nil {
		t.OAuthHandler = handler
	}
	return t, nil
}

// input is what a program reads. To close it is to end the program.
type input struct{ *process }

func (p input) Write(data []byte) (int, error) { return p.in.Write(data) }

func (p input) Close() error {
	p.end()
	return nil
}

var _ io.WriteCloser = input{}

// withHeaders adds headers to the requests to a server, and to no other, and limits what is read of its answers.
type withHeaders struct {
	next     http.RoundTripper
	endpoint string
	headers  map[string]string
}

func (t *withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(t.headers) > 0 && sameOrigin(r.URL, t.endpoint) {
		r = r.Clone(r.Context())
		for name, value := range t.headers {
			r.Header.Set(name, value)
		}
	}
	next := t.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err == nil && !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") { // which the SDK limits
		answer.Body = &short{answer.Body, maxAnswer}
	}
	return answer, err
}

// maxAnswer is how much of one answer over HTTP is read, in bytes. The SDK has the same limit for programs.
const maxAnswer = 16 << 20

// short is a body that may not be longer than this.
type short struct {
	io.ReadCloser
	left int
}

func (s *short) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if s.left -= n; s.left < 0 {
		return 0, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return n, err
}

func sameOrigin(u *url.URL, endpoint string) bool {
	e, err := url.Parse(endpoint)
	return err == nil && strings.EqualFold(u.Host, e.Host) && u.Scheme == e.Scheme
}

// values are what the settings give to a server: its variables or its headers, with what they refer to. A variable that is
// passed on and not set is left out.
func (h *Hub) values(ctx context.Context, s Server, who Owner) (map[string]string, error) {
	all := map[string]string{}
	for _, v := range s.Values() {
		if v.Passed && h.o.Getenv(v.Name) == "" {
			continue
		}
		text, err := h.value(ctx, s, who, v.Text)
		if err != nil {
			return nil, err
		}
		if strings.ContainsAny(text, "\x00") || !s.IsLocal() && strings.ContainsAny(text, "\r\n") {
			return nil, rein.Errorf(rein.CodeInvalid, "MCP server %s: the value of %q has line ends or a NUL character in it: set it again", s.Name, v.Name)
		}
		all[v.Name] = text
	}
	return all, nil
}

// value looks up what a setting refers to.
func (h *Hub) value(ctx context.Context, s Server, who Owner, text string) (string, error) {
	kind, name, _ := strings.Cut(text, ":")
	switch {
	case !spec.IsReference(text):
		return text, nil
	case kind == "env":
		if value := h.o.Getenv(name); value != "" {
			return value, nil
		}
		return "", rein.Errorf(rein.CodeUnavailable, "MCP server %s needs $%s, which is not set", s.Name, name)
	case s.IsSealed(text):
		who = Owner{Household: s.Household} // it was typed for the server, and so for everyone who uses it
	}
	if h.o.Box == nil {
		return "", rein.Errorf(rein.CodeUnavailable, "MCP server %s needs the secret %q, and this program keeps none", s.Name, name)
	}
	value, err := h.o.Box.Get(ctx, who, name)
	if err != nil {
		return "", rein.Errorf(rein.CodeUnavailable, "MCP server %s needs the secret %q: %w", s.Name, name, err)
	}
	return string(value), nil
}

// clientOptions say what rein does for a server, which is little: it shows progress, asks people what the server wants to
// know, and has the model answer it if the operator allows that.
func (h *Hub) clientOptions(c *conn, k key) *sdk.ClientOptions {
	o := &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			c.progress(r.Params)
		},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { h.changed(c) },
		ElicitationHandler: func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return h.elicit(ctx, c, r.Params)
		},
	}
	if c.server.Sampling {
		//lint:ignore SA1019 as above
		o.CreateMessageHandler = func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return h.sample(ctx, c, r.Params)
		}
	}
	if k.root != "" {
		//lint:ignore SA1019 as above
		o.Capabilities.RootsV2 = &sdk.RootCapabilities{}
	}
	return o
}

// list reads which tools the server has.
func (c *conn) list(ctx context.Context) error {
	tools, wrong := map[string]Definition{}, []string(nil)
	if init := c.session.InitializeResult(); init != nil && init.Capabilities != nil && init.Capabilities.Tools == nil {
		c.setTools(tools, nil)
		return nil
	}
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		if len(tools) == maxTools {
			wrong = append(wrong, fmt.Sprintf("it has more than %d tools: the rest is left out", maxTools))
			break
		}
		d, err := definitionOf(t)
		if err == nil {
			d, err = d.cleaned(c.clean)
		}
		if err != nil && len(wrong) < maxWrong {
			wrong = append(wrong, c.clean(err.Error()))
		}
		if err != nil {
			continue
		}
		tools[d.Name] = d
	}
	c.setTools(tools, wrong)
	return nil
}

func (c *conn) setTools(tools map[string]Definition, wrong []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tools, c.wrong = tools, wrong
}

// listed returns the tools, and what is wrong with others.
func (c *conn) listed() (map[string]Definition, []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tools, c.wrong
}

func (c *conn) isAlive() bool {
	exited := c.ended
	if c.process != nil {
		exited = c.process.exited
	}
	select {
	case <-c.ended:
		return false
	case <-exited:
		return false
	default:
		return !c.broken.Load()
	}
}

func (c *conn) close() error {
	err := c.session.Close()
	if c.process != nil {
		c.process.end()
		return nil
	}
	return err
}

// call has the server run a tool.
func (c *conn) call(ctx context.Context, tool string, inv rein.Invocation) (rein.Done, error) {
	params := &sdk.CallToolParams{Name: tool, Arguments: inv.Args}
	if len(inv.Args) == 0 {
		params.Arguments = map[string]any{}
	}
	if inv.Say != nil {
		token := "rein-" + strconv.FormatInt(c.calls.Add(1), 10)
		params.SetProgressToken(token)
		defer c.hear(token, inv.Say)()
	}
	defer c.running.begin(&inv)()
	result, err := c.session.CallTool(context.WithValue(ctx, callKey{}, &inv), params)
	if err != nil {
		return rein.Done{}, c.callFailed(ctx, err)
	}
	return doneOf(result)
}

// Codes of JSON-RPC that the client itself makes when it does not know what became of a request.
var lost = []int64{-32001, -32003, -32004, -32005}

// callFailed tells what is known of a call that has no result. Only an answer of the server, or a connection that was
// never made, means that it did not happen.
func (c *conn) callFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if login, ok := errors.AsType[*LoginError](err); ok {
		return login
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return rein.Errorf(rein.CodeUnavailable, "MCP server %s cannot be reached: %w", c.server.Name, op.Err)
	}
	if answer, ok := errors.AsType[*jsonrpc.Error](err); ok && !slices.Contains(lost, answer.Code) {
		return rein.Errorf(rein.CodeInvalid, "MCP server %s refused the call: %s", c.server.Name, answer.Message)
	}
	said := ""
	if c.process != nil {
		said = c.process.words.said()
	}
	if c.process != nil || errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, sdk.ErrSessionMissing) {
		c.broken.Store(true)
		go c.close()
	}
	return fmt.Errorf("%w: the connection to MCP server %s broke: %v%s", rein.ErrOutcomeUnknown, c.server.Name, cleaned(err), said)
}

// hear shows people the progress of a call until the returned function is called.
func (c *conn) hear(token string, say func(string)) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.says[token] = say
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.says, token)
	}
}

func (c *conn) progress(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	c.mu.Lock()
	say := c.says[token]
	c.mu.Unlock()
	if say == nil {
		return
	}
	text := strconv.FormatFloat(p.Progress, 'g', 6, 64)
	if p.Total > 0 {
		text += " of " + strconv.FormatFloat(p.Total, 'g', 6, 64)
	}
	if p.Message != "" {
		text += ": " + p.Message
	}
	say(text + "\n")
}

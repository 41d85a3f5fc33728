package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"rein"
	"rein/sandbox"
)

// Options are the parts that a Hub works with. Servers, Pins, Client, Getenv, Filter and Folder are required.
type Options struct {
	// Servers returns the servers that there are now.
	Servers func(context.Context) ([]Server, error)
	Pins    Pins
	// Check says what is wrong with a tool, if anything; nil finds nothing.
	Check func(rein.Tool) error
	// Allow says why a server is not to be connected to now, if it is not; nil: all are.
	Allow func(context.Context, Server) error
	// Client returns what a server is called with over HTTP.
	Client func(Server) *http.Client
	// Box keeps the tokens of people; nil: nobody can log in.
	Box Box
	// Root returns the folder of a run's workspace, for servers with Roots; nil: there is none.
	Root func(context.Context, *rein.Task) (string, error)

	Getenv func(name string) string
	Filter func(Owner) Filter // takes secrets out of what programs write, also those of a person or household
	// Clean takes such secrets out of a text that a server wrote; nil changes nothing.
	Clean  func(Owner, string) string
	Folder string // where programs work, and their logs are
	Report func() sandbox.Report
	Hidden []string // what no program in a sandbox sees
	// Home is the household whose servers those are that name none.
	Home    string
	Version string
	// Tell receives what the operator should know, with details in pairs; nil drops it.
	Tell func(what string, args ...any)
	// Idle is how long a connection stays that nobody uses; zero means 10 minutes.
	Idle time.Duration
	// LoginLimit is how long a person may take to log in; zero means 10 minutes.
	LoginLimit time.Duration
}

// An Owner is whose secrets are used.
type Owner struct{ Household, User string }

// A Box keeps secrets of people.
type Box interface {
	Put(ctx context.Context, who Owner, name string, value []byte) error
	Get(ctx context.Context, who Owner, name string) ([]byte, error) // CodeNotFound: there is none
	Delete(ctx context.Context, who Owner, name string) error
}

// A Hub keeps the connections to MCP servers, and makes tools of theirs.
type Hub struct {
	o      Options
	ctx    context.Context // of everything that goes on in the background
	cancel context.CancelFunc
	work   sync.WaitGroup

	learning sync.Mutex // held by whoever reads what there is and then remembers it

	mu      sync.Mutex
	servers map[string]Server
	pins    map[string][]Pin
	tools   map[place]offered
	links   map[key]*link
	tried   map[string]chan struct{}     // servers whose tools nobody knows yet; closed after an attempt
	logins  map[[sha256.Size]byte]*login // by the hashes of their states
	scopes  map[key][]string             // that logins should ask for
	closed  bool
}

// A place is where a tool has a name: everywhere, or in one workspace.
type place struct{ workspace, name string }

// A Scope is whose tools are meant: those of a household, and of the folder that a run works in.
type Scope struct{ Household, Place string }

// has reports whether a run there can use a server.
func (c Scope) has(household, place string) bool {
	return household == c.Household && (place == "" || place == c.Place)
}

// An offered is a tool of a server, for the runs of a household.
type offered struct {
	rein.Tool
	full      string // its name
	household string
	gone      bool  // the server does not list it any more
	wrong     error // why it cannot be used
}

// A key names a connection: a server as it is configured, and whose credentials and folder it uses.
type key struct {
	server, hash string
	owner        Owner
	root         string
}

// New makes a Hub. It connects to nothing yet.
func New(o Options) *Hub {
	if o.Tell == nil {
		o.Tell = func(string, ...any) {}
	}
	if o.Idle == 0 {
		o.Idle = 10 * time.Minute
	}
	if o.Clean == nil {
		o.Clean = func(_ Owner, text string) string { return text }
	}
	if o.LoginLimit == 0 {
		o.LoginLimit = loginLimit
	}
	if o.Check == nil {
		o.Check = func(rein.Tool) error { return nil }
	}
	h := &Hub{o: o, links: map[key]*link{}, tried: map[string]chan struct{}{}, logins: map[[sha256.Size]byte]*login{}, scopes: map[key][]string{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// Close ends all connections and the programs of servers.
func (h *Hub) Close() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	h.closed = true
	links := h.links
	h.links = map[key]*link{}
	h.mu.Unlock()
	h.cancel()
	var all sync.WaitGroup
	for _, l := range links {
		all.Go(l.end)
	}
	all.Wait()
	h.work.Wait()
	return nil
}

// Sync learns which servers there are, and makes their tools of what is pinned.
func (h *Hub) Sync(ctx context.Context) error {
	h.learning.Lock()
	defer h.learning.Unlock()
	list, err := h.o.Servers(ctx)
	if err != nil {
		return err
	}
	pins, err := h.o.Pins.Pins(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.servers, h.pins = map[string]Server{}, map[string][]Pin{}
	for _, s := range list {
		if s.Household == "" {
			s.Household = h.o.Home
		}
		h.servers[s.Name] = s
	}
	for _, p := range pins {
		h.pins[p.Server] = append(h.pins[p.Server], p)
	}
	gone := h.stale()
	h.mu.Unlock()
	for _, l := range gone {
		go l.end()
	}
	h.publish()
	return nil
}

// stale takes out the connections to servers that are configured in another way now. It is called with mu held.
func (h *Hub) stale() []*link {
	return h.without(func(k key) bool {
		s, ok := h.servers[k.server]
		return !ok || s.Hash() != k.hash
	})
}

// publish makes the tools of what is pinned.
func (h *Hub) publish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[place]offered{}
	for name, s := range h.servers {
		for full, p := range fullNames(s, h.pins[name]) {
			t, at := h.tool(s, full, p), place{s.Place, full}
			all[at] = offered{t, full, s.Household, p.Gone, h.o.Check(t)}
			if wrong := all[at].wrong; wrong != nil && h.tools[at].wrong == nil {
				h.o.Tell("a tool of an MCP server cannot be used", "tool", full, "error", wrong)
			}
		}
	}
	h.tools = all
}

// fullNames are the tools of a server that are offered, by the names that rein gives them.
func fullNames(s Server, pins []Pin) map[string]Pin {
	byName, all := map[string]Pin{}, map[string]Pin{}
	var names []string
	for _, p := range pins {
		byName[p.Name] = p
		names = append(names, p.Name)
	}
	for full, name := range named(s.Family(), names) {
		if p := byName[name]; !slices.Contains(s.Deny, name) {
			all[full] = p
		}
	}
	return all
}

// Tools lists the tools that new runs can use.
func (h *Hub) Tools(who Scope) (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for at, t := range h.tools {
		if who.has(t.household, at.workspace) && !t.gone && t.wrong == nil {
			names = append(names, t.full)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Tool returns a tool for a run. Of two with one name that of the household counts: no folder takes its place.
func (h *Hub) Tool(who Scope, name string) (rein.Tool, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, at := range []place{{"", name}, {who.Place, name}} {
		if t, ok := h.tools[at]; ok && who.has(t.household, at.workspace) && t.wrong == nil {
			return t.Tool, true
		}
	}
	return rein.Tool{}, false
}

// server returns a server as it is configured now.
func (h *Hub) server(name string) (Server, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.servers[name]
	if !ok {
		return s, rein.Errorf(rein.CodeNotFound, "there is no MCP server %.80q", name)
	}
	return s, nil
}

// firstLimit is how long the start of a run waits for servers whose tools nobody knows yet.
const firstLimit = 5 * time.Second

// Learn connects to the servers whose tools are not known yet, and waits a little while for them. It returns what is
// missing, in words for people.
func (h *Hub) Learn(ctx context.Context, who Scope) (missing []string) {
	ctx, cancel := context.WithTimeout(ctx, firstLimit)
	defer cancel()
	for name, done := range h.unknown(who) {
		select {
		case <-done:
		case <-ctx.Done():
		}
		h.mu.Lock()
		known := len(h.pins[name]) > 0
		h.mu.Unlock()
		if !known {
			missing = append(missing, "the tools of MCP server "+name+" are not known yet, because "+h.trouble(name))
		}
	}
	slices.Sort(missing)
	return missing
}

// unknown begins to connect to the servers whose tools are not known. Where people log in, it needs one of them.
func (h *Hub) unknown(who Scope) map[string]<-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	waits := map[string]<-chan struct{}{}
	for name, s := range h.servers {
		if !who.has(s.Household, s.Place) || len(h.pins[name]) > 0 || s.IsPersonal() || h.closed {
			continue
		}
		tried := h.tried[s.Hash()]
		if tried == nil {
			tried = make(chan struct{})
			h.tried[s.Hash()] = tried
			h.work.Go(func() {
				defer close(tried)
				if _, err := h.use(h.ctx, s, Owner{}, ""); err != nil { // the link remembers why not
					h.mu.Lock()
					defer h.mu.Unlock()
					delete(h.tried, s.Hash()) // the next run tries again, not too soon
				}
			})
		}
		waits[name] = tried
	}
	return waits
}

// trouble says why a server cannot be used.
func (h *Hub) trouble(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, l := range h.links {
		if k.server != name {
			continue
		}
		if _, _, err := l.state(); err != nil {
			return err.Error()
		}
	}
	return "it is still starting"
}

// call makes a call of a tool, for a run.
func (h *Hub) call(ctx context.Context, offered Server, p Pin, inv rein.Invocation) (rein.Done, error) {
	s, err := h.server(offered.Name)
	switch {
	case err != nil:
		return rein.Done{}, err
	case s.Peer() != offered.Peer():
		return rein.Done{}, rein.Errorf(rein.CodeConflict, "MCP server %s is another program or address since this tool was offered: call it again", s.Name)
	case inv.Task == nil || inv.Task.Household != s.Household:
		return rein.Done{}, rein.Errorf(rein.CodeNotFound, "there is no MCP server %q for this run", s.Name)
	case slices.Contains(s.Deny, p.Name):
		return rein.Done{}, rein.Errorf(rein.CodeForbidden, "the settings of MCP server %s deny this tool", s.Name)
	}
	root := ""
	if s.Roots && h.o.Root != nil {
		if root, err = h.o.Root(ctx, inv.Task); err != nil {
			return rein.Done{}, err
		}
	}
	c, err := h.use(ctx, s, Owner{inv.Task.Household, inv.Task.User}, root)
	if err != nil {
		return rein.Done{}, err
	}
	tools, _ := c.listed()
	switch d, ok := tools[p.Name]; {
	case !ok:
		return rein.Done{}, rein.Errorf(rein.CodeNotFound, "MCP server %s does not have this tool any more", s.Name)
	case d.Hash() != p.Hash:
		return rein.Done{}, rein.Errorf(rein.CodeConflict, "MCP server %s has changed the definition of this tool since it was offered: read its description and its schema again, then call it again", s.Name)
	}
	c.busy.Add(1)
	defer c.busy.Add(-1)
	done, err := c.call(ctx, p.Name, inv)
	if err == nil {
		h.worked(c)
	}
	return done, err
}

// use returns the connection to a server, for one person. It makes one if there is none.
func (h *Hub) use(ctx context.Context, s Server, who Owner, root string) (*conn, error) {
	if !s.IsPersonal() {
		who = Owner{}
	}
	l, err := h.link(key{s.Name, s.Hash(), who, root}, s)
	if err != nil {
		return nil, err
	}
	return l.use(ctx)
}

func (h *Hub) link(k key, s Server) (*link, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, rein.Errorf(rein.CodeUnavailable, "this process is shutting down")
	}
	l := h.links[k]
	if l == nil {
		l = &link{hub: h, key: k, server: s, turn: make(chan struct{}, 1)}
		h.links[k] = l
	}
	return l, nil
}

// worked notes that a connection is good.
func (h *Hub) worked(c *conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.links {
		l.worked(c)
	}
}

// pinned keeps what a server lists now, and makes the tools of it.
func (h *Hub) pinned(ctx context.Context, c *conn) error {
	tools, _ := c.listed()
	var all []Definition
	for _, name := range sortedNames(tools) {
		all = append(all, tools[name])
	}
	before := map[string]string{}
	h.learning.Lock()
	defer h.learning.Unlock()
	h.mu.Lock()
	for _, p := range h.pins[c.server.Name] {
		before[p.Name] = p.Hash
	}
	h.mu.Unlock()
	pins, err := h.o.Pins.Pin(ctx, c.server.Name, all)
	if err != nil {
		return err
	}
	for _, p := range pins {
		if was, known := before[p.Name]; known && was != p.Hash {
			h.o.Tell("an MCP server has changed the definition of a tool: what people allowed for it no longer holds", "server", p.Server, "tool", p.Name, "was", was, "is", p.Hash)
		}
	}
	h.mu.Lock()
	h.pins[c.server.Name] = pins
	h.mu.Unlock()
	h.publish()
	return nil
}

// relistPause is how long the tools of a server are not read again after they were.
const relistPause = time.Second

// changed has the tools of a server read again, because it says that they have changed. It may say so all the time.
func (h *Hub) changed(c *conn) {
	if c.changes.Add(1) > 1 {
		return // they are being read, and will be once more
	}
	go func() {
		for announced := int64(1); ; announced = c.changes.Load() {
			h.relist(c)
			if c.changes.CompareAndSwap(announced, 0) {
				return
			}
			timer := time.NewTimer(relistPause)
			select {
			case <-timer.C:
			case <-c.ended:
			}
			timer.Stop()
			if !c.isAlive() {
				return
			}
		}
	}()
}

// relist reads the tools of a server again.
func (h *Hub) relist(c *conn) {
	ctx, cancel := context.WithTimeout(h.ctx, dialLimit)
	defer cancel()
	err := c.list(ctx)
	if err == nil {
		err = h.pinned(ctx, c)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		h.o.Tell("an MCP server's tools could not be read again", "server", c.server.Name, "error", err)
	}
}

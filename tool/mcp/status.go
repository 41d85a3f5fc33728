package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
)

// A Status is what is known of a server.
type Status struct {
	Server
	Connected bool
	Error     string    // what went wrong last; empty: nothing
	Next      time.Time // when it is tried again after an error
	Tools     []ToolStatus
	LoggedIn  bool // the person who asks is
}

// A ToolStatus is what is known of a tool.
type ToolStatus struct {
	Pin
	Full   string // its name in rein
	Effect rein.Effect
	Asks   bool // a person is asked, unless they allowed it
	Denied bool
}

// List returns the servers of a household, by name.
func (h *Hub) List(ctx context.Context, who Owner) []Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := []Status{}
	for _, s := range h.servers {
		if s.Household != who.Household {
			continue
		}
		st := Status{Server: s, Tools: toolsOf(s, h.pins[s.Name]), LoggedIn: h.isLoggedIn(ctx, s, who)}
		for k, l := range h.links {
			if k.server != s.Name || k.owner != who && k.owner != (Owner{}) {
				continue
			}
			connected, next, err := l.state()
			st.Connected = st.Connected || connected
			if err != nil && !connected {
				st.Error, st.Next = err.Error(), next
			}
		}
		all = append(all, st)
	}
	slices.SortFunc(all, func(a, b Status) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (h *Hub) isLoggedIn(ctx context.Context, s Server, who Owner) bool {
	if !s.Login || h.o.Box == nil {
		return false
	}
	source, err := h.source(ctx, s, who, nil)
	return err == nil && source != nil
}

func toolsOf(s Server, pins []Pin) []ToolStatus {
	byName, names := map[string]Pin{}, []string{}
	for _, p := range pins {
		byName[p.Name] = p
		names = append(names, p.Name)
	}
	all := []ToolStatus{}
	for full, name := range named(s.Family(), names) {
		p := byName[name]
		t := ToolStatus{Pin: p, Full: full, Effect: effectOf(s, p.Definition), Denied: slices.Contains(s.Deny, name)}
		if p.IsChanged() {
			t.Effect = rein.Unsafe
		}
		t.Asks = t.Effect != rein.Pure && (p.IsChanged() || !slices.Contains(s.Allow, name))
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b ToolStatus) int { return strings.Compare(a.Full, b.Full) })
	return all
}

// A Report is what a test of a server found.
type Report struct {
	Status
	Title     string   // how the server calls itself, with its version
	Protocol  string   // the version of MCP
	Wrong     []string // what of it cannot be used, and why
	Resources []string // their addresses
	Prompts   []string // their names
}

// most is how many resources and prompts a report lists.
const most = 100

// Test connects to a server, in a connection of its own, and returns what it has.
func (h *Hub) Test(ctx context.Context, name string, who Owner) (r Report, err error) {
	s, err := h.server(name)
	if err == nil && s.Household != who.Household {
		err = rein.Errorf(rein.CodeNotFound, "there is no MCP server %.80q", name)
	}
	if err != nil {
		return r, err
	}
	k := key{s.Name, s.Hash(), Owner{}, ""}
	if s.IsPersonal() {
		k.owner = who
	}
	c, err := h.connect(ctx, k, s)
	if err != nil {
		return r, err
	}
	defer c.close()
	h.forgetFailures(name)
	for _, st := range h.List(ctx, who) {
		if st.Name == name {
			r.Status = st
		}
	}
	_, wrong := c.listed()
	r.Wrong = append(slices.Clone(wrong), h.unusable(s)...)
	r.read(ctx, c)
	return r, nil
}

// unusable says what is wrong with tools of a server that have a definition.
func (h *Hub) unusable(s Server) (wrong []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for full := range fullNames(s, h.pins[s.Name]) {
		if t := h.tools[place{s.Place, full}]; t.wrong != nil && !t.gone {
			wrong = append(wrong, t.wrong.Error())
		}
	}
	slices.Sort(wrong)
	return wrong[:min(len(wrong), maxWrong)]
}

// read asks the server about itself. What it does not have is left out.
func (r *Report) read(ctx context.Context, c *conn) {
	init := c.session.InitializeResult()
	if init == nil {
		return
	}
	r.Protocol = init.ProtocolVersion
	if info := init.ServerInfo; info != nil {
		r.Title = c.clean(fmt.Sprintf("%.80s %.40s", info.Name, info.Version))
	}
	if init.Capabilities == nil {
		return
	}
	if init.Capabilities.Resources != nil {
		for found, err := range c.session.Resources(ctx, nil) {
			if err != nil || len(r.Resources) == most {
				break
			}
			r.Resources = append(r.Resources, c.clean(found.URI))
		}
	}
	if init.Capabilities.Prompts != nil {
		for found, err := range c.session.Prompts(ctx, nil) {
			if err != nil || len(r.Prompts) == most {
				break
			}
			r.Prompts = append(r.Prompts, c.clean(found.Name))
		}
	}
}

// forgetFailures has the next call connect at once.
func (h *Hub) forgetFailures(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, l := range h.links {
		if k.server == name {
			l.mu.Lock()
			l.failures, l.next = 0, time.Time{}
			l.mu.Unlock()
		}
	}
}

// Accept makes the settings of a server hold for the tools as it defines them now.
func (h *Hub) Accept(ctx context.Context, name string) error {
	if _, err := h.server(name); err != nil {
		return err
	}
	if err := h.o.Pins.Accept(ctx, name); err != nil {
		return err
	}
	return h.Sync(ctx)
}

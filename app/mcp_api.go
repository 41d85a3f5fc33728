package app

import (
	"context"

	"rein"
	"rein/api"
	"rein/server"
	"rein/tool/mcp"
)

var _ server.MCP = (*peers)(nil)

// List implements server.MCP.
func (p *peers) List(ctx context.Context, who rein.Identity) ([]api.MCPServer, error) {
	if err := p.fresh(ctx); err != nil {
		return nil, err
	}
	if err := p.visitAll(ctx); err != nil {
		return nil, err
	}
	var all []api.MCPServer
	for _, s := range p.hub.List(ctx, ownerOfSecrets(who)) {
		all = append(all, serverOf(s, who))
	}
	return all, nil
}

func ownerOfSecrets(who rein.Identity) mcp.Owner {
	return mcp.Owner{Household: who.Household, User: who.User}
}

// serverOf is what somebody sees of a server. How it is reached is for this machine and operators.
func serverOf(s mcp.Status, who rein.Identity) api.MCPServer {
	seen := api.MCPServer{Name: s.Name, Kind: "http", From: string(s.From), State: "idle", Login: s.Login, LoggedIn: s.LoggedIn, Tools: []api.MCPTool{}}
	if s.IsLocal() {
		seen.Kind = "stdio"
	}
	switch {
	case s.Connected:
		seen.State = "connected"
	case s.Error != "":
		seen.State, seen.Error, seen.Next = "failed", s.Error, s.Next.UTC()
	}
	if isLocal(who) || who.Operates() && who.May(rein.ScopeAdmin) {
		seen.Command, seen.URL = s.Command, s.URL
	}
	for _, t := range s.Tools {
		seen.Tools = append(seen.Tools, api.MCPTool{
			Name: t.Full, Native: t.Name, About: t.Description, Effect: t.Effect, Asks: t.Asks, Denied: t.Denied, Hash: t.Hash, Changed: t.IsChanged(), Gone: t.Gone,
		})
	}
	return seen
}

// onThisMachine refuses changes that come over the network: a server is a program that runs here, or an address that
// nothing is refused to.
func onThisMachine(who rein.Identity) error {
	if isLocal(who) {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "MCP servers are programs and addresses of the machine: they can be changed only there, with rein mcp or in rein.toml")
}

// operators refuses what is about the whole process.
func operators(who rein.Identity) error {
	if isLocal(who) || who.Operates() {
		return nil
	}
	return rein.Errorf(rein.CodeForbidden, "MCP servers belong to the machine: only admins of the household that owns the server may do this")
}

// Add implements server.MCP. It connects, so that the tools are known and a mistake is seen at once; a server that cannot
// be reached now is kept anyway.
func (p *peers) Add(ctx context.Context, who rein.Identity, n api.NewMCPServer) (api.MCPServer, error) {
	s := mcp.Server{
		Name: n.Name, Command: n.Command, Env: n.Env, URL: n.URL, Headers: n.Headers, Login: n.Login, ClientID: n.ClientID, Allow: n.Allow, Deny: n.Deny, Effects: n.Effects,
		NoCode: n.NoCode, TrustHints: n.TrustHints, Roots: n.Roots, Private: n.Private, Sandbox: n.Sandbox, Read: n.Read, Write: n.Write, Network: n.Network,
	}
	if err := onThisMachine(who); err != nil {
		return api.MCPServer{}, err
	}
	settings, _ := p.live.now()
	if _, taken := settings.MCP[s.Name]; taken {
		return api.MCPServer{}, rein.Errorf(rein.CodeConflict, "the settings have an MCP server %q: choose another name", s.Name)
	}
	err := p.keep(ctx, s, who.User)
	if err == nil {
		err = p.sync(ctx)
	}
	if err != nil {
		return api.MCPServer{}, err
	}
	report, err := p.Test(ctx, who, s.Name)
	return report.MCPServer, err
}

// Remove implements server.MCP.
func (p *peers) Remove(ctx context.Context, who rein.Identity, name string) error {
	if err := onThisMachine(who); err != nil {
		return err
	}
	settings, _ := p.live.now()
	if _, set := settings.MCP[name]; set {
		return rein.Errorf(rein.CodeConflict, "MCP server %q is in the settings (%s): remove it there", name, settings.Path)
	}
	p.adding.Lock()
	defer p.adding.Unlock()
	if err := p.book.Remove(ctx, name); err != nil {
		return err
	}
	if err := p.unseal(ctx, name); err != nil {
		return err
	}
	return p.sync(ctx)
}

// Test implements server.MCP.
func (p *peers) Test(ctx context.Context, who rein.Identity, name string) (r api.MCPReport, err error) {
	if err := operators(who); err != nil {
		return r, err
	}
	if err := p.fresh(ctx); err != nil {
		return r, err
	}
	found, err := p.hub.Test(ctx, name, ownerOfSecrets(who))
	if rein.CodeOf(err) == rein.CodeNotFound {
		return r, err
	}
	for _, s := range p.hub.List(ctx, ownerOfSecrets(who)) {
		if s.Name == name {
			r.MCPServer = serverOf(s, who)
		}
	}
	if r.State, r.Error = "connected", ""; err != nil {
		r.State, r.Error = "failed", err.Error()
	}
	r.Title, r.Protocol, r.Wrong, r.Resources, r.Prompts = found.Title, found.Protocol, found.Wrong, found.Resources, found.Prompts
	return r, nil
}

// Accept implements server.MCP.
func (p *peers) Accept(ctx context.Context, who rein.Identity, name string) error {
	if err := operators(who); err != nil {
		return err
	}
	return p.hub.Accept(ctx, name)
}

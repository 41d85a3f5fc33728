package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/app/texts"
	"rein/household/workspace"
	"rein/tool/mcp"
	"rein/tool/mcp/spec"
)

// A brought is what the folder of a workspace brings of MCP servers, and where somebody works who gets them.
type brought struct {
	workspace, folder string
	hash              string // of what was trusted; empty: it is not
	servers           []mcp.Server
}

// placeOf names where a task works. What holds there is decided for exactly that.
func placeOf(task *rein.Task) string {
	place := cmp.Or(task.Workspace, workspace.Default)
	if task.Folder != "" {
		place += "/" + task.Folder
	}
	return place
}

func scopeOf(task *rein.Task) mcp.Scope {
	return mcp.Scope{Household: task.Household, Place: placeOf(task)}
}

// serversOf makes servers of what a folder names. A server that cannot be used stops no other.
func serversOf(named []texts.Server, household, place, root string) (all []mcp.Server, problems []string) {
	seen := map[string]bool{}
	for _, n := range named {
		s, err := serverIn(n)
		if err == nil && seen[s.Name] {
			err = fmt.Errorf("another one is called %s too", s.Name)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("MCP server %.80q of %s is not used: %v", n.Name, texts.ServersFile, err))
			continue
		}
		seen[s.Name] = true
		s.Name, s.Place, s.Household, s.From = s.Name+"@"+place, place, household, spec.FromWorkspace
		if s.IsLocal() {
			s.Dir = root
		}
		all = append(all, s)
	}
	return all, problems
}

// serverIn is a server as its folder names it. A folder cannot name what rein knows: neither variables nor secrets.
func serverIn(n texts.Server) (mcp.Server, error) {
	s := mcp.Server{Name: serverName(n.Name), Command: n.Command, URL: n.URL, Headers: n.Headers}
	for _, name := range slices.Sorted(maps.Keys(n.Env)) {
		s.Env = append(s.Env, name+"="+n.Env[name])
	}
	values := slices.Concat(s.Command, s.Env, []string{s.URL}, slices.Collect(maps.Values(s.Headers)))
	if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "${") }) {
		return s, fmt.Errorf("variables such as ${NAME} are not filled in for folders: add the server with rein mcp add")
	}
	if slices.ContainsFunc(s.Values(), func(v spec.Value) bool { return v.Passed || spec.IsReference(v.Text) }) {
		return s, fmt.Errorf("a folder cannot name variables or secrets of rein: add the server with rein mcp add")
	}
	return s, s.Check()
}

// serverName is a name in the form that rein's have.
func serverName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '_'
	}, name)
}

// adopt has the hub know the servers that a folder brings, if somebody trusts it, and forget them if nobody does any more.
func (p *peers) adopt(ctx context.Context, w rein.Workspace, folder string, b bringing) error {
	at := placeOf(&rein.Task{Workspace: w.Name, Folder: folder})
	now := brought{workspace: w.Name, folder: folder}
	if b.isTrusted() {
		now.hash, now.servers = b.hash, b.servers
	}
	p.mu.Lock()
	if p.brought == nil {
		p.brought = map[string]brought{}
	}
	before := p.brought[at]
	p.brought[at] = now
	p.mu.Unlock()
	if before.hash == now.hash || len(before.servers)+len(now.servers) == 0 {
		return nil
	}
	return p.sync(ctx)
}

// visit looks at the folder that a task works in.
func (p *peers) visit(ctx context.Context, name, folder string) (bringing, error) {
	w, err := p.places.find(ctx, name)
	if err != nil {
		return bringing{}, err
	}
	own, err := p.ownTexts()
	if err != nil {
		return bringing{}, err
	}
	b, err := p.folders().look(ctx, w, folder, skillNames(own.Skills))
	if err != nil {
		return b, err
	}
	return b, p.adopt(ctx, w, folder, b)
}

// visitLimit is how long that may take where nobody waits for it by name.
const visitLimit = 10 * time.Second

// find returns a tool of a server for a run. A run that was started by another process brings this one to its folder.
func (p *peers) find(task *rein.Task, name string) (rein.Tool, bool) {
	scope := scopeOf(task)
	if t, ok := p.hub.Tool(scope, name); ok {
		return t, true
	}
	p.mu.Lock()
	_, known := p.brought[scope.Place]
	p.mu.Unlock()
	if known || !strings.Contains(name, ".") || IsSkillTool(name) {
		return rein.Tool{}, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), visitLimit)
	defer cancel()
	if _, err := p.visit(ctx, task.Workspace, task.Folder); err != nil {
		return rein.Tool{}, false
	}
	return p.hub.Tool(scope, name)
}

// allow says why the server of a folder is not to be started any more: what was trusted is not there now.
func (p *peers) allow(ctx context.Context, s mcp.Server) error {
	if s.Place == "" {
		return nil
	}
	p.mu.Lock()
	at := p.brought[s.Place]
	p.mu.Unlock()
	b, err := p.visit(ctx, at.workspace, at.folder)
	same := func(now mcp.Server) bool { return now.Name == s.Name && now.Hash() == s.Hash() }
	if err == nil && (!b.isTrusted() || !slices.ContainsFunc(b.servers, same)) {
		err = rein.Errorf(rein.CodeForbidden, "MCP server %s comes from a folder that is not trusted any more, or has changed since: rein trust shows it and asks", s.Name)
	}
	return err
}

// revisit looks again at the folders whose servers are known, because what people decided has changed.
func (p *peers) revisit(ctx context.Context) error {
	p.mu.Lock()
	all := slices.Collect(maps.Values(p.brought))
	p.mu.Unlock()
	for _, at := range all {
		if len(at.servers) == 0 {
			continue
		}
		if _, err := p.visit(ctx, at.workspace, at.folder); err != nil {
			return err
		}
	}
	return nil
}

// visitAll looks at the folders of all workspaces, for somebody who wants to see which servers there are.
func (p *peers) visitAll(ctx context.Context) error {
	all, err := p.places.all(ctx)
	for _, w := range all {
		if w.Root == "" {
			continue
		}
		if _, err := p.visit(ctx, w.Name, ""); err != nil {
			return err
		}
	}
	return err
}

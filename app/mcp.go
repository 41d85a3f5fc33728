package app

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"sync"

	"rein"
	"rein/app/config"
	"rein/engine/work"
	"rein/household/servers"
	"rein/internal/outbound"
	"rein/tool/mcp"
	"rein/tool/mcp/spec"
)

// peers are the MCP servers whose tools runs can use.
type peers struct {
	*owner
	hub  *mcp.Hub
	book servers.Book

	adding sync.Mutex // held while a server is added or removed

	mu      sync.Mutex
	seen    *config.Config     // the settings that the hub knows
	brought map[string]brought // what folders bring, by the place
}

// mcpFolder is where the data folder keeps what the programs of MCP servers write.
const mcpFolder = "mcp"

// newPeers gives runs the tools of MCP servers, as far as they are known. It connects to none.
func (o *owner) newPeers(ctx context.Context) (*peers, error) {
	p := &peers{owner: o, book: servers.Book{Tables: o.store}}
	p.hub = mcp.New(mcp.Options{
		Servers: p.servers, Pins: pins{p.book}, Client: p.client, Root: p.root, Box: loginBox{o.secrets, o.known},
		Check: func(t rein.Tool) error {
			if _, taken := o.worker.Tools[t.Name]; taken {
				return rein.Errorf(rein.CodeConflict, "there is a tool %q already", t.Name)
			}
			return work.CheckTool(t)
		},
		Allow:  p.allow,
		Getenv: o.setup.env.Get, Filter: func(of mcp.Owner) mcp.Filter { return o.known.of(of.Household, of.User).Stream() }, Clean: o.clean, Folder: filepath.Join(o.place.Folder, mcpFolder),
		Report: detect, Hidden: o.unseen(), Home: rein.Host().Household, Version: Version(),
		Tell: func(what string, args ...any) { o.live.tell(what, args...) },
	})
	more := o.worker.More
	o.worker.More = func(task *rein.Task, name string) (rein.Tool, bool) {
		if t, ok := p.find(task, name); ok || more == nil {
			return t, ok
		}
		return more(task, name)
	}
	if err := p.sealAdded(ctx); err != nil {
		return p, err
	}
	return p, p.sync(ctx)
}

// close ends the programs of MCP servers.
func (p *peers) close() error {
	if p == nil {
		return nil
	}
	return p.hub.Close()
}

// sync has the hub learn which servers there are, and texts lose what these get.
func (p *peers) sync(ctx context.Context) error {
	settings, _ := p.live.now()
	p.mu.Lock()
	p.seen = settings
	p.mu.Unlock()
	added, err := p.added(ctx)
	if err != nil {
		return err
	}
	var values []string
	for _, s := range added {
		values = append(values, slices.Collect(maps.Values(s.Secrets(p.setup.env.Get)))...)
	}
	p.known.passes(values)
	return p.hub.Sync(ctx)
}

// fresh does so if the settings have changed.
func (p *peers) fresh(ctx context.Context) error {
	settings, _ := p.live.now()
	p.mu.Lock()
	same := p.seen == settings
	p.mu.Unlock()
	if same {
		return nil
	}
	return p.sync(ctx)
}

// servers lists the servers of the settings, those that were added, and those of folders that somebody trusts. Of two with
// one name the settings have theirs.
func (p *peers) servers(ctx context.Context) ([]mcp.Server, error) {
	settings, _ := p.live.now()
	all := slices.Collect(maps.Values(settings.MCP))
	added, err := p.added(ctx)
	for _, s := range added {
		if _, taken := settings.MCP[s.Name]; !taken {
			all = append(all, s)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.brought {
		all = append(all, at.servers...)
	}
	return all, err
}

// added lists the servers that were added. One whose row rein would not take today is left out.
func (p *peers) added(ctx context.Context) (all []mcp.Server, err error) {
	rows, err := p.book.List(ctx)
	for _, row := range rows {
		if s, err := serverOfRow(row); err == nil && s.Check() == nil {
			all = append(all, s)
		}
	}
	return all, err
}

func serverOfRow(row servers.Server) (s mcp.Server, err error) {
	err = json.Unmarshal([]byte(row.Spec), &s)
	s.Name, s.From = row.Name, spec.FromAdded
	return s, err
}

// root is the folder of a run's workspace.
func (p *peers) root(ctx context.Context, task *rein.Task) (string, error) {
	w, err := p.places.find(ctx, task.Workspace)
	return w.Root, err
}

// client is what a server is called with over HTTP. Its own address is the operator's choice and may be anywhere; where it
// redirects to, and the authorization server that it names, must be public unless the settings say that it is private.
func (p *peers) client(s mcp.Server) *http.Client {
	o := outbound.Options{Trusted: s.Private, AnyPort: true, Timeout: -1, Body: -1, PerHost: 64}
	if u, err := url.Parse(s.URL); err == nil {
		o.Hosts = []string{u.Host}
	}
	return outbound.New(o)
}

// offer adds the tools of MCP servers to a task that chose no tools. Research refuses those that may look into code, and so
// they are not offered to it.
func (p *peers) offer(ctx context.Context, task *rein.Task) {
	scope := scopeOf(task)
	task.Notices = append(slices.Clone(task.Notices), p.hub.Learn(ctx, scope)...)
	names := p.hub.Tools(scope)
	if task.Flow == "research" {
		names = slices.DeleteFunc(names, func(name string) bool {
			t, _ := p.hub.Tool(scope, name)
			return t.Code
		})
	}
	task.Tools = append(slices.Clone(task.Tools), names...)
}

// pins keeps definitions of tools in the tables.
type pins struct{ servers.Book }

var _ mcp.Pins = pins{}

func (b pins) Pins(ctx context.Context) ([]mcp.Pin, error) {
	rows, err := b.Tools(ctx)
	return pinsOf(rows), err
}

func (b pins) Pin(ctx context.Context, server string, listed []mcp.Definition) ([]mcp.Pin, error) {
	rows := make([]servers.Tool, len(listed))
	for i, d := range listed {
		data, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		rows[i] = servers.Tool{Server: server, Name: d.Name, Definition: string(data), Hash: d.Hash()}
	}
	kept, err := b.Keep(ctx, server, rows)
	return pinsOf(kept), err
}

func pinsOf(rows []servers.Tool) []mcp.Pin {
	all := []mcp.Pin{}
	for _, row := range rows {
		p := mcp.Pin{Server: row.Server, Hash: row.Hash, Accepted: row.Accepted, Changed: row.Changed, Gone: row.Gone}
		if json.Unmarshal([]byte(row.Definition), &p.Definition) == nil && p.Definition.Hash() == row.Hash {
			all = append(all, p)
		}
	}
	return all
}

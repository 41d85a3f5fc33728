package app

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"rein"
	"rein/household/servers"
	"rein/store"
	"rein/tool/mcp"
	"rein/tool/mcp/spec"
)

// typedFor is the owner of what was typed for MCP servers that were added: they belong to the household of the data, and
// everyone in it uses them.
var typedFor = householdSecrets

// keep keeps a server that somebody adds. What they typed for it is sealed; the row has references to it. The same again
// changes nothing, and another one of that name is CodeConflict.
func (p *peers) keep(ctx context.Context, s mcp.Server, by string) error {
	typed, err := s.Seal()
	if err != nil {
		return err
	}
	s.From = spec.FromAdded
	if err := s.Check(); err != nil {
		return err
	}
	s.From = "" // which the row says by being there
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	p.adding.Lock()
	defer p.adding.Unlock()
	rows, err := p.book.List(ctx)
	if err != nil {
		return err
	}
	row := servers.Server{Name: s.Name, Spec: string(data), By: by}
	switch there := slices.ContainsFunc(rows, func(r servers.Server) bool { return r.Name == s.Name }); {
	case !there:
		err = p.sealTyped(ctx, typed)
	case !p.has(ctx, typed):
		row.Spec = "" // another value was typed, so it is another server, which is refused
	}
	if err != nil {
		return err
	}
	return p.book.Add(ctx, row)
}

// has reports whether exactly these values are kept.
func (p *peers) has(ctx context.Context, typed map[string]string) bool {
	for name, value := range typed {
		if kept, err := p.secrets.Get(ctx, typedFor, name); err != nil || !bytes.Equal(kept, []byte(value)) {
			return false
		}
	}
	return true
}

func (p *peers) sealTyped(ctx context.Context, typed map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		if err := p.secrets.Put(ctx, typedFor, name, []byte(typed[name])); err != nil {
			return err
		}
	}
	return nil
}

// unseal removes what was typed for a server.
func (p *peers) unseal(ctx context.Context, name string) error {
	kept, err := p.secrets.Names(ctx, typedFor)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if !(mcp.Server{Name: name}).IsSealed("secret:" + k.Name) {
			continue
		}
		if err := p.secrets.Delete(ctx, typedFor, k.Name); err != nil && rein.CodeOf(err) != rein.CodeNotFound {
			return err
		}
	}
	return nil
}

// sealAdded seals what earlier versions of rein kept readable of the servers that were added, and takes it out of the file.
// Where that cannot be done the server is not used, and rein says so.
func (p *peers) sealAdded(ctx context.Context) error {
	rows, err := p.book.List(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		s, err := serverOfRow(row)
		if err == nil {
			err = p.sealRow(ctx, &s)
		}
		if err == nil {
			err = s.Check()
		}
		if err != nil {
			p.setup.o.Warn("MCP server " + row.Name + ", which was added with rein mcp add, is not used: " + WithoutSecrets(err.Error()) + ". Remove it with rein mcp remove " + row.Name + ", and add it again")
		}
	}
	return nil
}

func (p *peers) sealRow(ctx context.Context, s *mcp.Server) error {
	typed, err := s.Seal()
	if err != nil || len(typed) == 0 {
		return err
	}
	if err := p.sealTyped(ctx, typed); err != nil {
		return err
	}
	written := *s
	written.From = ""
	data, err := json.Marshal(written)
	if err != nil {
		return err
	}
	return p.store.Erase(ctx, func(ctx context.Context, m store.Moment) ([]rein.RunID, error) {
		return nil, p.book.Rewrite(ctx, m, s.Name, string(data))
	})
}

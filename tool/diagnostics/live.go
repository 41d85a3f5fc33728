package diagnostics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool/diagnostics/lsp"
)

// maxLive is how many servers of one workspace run.
const maxLive = 3

// A live is a server that runs.
type live struct {
	*lsp.Session
	server
	key     string // what it was started for
	project string
	stop    func() // ends the process and all that it started
	seen    map[string]string
	said    map[string][]string // what it said last of a file that was written; see After
	used    time.Time
}

// serve returns a server for a batch: one that runs, or a new one. Call it in one's turn.
func (c *Checks) serve(inv rein.Invocation, b batch) (*live, error) {
	found, err := b.find(c.Getenv)
	if err != nil {
		return nil, err
	}
	policy, err := c.policy(inv, found)
	if err != nil {
		return nil, err
	}
	key := strings.Join(slices.Concat([]string{b.Name, b.project}, found.argv, policy.Hidden), "\x00") // runs that see less have their own
	if at := slices.IndexFunc(c.live, func(s *live) bool { return s.key == key }); at >= 0 {
		s := c.live[at]
		c.live = append(slices.Delete(c.live, at, at+1), s)
		return s, nil
	}
	if c.closed {
		return nil, rein.Errorf(rein.CodeUnavailable, "this workspace is being closed")
	}
	for len(c.live) >= maxLive {
		c.end(c.live[0])
	}
	s, err := c.start(policy, found, b)
	if err != nil {
		return nil, err
	}
	s.key, s.seen = key, s.scan()
	c.live = append(c.live, s)
	return s, nil
}

// start starts a server in the sandbox.
func (c *Checks) start(policy sandbox.Policy, found install, b batch) (*live, error) {
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the call
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	process, err := sandbox.Start(ctx, c.Report(), policy, sandbox.Command{Argv: found.argv, Dir: b.project, Env: found.env, Stdin: toServer, Stdout: fromServer, Stderr: io.Discard})
	if err != nil {
		cancel()
		if missing, ok := errors.AsType[*sandbox.MissingError](err); ok {
			return nil, rein.Errorf(rein.CodeUnavailable, "language servers run only in the sandbox: %w", missing)
		}
		return nil, rein.Errorf(rein.CodeUnavailable, "%s was not started: %w", b.Name, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		result, err := process.Wait()
		fromServer.CloseWithError(fmt.Errorf("exit code %d, %v", result.ExitCode, err))
		toServer.Close()
	}()
	session := lsp.Server{In: out, Out: in, Root: b.project, Settings: b.Settings, Settle: settle}.Open()
	return &live{Session: session, server: b.server, project: b.project, said: map[string][]string{}, stop: func() {
		session.Close()
		in.Close()
		out.Close()
		cancel()
		<-ended
	}}, nil
}

// end ends a server. Call it in one's turn.
func (c *Checks) end(s *live) {
	c.live = slices.DeleteFunc(c.live, func(other *live) bool { return other == s })
	s.stop()
}

// rest ends a server later, unless it is used again before.
func (c *Checks) rest(s *live) {
	s.used = time.Now()
	idle := cmp.Or(c.Idle, 2*time.Minute)
	time.AfterFunc(idle, func() {
		c.turn <- struct{}{}
		defer c.give()
		if slices.Contains(c.live, s) && time.Since(s.used) >= idle {
			c.end(s)
		}
	})
}

// changed says what became of the files of the project since it was last asked: a server does not look by itself.
func (s *live) changed() (all []lsp.Change) {
	now := s.scan()
	for path, stamp := range now {
		switch was, ok := s.seen[path]; {
		case !ok:
			all = append(all, lsp.Change{Path: path, Kind: lsp.Made})
		case was != stamp:
			all = append(all, lsp.Change{Path: path, Kind: lsp.Changed})
		}
	}
	for path := range s.seen {
		if _, ok := now[path]; !ok {
			all = append(all, lsp.Change{Path: path, Kind: lsp.Removed})
		}
	}
	s.seen = now
	return all
}

// scan looks at the files of a project that matter to its server, without reading them.
func (s *live) scan() map[string]string {
	found := map[string]string{}
	looked := 0
	_ = filepath.WalkDir(s.project, func(path string, e fs.DirEntry, err error) error { // what cannot be read is not checked
		if looked++; looked > maxEntries {
			return fs.SkipAll
		}
		if err != nil {
			return nil
		}
		hidden := path != s.project && strings.HasPrefix(e.Name(), ".")
		if e.IsDir() {
			if hidden || e.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if s.Languages[filepath.Ext(path)] == "" && !slices.Contains(s.Project, e.Name()) && e.Name() != "go.sum" {
			return nil
		}
		if info, err := e.Info(); err == nil {
			found[path] = fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
		return nil
	})
	return found
}

// A hider is a Reach that knows what it hides below a folder.
type hider interface {
	Hidden(folder string) ([]string, error)
}

// policy is what a server can reach: it reads the workspace and writes its caches.
func (c *Checks) policy(inv rein.Invocation, found install) (sandbox.Policy, error) {
	if c.caches == "" {
		dir, err := os.MkdirTemp("", "rein-diagnostics-")
		if err != nil {
			return sandbox.Policy{}, err
		}
		c.caches = dir
	}
	p := sandbox.Policy{Workspace: filepath.Join(c.caches, "work"), Temp: filepath.Join(c.caches, "tmp"), ReadOnly: append([]string{c.root}, found.read...), Hidden: c.Hidden}
	p.Limits.Output = 1 << 30 // it talks for as long as it runs
	if h, ok := inv.Reach.(hider); ok {
		hidden, err := h.Hidden(c.root)
		if err != nil {
			return p, err
		}
		p.Hidden = slices.Concat(p.Hidden, hidden)
	}
	return p, errors.Join(os.MkdirAll(p.Workspace, 0o700), os.MkdirAll(p.Temp, 0o700))
}

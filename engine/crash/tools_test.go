package crash

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"rein"
	"rein/model/script"
	"rein/store"
	"rein/tool/shell"
)

// once names the tools whose effect must not happen twice under one key. The others are harmless,
// or the world itself keeps their keys apart.
var once = map[string]bool{"send": true, "deploy": true, "stay": true, "post": true, "vague": true, "liar": true, "keep": true, "fix": true, "execute_command": true}

// tools are one per class of effect and a few that make a scenario wait. All of them answer "ok", so
// that an outcome does not depend on how an answer was come by.
func (c *child) tools(st store.Store, sc scenario) (map[string]rein.Tool, error) {
	list := []rein.Tool{
		{Name: "echo", Effect: rein.Pure, Do: c.do("echo")},
		{Name: "add", Effect: rein.Idempotent, Do: c.do("add")},
		{Name: "post", Effect: rein.Checkable, Do: c.do("post"), Check: c.check("post")},
		{Name: "vague", Effect: rein.Checkable, Do: c.do("vague"), Check: cannotTell},
		{Name: "send", Effect: rein.Unsafe, Do: c.do("send")},
		{Name: "deploy", Effect: rein.Unsafe, Do: c.do("deploy"), Approval: true},
		{Name: "keep", Effect: rein.Pure, Do: c.keep},
		{Name: "hold", Effect: rein.Pure, Do: c.untilCut("hold")},
		{Name: "stay", Effect: rein.Unsafe, Do: c.untilCut("stay")},
		{Name: "liar", Effect: rein.Pure, Do: c.do("liar")}, // planted: it is unsafe
		{Name: "look", Effect: rein.Pure, Do: c.do("look"), Schema: numbered},
		{Name: "fix", Effect: rein.Unsafe, Do: c.do("fix"), Schema: numbered, Trusted: []string{"user"}},
		{Name: "query", Effect: rein.Pure, Ask: func(json.RawMessage) (rein.Question, error) { return rein.Question{Text: "Which?"}, nil }},
	}
	tools := map[string]rein.Tool{}
	for _, tool := range list {
		tool.Polling = true
		tools[tool.Name] = tool
	}
	var watch shell.Watcher
	if sc.undoes {
		own, w, err := c.undoTools(st)
		if err != nil {
			return nil, err
		}
		for _, t := range own {
			tools[t.Name] = t
		}
		watch = w
	}
	command, err := c.executeCommand(watch)
	tools[command.Name] = command
	if err != nil {
		return nil, err
	}
	code, err := c.python()
	tools[code.Name] = code
	return tools, err
}

// numbered is the schema of tools that are particular about their arguments.
var numbered = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)

type doer = func(context.Context, rein.Invocation) (rein.Done, error)

// do has one effect on the world.
func (c *child) do(name string) doer {
	return func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
		c.trap.pass(beforeEffect)
		err := c.tell("do", url.Values{"tool": {name}, "key": {inv.Key}, "call": {string(inv.Run) + " " + string(inv.Args)}})
		c.trap.pass(afterEffect)
		return rein.Done{Text: "ok"}, err
	}
}

// untilCut has its effect and does not return before somebody cuts it.
func (c *child) untilCut(name string) doer {
	return func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if _, err := c.do(name)(ctx, inv); err != nil {
			return rein.Done{}, err
		}
		<-ctx.Done()
		return rein.Done{}, ctx.Err()
	}
}

// check tells the truth.
func (c *child) check(name string) func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
	return func(_ context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
		switch happened, err := c.happened(name, inv.Key); {
		case err != nil:
			return rein.CheckUnknown, rein.Done{}, err
		case happened:
			return rein.CheckHappened, rein.Done{Text: "ok"}, nil
		}
		return rein.CheckNot, rein.Done{}, nil
	}
}

func cannotTell(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
	return rein.CheckUnknown, rein.Done{}, nil
}

// keep writes to a table of our own. Its effect is inside the transaction, and so it dies there.
func (c *child) keep(_ context.Context, inv rein.Invocation) (rein.Done, error) {
	c.trap.pass(beforeEffect)
	return rein.Done{Text: "ok", Commit: func(ctx context.Context, tx rein.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS kept (key TEXT)`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO kept (key) VALUES (?)`, inv.Key)
		c.trap.pass(afterEffect)
		return err
	}}, nil
}

// happened asks the world.
func (c *child) happened(tool, key string) (bool, error) {
	resp, err := c.client.Get(c.Server + "/check?" + url.Values{"tool": {tool}, "key": {key}}.Encode())
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return false, err
	}
	n, err := strconv.Atoi(string(text))
	return n > 0, err
}

// tell has the world count something.
func (c *child) tell(what string, q url.Values) error {
	resp, err := c.client.Post(c.Server+"/"+what+"?"+q.Encode(), "", nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", what, resp.Status)
	}
	return nil
}

// A countedModel plays the scenario's script. The world counts its calls.
type countedModel struct {
	*script.Model
	child *child
}

func (m countedModel) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	m.child.trap.pass(beforeModel)
	recorded := m.child.boss.recorded(r.Run, r.Step)
	err := m.child.tell("model", url.Values{
		"run": {string(r.Run)}, "step": {string(r.Step)}, "recorded": {strconv.FormatBool(recorded)},
	})
	if err != nil {
		return rein.ModelReply{}, err
	}
	if err := m.child.boss.hold(ctx, r.Run, r.Step); err != nil {
		return rein.ModelReply{}, err
	}
	reply, err := m.Model.Generate(ctx, r, show)
	m.child.trap.pass(afterModel)
	return reply, err
}

func newClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
}

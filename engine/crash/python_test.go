package crash

import (
	"context"
	"encoding/json"

	"rein"
	"rein/sandbox/sandboxtest"
	"rein/tool/python"
)

// forks has real Python in the real sandbox, which forks runs with effects and waits for them: scenario D4. One fork
// would never end, and nobody waits for it.
var forks = func() []scenario {
	if _, err := python.Find(); err != nil {
		return nil
	}
	code, err := json.Marshal(map[string]string{"code": `
a, b, c = fork("A"), fork("B"), fork("C")
try:
    wait(9)
except ForkError as e:
    unknown = e.code
[wait(b), wait(a), wait(a).end, unknown]
`})
	if err != nil {
		return nil // it can be written
	}
	return []scenario{one("python", task("loop", "go", "python", "send", "add"), `
when run=r1 turn=1
call python `+string(code)+`
when run=r1 tool~"not_found"
say over
when user=C
hang
when user=A turn=1
call send {"n":1}
when user=B turn=1
call add {"n":2}
when run=r1.*
say leaf
`)}
}()

// python is the real tool. It can die before the interpreter is started, around each of its calls, and when it has
// ended.
func (c *child) python() (rein.Tool, error) {
	t, err := python.New(python.Options{Report: sandboxtest.Report}).Tool()
	do := t.Do
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		c.trap.pass(beforeEffect)
		inv.Tree = trapped{inv.Tree, c}
		done, err := do(ctx, inv)
		c.trap.pass(afterEffect)
		return done, err
	}
	return t, err
}

// trapped is a tree at whose calls a process can die.
type trapped struct {
	rein.Tree
	child *child
}

func (t trapped) Fork(ctx context.Context, prompt string) (rein.Forked, error) {
	t.child.trap.pass(beforeEffect)
	f, err := t.Tree.Fork(ctx, prompt)
	t.child.trap.pass(afterEffect)
	return f, err
}

func (t trapped) Wait(ctx context.Context, handle int) (rein.Outcome, error) {
	t.child.trap.pass(beforeEffect)
	out, err := t.Tree.Wait(ctx, handle)
	t.child.trap.pass(afterEffect)
	return out, err
}

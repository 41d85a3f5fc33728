package shell

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"rein"
	"rein/tool"
)

//go:embed execute_command.md
var executeCommandText string

type commandArgs struct {
	Command    string   `json:"command" jsonschema:"the command line" min:"1" max:"30000"`
	Cwd        string   `json:"cwd,omitempty" jsonschema:"the folder to run it in, relative to the workspace" max:"4000"`
	Timeout    int      `json:"timeout,omitempty" jsonschema:"seconds until it is ended" min:"1" max:"86400"`
	Background bool     `json:"background,omitempty" jsonschema:"let it run on, and return a handle at once"`
	Network    bool     `json:"network,omitempty" jsonschema:"it needs the network"`
	Read       []string `json:"read,omitempty" jsonschema:"absolute paths outside the workspace that it must read" max:"20"`
	Write      []string `json:"write,omitempty" jsonschema:"absolute paths outside the workspace that it must write" max:"20"`
	// Plan is the command as it was shown.
	Plan string `json:"plan,omitempty" pinned:"true"`
}

// Ran is the Data of execute_command.
type Ran struct {
	Exit   int    `json:"exit"`
	Ended  string `json:"ended,omitempty"` // why the sandbox ended it, as in sandbox.Result
	Cwd    string `json:"cwd"`             // relative to the workspace
	Millis int64  `json:"ms"`
	Bytes  int64  `json:"bytes"`            // of output
	Handle string `json:"handle,omitempty"` // of a command that runs in the background
	// Obeyed is what the command made that a program runs or an agent obeys later, though nobody approved it: at most ten.
	Obeyed []string `json:"obeyed,omitempty"`
}

// slack is how much longer than its command a call may take.
const slack = 30 * time.Second

// ExecuteCommand is the tool execute_command.
func (c *Commands) ExecuteCommand() (rein.Tool, error) {
	spec := tool.Spec{Name: "execute_command", Family: "shell", Text: executeCommandText, Effect: rein.Unsafe, Rules: true, Code: true, Timeout: c.longest() + slack}
	t, err := tool.New(spec, c.execute)
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		var args commandArgs
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, rein.Errorf(rein.CodeInvalid, "the arguments cannot be read: %w", err)
		}
		return c.show(ctx, inv, args)
	}
	return t, err
}

// execute runs what was shown.
func (c *Commands) execute(ctx context.Context, inv rein.Invocation, args commandArgs) (rein.Done, error) {
	p, err := c.pinned(inv, args)
	if err != nil {
		return rein.Done{}, err
	}
	if p.Background {
		return c.inBackground(ctx, inv, p, args.Command)
	}
	return c.run(ctx, inv, p)
}

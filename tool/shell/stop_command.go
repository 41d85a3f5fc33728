package shell

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool"
)

//go:embed stop_command.md
var stopCommandText string

type stopArgs struct {
	Handle string `json:"handle" jsonschema:"the handle of the command" min:"1" max:"60"`
}

// StopCommand is the tool stop_command.
func (c *Commands) StopCommand() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "stop_command", Family: "shell", Text: stopCommandText, Effect: rein.Idempotent, Timeout: 30 * time.Second},
		func(ctx context.Context, inv rein.Invocation, args stopArgs) (rein.Done, error) {
			if c.o.Jobs == nil {
				return rein.Done{}, noJob(args.Handle)
			}
			ended, err := c.o.Jobs.stop(ctx, inv.Task.Place(), args.Handle)
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(ended)
			return rein.Done{Text: c.o.Jobs.state(ended), Data: data}, err
		})
}

// state says in a sentence how a command is.
func (j *Jobs) state(about Job) string {
	began := about.Started.Format(time.DateTime)
	switch {
	case j.isRunning(about.Handle):
		return fmt.Sprintf("%s has been running since %s UTC.", about.Handle, began)
	case about.Ended.IsZero():
		return about.Handle + " ended with rein; its exit code is not known."
	case about.Why == sandbox.Canceled:
		return fmt.Sprintf("%s was stopped at %s UTC.", about.Handle, about.Ended.Format(time.DateTime))
	case about.Why != "":
		return fmt.Sprintf("%s was ended at %s UTC: %s", about.Handle, about.Ended.Format(time.DateTime), ended(about.Why, sandbox.Limits{Time: time.Duration(about.Seconds) * time.Second}))
	}
	return fmt.Sprintf("%s ended at %s UTC with exit code %d.", about.Handle, about.Ended.Format(time.DateTime), about.Exit)
}

func noJob(handle string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no background command %.80q in this session: monitor_log without a source lists them", handle)
}

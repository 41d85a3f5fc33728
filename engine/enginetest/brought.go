package enginetest

import (
	"strings"
	"testing"

	"rein"
	"rein/engine"
)

// own gives runs whose texts say so a tool of their own, and one that leaves them only some of their tools.
func own(o *engine.Options) {
	echo := o.Worker.Tools["echo"]
	o.Worker.Families = []string{"own"}
	o.Worker.More = func(task *rein.Task, name string) (rein.Tool, bool) {
		if !strings.HasPrefix(name, "own.") || task.Texts[name] == "" {
			return rein.Tool{}, false
		}
		tool := echo
		tool.Name = name
		return tool, true
	}
	o.Narrows = func(task *rein.Task, call rein.ToolCall) []string {
		if left := task.Texts["left/"+call.Name]; left != "" {
			return strings.Fields(left)
		}
		return nil
	}
}

// Tools that a run has by its task, and calls that leave it fewer.
var brought = []test{
	{"a run can have tools that others do not have", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1\ncall own.say {\"q\":\"hi\"}\nwhen turn=2\nsay over")
		w.Tweak = own
		w.Begin()
		mine := task("loop", "go", "own.say")
		mine.Texts = map[string]string{"own.say": "yes"}
		w.Start("r1", mine)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, "")
		if _, err := w.Engine.Start(t.Context(), "r2", task("loop", "go", "own.say")); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("a run without it starts with it: %v", err)
		}
	}},
	{"a tool of another run is not called, nor one of the same name elsewhere", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1\nwrong-tool own.echo {\"q\":\"hi\"}\nwhen turn=2\nsay over")
		w.Tweak = own
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "there is no tool")
		w.WantCalls(2, "")
	}},
	{"a call leaves the run fewer tools, also after a restart", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1\ncall echo {}\nwhen turn=2\ncall question {\"text\":\"Which?\"}\nwhen turn=3 offered!=send\nwrong-tool send {}\nwhen turn=4\nsay over")
		w.Tweak = own
		w.Begin()
		narrowed := task("loop", "go", "echo", "question", "send")
		narrowed.Texts = map[string]string{"left/echo": "echo question"}
		w.Start("r1", narrowed)
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(3, rein.ToolRefused, "that the loaded skills allow")
	}},
}

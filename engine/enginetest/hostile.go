package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
)

// change returns a tweak that changes one tool.
func change(name string, by func(*rein.Tool)) func(*engine.Options) {
	return func(o *engine.Options) {
		tool := o.Worker.Tools[name]
		by(&tool)
		o.Worker.Tools[name] = tool
	}
}

// showing is a Show function that has only a text.
func showing(text string) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(context.Context, rein.Invocation) (rein.Shown, error) { return rein.Shown{Text: text}, nil }
}

// hostile is what a hostile review of the pipeline found.
//
// Covers: TAB-B8 TAB-B9 LAW-3 LAW-9 ENG-8 HUM-42
var hostile = []test{
	{"a call that cannot be shown to a person is refused", func(t *testing.T, world func(string) *World) {
		for name, show := range map[string]func(context.Context, rein.Invocation) (rein.Shown, error){
			"fails": func(context.Context, rein.Invocation) (rein.Shown, error) {
				return rein.Shown{}, rein.Errorf(rein.CodeStopped, "there is no such thing")
			},
			"panics": func(context.Context, rein.Invocation) (rein.Shown, error) { panic("no text") },
			"exits":  func(context.Context, rein.Invocation) (rein.Shown, error) { runtime.Goexit(); return rein.Shown{}, nil },
			"pins what it did not declare": func(context.Context, rein.Invocation) (rein.Shown, error) {
				return rein.Shown{Text: "it", Pin: map[string]string{"path": "b"}}, nil
			},
		} {
			t.Run(name, func(t *testing.T) {
				w := world(callOnce("deploy"))
				w.Tweak = change("deploy", func(tool *rein.Tool) { tool.Show = show })
				w.loop("deploy")
				w.WantEnd("r1", rein.EndDone, "over")
				w.wantResult(1, rein.ToolRefused, "cannot be shown")
				w.WantCalls(2, "")
			})
		}
	}},
	{"an approved call that cannot be shown any more is refused", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("deploy"))
		w.Tweak = change("deploy", func(tool *rein.Tool) { tool.Show = showing("the old one") })
		w.loop("deploy")
		ask := w.UntilAsk("r1", 1)
		w.Tweak = change("deploy", func(tool *rein.Tool) {
			tool.Show = func(context.Context, rein.Invocation) (rein.Shown, error) {
				return rein.Shown{}, errors.New("cannot log in with " + secret)
			}
		})
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "[redacted")
		w.WantCalls(2, "")
	}},
	{"a question that a policy wants approved is two asks", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\nturn 2\nsay over")
		w.Begin()
		strict := task("loop", "go", "question")
		strict.Policy.Ask = []string{"question"}
		w.Start("r1", strict)
		w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
		second := w.UntilAsk("r1", 2)
		if second.Kind != rein.AskQuestion {
			t.Errorf("second ask: %+v", second)
		}
		w.Restart()
		w.Answer(second, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, "blue")
		w.Verify()
	}},
	{"numbers that differ in their last digit are not the same call", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall look {\"n\":9007199254740992}\ncall look {\"n\":9007199254740992}\ncall look {\"n\":9007199254740993}\nturn 2\nsay over")
		w.Tweak = change("look", func(tool *rein.Tool) {
			do := tool.Do
			tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
				_, err := do(ctx, inv)
				return rein.Done{Text: "no such thing"}, err
			}
		})
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "look=3")
	}},
	{"a long result that repeats is a loop too", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall long {}\ncall long {}\ncall long {}\nturn 2\nsay over")
		w.Tweak = change("long", func(tool *rein.Tool) { tool.Polling = false })
		w.loop("long", "read_result")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(3, rein.ToolRefused, "same")
	}},
	{"calls side by side do not know of each other", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall look {\"n\":1}\ncall look {\"n\":1}\ncall look {\"n\":1}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) { o.Flows["loop"] = rein.Flow{Do: oneAfterTheOther} }
		w.loop("look")
		w.End("r1")
		w.WantCalls(1, "look=3")
	}},
	{"a recovered call is made only by the tool that was sent it", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool Add {}\nturn 2\nsay over")
		twin := func(o *engine.Options) {
			tool := o.Worker.Tools["add"]
			tool.Name = "Add"
			tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "another tool"}, nil }
			o.Worker.Tools["Add"] = tool
		}
		w.Tools.Hold("add")
		w.Tweak = func(o *engine.Options) { twin(o); o.Policy.Deny = []string{"Add"} }
		w.Begin()
		w.Start("r1", task("loop", "go", "add", "Add"))
		w.Tools.Started(w)
		w.Kill()
		w.Tweak = twin
		w.Begin()
		w.End("r1")
		w.wantResult(1, rein.ToolOK, "add {}")
	}},
	{"an approval does not outlive a crash and a change of the tool", func(t *testing.T, world func(string) *World) {
		for _, name := range []string{"add", "post"} {
			t.Run(name, func(t *testing.T) {
				w := world(callOnce(name))
				w.Tools.checks = rein.CheckNot
				w.Tools.Hold(name)
				approve := func(text string) func(*engine.Options) {
					return change(name, func(tool *rein.Tool) {
						tool.Approval, tool.Show = true, showing(text)
					})
				}
				w.Tweak = approve("one thing")
				w.loop(name)
				w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
				w.Tools.Started(w)
				w.Kill()
				w.Tweak = approve("another thing")
				w.Begin()
				ask := w.UntilAsk("r1", 2)
				if ask.Kind != rein.AskUnknown {
					t.Errorf("asked %+v", ask)
				}
				w.Answer(ask, rein.AskAnswered, rein.SkipIt)
				w.WantEnd("r1", rein.EndDone, "over")
				w.wantResult(1, rein.ToolUnknown, "")
			})
		}
	}},
	{"a call that must be asked about by now is not repeated without asking", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("add"))
		w.Tools.Hold("add")
		w.loop("add")
		w.Tools.Started(w)
		w.Kill()
		w.Tweak = func(o *engine.Options) { o.Policy.Ask = []string{"add"} }
		w.Begin()
		w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, rein.RunAgain)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "add=2")
	}},
	{"an approved call that a crash cut goes on", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall add {\"path\":\"a\",\"user\":\"eve\"}\nturn 2\nsay over")
		w.Tools.Hold("add")
		w.Tweak = change("add", func(tool *rein.Tool) { tool.Approval, tool.Trusted = true, []string{"user"} })
		w.loop("add")
		w.Send(edit(w.UntilAsk("r1", 1), `{"path":"b"}`))
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `add {"path":"b","user":"owner"}`)
		if n := w.Tools.Keys("add"); n != 1 {
			t.Errorf("%d keys", n)
		}
		w.Verify()
	}},
	{"a decision to run again is of what was shown", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("deploy"))
		w.Tools.Hold("deploy")
		w.loop("deploy")
		w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		ask := w.UntilAsk("r1", 2)
		w.Tweak = change("deploy", func(tool *rein.Tool) { tool.Show = showing("to the moon") })
		w.Restart()
		w.Answer(ask, rein.AskAnswered, rein.RunAgain)
		w.Answer(w.UntilAsk("r1", 3), rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "deploy=1")
	}},
	{"secrets in other errors of a tool do not reach the log", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\ncall post {}\nturn 2\nsay over")
		leak := errors.New("cannot log in with " + secret)
		w.Tweak = func(o *engine.Options) {
			change("question", func(tool *rein.Tool) {
				tool.Ask = func(json.RawMessage) (rein.Question, error) { return rein.Question{}, leak }
			})(o)
			change("post", func(tool *rein.Tool) {
				tool.Check = func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
					return "", rein.Done{}, leak
				}
			})(o)
		}
		w.Tools.Hold("post")
		w.loop("question", "post")
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolFailed, "[redacted")
		for _, e := range w.Events("r1") {
			if strings.Contains(string(e.Data), secret) {
				t.Errorf("event %d holds the secret: %s", e.Seq, e.Data)
			}
		}
	}},
	{"a failed commit whose words may not be seen is withheld", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("keep"))
		w.Tweak = func(o *engine.Options) {
			blockTokens(t)(o)
			change("keep", func(tool *rein.Tool) {
				tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
					return rein.Done{Commit: func(context.Context, rein.Tx) error { return errors.New("the token is abc") }}, nil
				}
			})(o)
		}
		w.loop("keep")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolFailed, "withheld"); strings.Contains(end.Result.Text, "abc") {
			t.Errorf("seen: %q", end.Result.Text)
		}
	}},
	{"what a tool returns badly does not hide what it did", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall send {}\ncall keep {}\nturn 2\nsay over")
		bad := json.RawMessage(`{"half`)
		committed := false
		w.Tweak = func(o *engine.Options) {
			change("send", func(tool *rein.Tool) {
				tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
					return rein.Done{Text: "sent", Data: bad}, nil
				}
			})(o)
			change("keep", func(tool *rein.Tool) {
				tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
					return rein.Done{Data: bad, Commit: func(context.Context, rein.Tx) error { committed = true; return nil }}, nil
				}
			})(o)
		}
		w.loop("send", "keep")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolUnknown, "not JSON")
		w.wantResult(2, rein.ToolFailed, "not JSON")
		if committed {
			t.Error("a call that failed has left an effect")
		}
	}},
	{"an approval of the longest arguments can be recorded", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nmalformed write `{path: \"a\", text: \"" + strings.Repeat("<", 1<<20-100) + "\"}`\nturn 2\nsay over")
		w.Tweak = change("write", func(tool *rein.Tool) {
			tool.Show = showing(strings.Repeat("<", 510_000)) // about the most that a person is shown, and long as JSON
		})
		w.loop("write")
		w.Answer(w.UntilAsk("r1", 1), rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
	}},
	{"a call with an endless name is a result", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = func(o *engine.Options) {
			o.Worker.Models = map[string]rein.Model{"": babbler{rein.ToolCall{ID: "a", Name: strings.Repeat("\x01", 2_000_000)}}}
		}
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "there is no tool")
	}},
	{"an approval is of the effect and of all arguments, whatever text was shown", func(t *testing.T, world func(string) *World) {
		for name, by := range map[string]func(*rein.Tool){
			"effect":    func(tool *rein.Tool) { tool.Effect = rein.Idempotent },
			"arguments": func(tool *rein.Tool) { tool.Trusted = []string{"user"} },
		} {
			t.Run(name, func(t *testing.T) {
				w := world(callOnce("deploy"))
				w.Tweak = change("deploy", func(tool *rein.Tool) { tool.Show = showing("the same") })
				before := w.Tweak
				w.loop("deploy")
				ask := w.UntilAsk("r1", 1)
				w.Tweak = func(o *engine.Options) { before(o); change("deploy", by)(o) }
				w.Restart()
				w.Answer(ask, rein.AskApproved, "")
				w.Answer(w.UntilAsk("r1", 2), rein.AskRejected, "")
				w.WantEnd("r1", rein.EndDone, "over")
				w.WantCalls(2, "")
			})
		}
	}},
	{"what was put to a person waits for that person", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Tweak = func(o *engine.Options) { o.Policy.Ask = []string{"send"} }
		w.loop("send")
		ask := w.UntilAsk("r1", 1)
		w.Tweak = nil
		w.Restart()
		w.Answer(ask, rein.AskRejected, "never")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "never")
		w.WantCalls(2, "")
	}},
	{"a guess that a person changed is the person's", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nmalformed write `{path: \"a\", text: \"x\"}`\nturn 2\nsay over")
		w.loop("write")
		w.Send(edit(w.UntilAsk("r1", 1), `{"path":"b","text":"y"}`))
		w.WantEnd("r1", rein.EndDone, "over")
		end := w.wantResult(1, rein.ToolOK, `"path":"b"`)
		if end.Result.Mended != "person" || !strings.HasPrefix(end.Result.Note, "the user changed this call to write") {
			t.Errorf("marked as %+v", end.Result)
		}
	}},
	{"a name that could be two tools' is refused", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool ADD {}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) {
			twin := o.Worker.Tools["add"]
			twin.Name = "Add"
			o.Worker.Tools["Add"] = twin
		}
		w.loop("add", "Add")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "there is no tool")
		w.WantCalls(2, "")
	}},
	{"a call that fails the same way is a loop too", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall fail {}\ncall fail {}\ncall fail {}\nturn 2\nsay over")
		w.Tweak = change("fail", func(tool *rein.Tool) { tool.Polling = false })
		w.loop("fail")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(3, rein.ToolRefused, "same")
		w.WantCalls(2, "fail=2")
	}},
	{"a run can be cancelled while arguments are mended", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall look {\"n\":\"one\"}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) { o.Worker.Models = map[string]rein.Model{"": slowMender{o.Worker.Models[""]}} }
		w.loop("look")
		w.UntilKind("r1", rein.SubStarted)
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		if end := w.End("r1"); end.End != rein.EndCancelled {
			t.Errorf("ended as %s", end.End)
		}
		w.wantResult(1, rein.ToolSkipped, "")
		w.Verify()
	}},
	{"no model makes an internal read", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		call := rein.ToolCall{ID: "a", Name: "own", Internal: true}
		w.Tweak = func(o *engine.Options) {
			o.Worker.Models = map[string]rein.Model{"": babbler{call}}
			own := o.Worker.Tools["echo"]
			own.Name, own.Internal = "own", true
			o.Worker.Tools["own"] = own
		}
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "not allowed")
	}},
	{"a call may use what its own prompt offered, not what a branch beside it was offered", func(t *testing.T, world func(string) *World) {
		w := world("when offered=echo\nwrong-tool send {}\nwhen offered=send\nwrong-tool echo {}")
		w.Tweak = func(o *engine.Options) { o.Flows["loop"] = rein.Flow{Do: oneToolEach} }
		w.loop("echo", "send")
		w.End("r1")
		w.wantResult(1, rein.ToolRefused, "was not offered")
		w.wantResult(2, rein.ToolRefused, "was not offered")
		w.WantCalls(2, "")
	}},
	{"what asks when a run goes on, asks in the run that follows", func(t *testing.T, world func(string) *World) {
		w := world("when run=*-next-*\nsay next\nwhen turn=1\ncall question {\"text\":\"Which?\"}\nwhen turn=2\nsay over")
		w.loop("question", "add")
		ask := w.UntilAsk("r1", 1)
		w.Tweak = change("add", func(tool *rein.Tool) { tool.Approval = true })
		w.Restart()
		w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "and then?"})
		w.Answer(ask, rein.AskAnswered, "blue")
		w.End("r1")
		e := w.Until("the next run", func(e rein.Event) bool { return e.Run != "r1" && e.Kind == rein.RunStarted })
		start, err := rein.Payload[rein.RunStart](e)
		if err != nil || !slices.Contains(start.Task.Policy.Ask, "add") {
			t.Errorf("the policy is %+v (%v)", start.Task.Policy, err)
		}
		w.End(e.Run)
	}},
}

// oneToolEach asks the model in one branch per tool, and makes the calls when all have answered.
func oneToolEach(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var answered sync.WaitGroup
	answered.Add(len(task.Tools))
	var branches []func(rein.Run) error
	for _, tool := range task.Tools {
		branches = append(branches, func(run rein.Run) error {
			reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "act", Round: 1}, Messages: task.Messages, Tools: []string{tool}})
			answered.Done()
			answered.Wait()
			for _, call := range reply.Calls {
				call.ID = "c1-1"
				_, err = run.CallTool(call)
			}
			return err
		})
	}
	return rein.Outcome{}, run.Parallel(branches...)
}

// babbler makes one call, and then says over.
type babbler struct{ call rein.ToolCall }

func (babbler) Info() rein.ModelInfo { return rein.ModelInfo{} }

func (b babbler) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	if r.Messages[len(r.Messages)-1].Role != rein.User {
		return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: "over"}}, nil
	}
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{b.call}}, Usage: &rein.Usage{}}, nil
}

// slowMender never comes to the end of a repair, or of what a tool wants of it.
type slowMender struct{ rein.Model }

func (m slowMender) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	if r.Phase == "repair" || r.Phase == rein.PhaseConsult {
		<-ctx.Done()
		return rein.ModelReply{}, ctx.Err()
	}
	return m.Model.Generate(ctx, r, show)
}

// oneAfterTheOther makes each call in a branch of its own that begins when the one before is done.
func oneAfterTheOther(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{About: rein.About{Phase: "act", Round: 1}, Messages: task.Messages, Tools: task.Tools})
	if err != nil {
		return rein.Outcome{}, err
	}
	turns := make([]chan struct{}, len(reply.Calls)+1)
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	var branches []func(rein.Run) error
	for i, call := range reply.Calls {
		branches = append(branches, func(run rein.Run) error {
			<-turns[i]
			defer close(turns[i+1])
			_, err := run.CallTool(call)
			return err
		})
	}
	return rein.Outcome{}, run.Parallel(branches...)
}

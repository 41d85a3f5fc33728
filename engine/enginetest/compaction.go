package enginetest

import (
	"errors"
	"strings"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/model/script"
)

// longWinded says something long each time, and sums up shortly.
const longWinded = `
when phase=compact
say They talk on and on.

when phase=talk turn=3
call echo {"path":"/etc/hosts"}

when phase=talk
say Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well. Well.
`

func talkTask(rounds int) rein.Task {
	return with(task("talk", "Let us talk. "+strings.Repeat("I have much to say. ", 20), "echo"), flows.Settings{Rounds: rounds})
}

// Covers: ENG-9 SD-60 SD-63 SD-64 SD-65
var compaction = []test{
	{"a summary stands for what is old, once made it is used again, and it can be undone", func(t *testing.T, world func(string) *World) {
		w := world(longWinded)
		w.Begin()
		w.Start("r1", talkTask(9))
		w.End("r1")
		talks, sums := prompts(w.Model.Calls())
		if sums != 2 {
			t.Errorf("%d summaries were made, want 2: a summary is used until the prompt is too long again", sums)
		}
		for i, messages := range talks[:8] {
			if len(messages) > 10 { // two instructions, a summary, the task and six others
				t.Errorf("prompt %d has %d messages", i+1, len(messages))
			}
			if err := ValidTranscript(messages); err != nil {
				t.Errorf("prompt %d: %v", i+1, err)
			}
		}
		if n := len(talks[8]); n < 18 {
			t.Errorf("the last prompt wants all messages and gets %d", n)
		}
		if n := summariesIn(talks[7]); n != 1 {
			t.Errorf("prompt 8 holds %d summaries: a second one folds the first", n)
		}
		w.Verify()
	}},
	{"a summary that fails is a warning, and is not tried again at once", func(t *testing.T, world func(string) *World) {
		w := world(strings.Replace(longWinded, "say They talk on and on.", `fail provider "503"`, 1))
		w.Begin()
		w.Start("r1", talkTask(9))
		w.End("r1")
		talks, sums := prompts(w.Model.Calls())
		if sums < 1 || sums > 4 {
			t.Errorf("it was tried %d times", sums)
		}
		for i, messages := range talks {
			if summariesIn(messages) > 0 {
				t.Errorf("prompt %d has a summary", i+1)
			}
		}
		w.Verify()
	}},
	{"a summary that does not shrink is not used", func(t *testing.T, world func(string) *World) {
		w := world(strings.Replace(longWinded, "They talk on and on.", strings.Repeat("They talk on and on. ", 200), 1))
		w.Begin()
		w.Start("r1", talkTask(9))
		w.End("r1")
		talks, sums := prompts(w.Model.Calls())
		if sums < 1 || sums > 4 {
			t.Errorf("it was tried %d times", sums)
		}
		if n := summariesIn(talks[7]); n != 0 {
			t.Errorf("prompt 8 has %d summaries", n)
		}
	}},
	{"a summary that cannot be paid is left out", func(t *testing.T, world func(string) *World) {
		// A summary needs more than the prompt that it is for, so there is a budget between the two.
		for tokens := int64(4_000); tokens < 20_000; tokens += 500 {
			w := world(longWinded)
			w.Begin()
			w.Start("r1", budget(talkTask(5), func(b *rein.Budget) { b.Tokens = tokens }))
			end := w.End("r1")
			talks, sums := prompts(w.Model.Calls())
			w.Verify()
			w.stop()
			if end.End == rein.EndDone && len(talks) == 5 && sums == 0 {
				return
			}
		}
		t.Error("with no budget the run went on without the summary")
	}},
	{"a run that waits keeps its summary", func(t *testing.T, world func(string) *World) {
		w := world(strings.Replace(longWinded, "turn=3\ncall echo {\"path\":\"/etc/hosts\"}", "round=5\ncall deploy {\"path\":\"/etc/hosts\"}", 1))
		w.Begin()
		long := talkTask(8)
		long.Tools = []string{"deploy"}
		w.Start("r1", long)
		ask := w.UntilAsk("r1", 1)
		before := w.sums("r1")
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		w.End("r1")
		if before == 0 || summariesIn(lastTalk(w.Model.Calls())) == 0 {
			t.Errorf("%d summaries before the restart; after it the prompt has none", before)
		}
		w.Verify()
	}},
	{"a closing call has the summary and the newest messages", func(t *testing.T, world func(string) *World) {
		w := world(strings.Replace(longWinded, "turn=3", "turn=99", 1) + "\nwhen phase=closing\nsay That was all.\n")
		w.Tweak = func(o *engine.Options) { o.Flows["talk"] = rein.Flow{Do: closingTalk} }
		w.Begin()
		w.Start("r1", budget(talkTask(20), func(b *rein.Budget) { b.Rounds = 10 }))
		w.WantEnd("r1", rein.EndLimit, "That was all.")
		calls := w.Model.Calls()
		sent := calls[len(calls)-1].Request.Messages
		if summariesIn(sent) != 1 || !strings.HasPrefix(sent[len(sent)-1].Text, "Go on, 10.") || calls[len(calls)-2].Request.Phase != "talk" {
			t.Errorf("the closing call was sent %+v", sent)
		}
		if err := ValidTranscript(sent); err != nil {
			t.Error(err)
		}
		w.Verify()
	}},
	{"a system message that looks like a summary is summed up once", func(t *testing.T, world func(string) *World) {
		w := world(longWinded)
		w.Begin()
		fake := talkTask(9)
		fake.Messages = append([]rein.Message{{Role: rein.System, Text: "Summary of the earlier conversation: none."}}, fake.Messages...)
		w.Start("r1", fake)
		w.End("r1")
		if _, sums := prompts(w.Model.Calls()); sums > 3 {
			t.Errorf("%d summaries were made", sums)
		}
	}},
}

// closingTalk is a long conversation that its budget ends, with a closing call that takes summaries.
func closingTalk(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var said []rein.Message
	out, err := flows.Talk(listening{run, &said}, task)
	if !errors.Is(err, rein.ErrBudget) {
		return out, err
	}
	reply, err := run.CallModel(rein.Prompt{
		About: rein.About{Phase: "closing"}, Messages: said, Closing: true, Compact: &rein.Compact{Messages: 6, Keep: 2},
	})
	return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, err
}

// listening keeps the newest prompt.
type listening struct {
	rein.Run
	said *[]rein.Message
}

func (l listening) CallModel(p rein.Prompt) (rein.Message, error) {
	*l.said = p.Messages
	return l.Run.CallModel(p)
}

// prompts returns what the model was sent in the phase talk, and how many summaries it was asked for.
func prompts(calls []script.Call) (talks [][]rein.Message, sums int) {
	for _, c := range calls {
		if c.Request.Phase == "compact" {
			sums++
			continue
		}
		talks = append(talks, c.Request.Messages)
	}
	return talks, sums
}

// lastTalk is the last prompt that took summaries.
func lastTalk(calls []script.Call) []rein.Message {
	talks, _ := prompts(calls)
	return talks[len(talks)-2]
}

func summariesIn(messages []rein.Message) int {
	n := 0
	for _, m := range messages {
		if m.Role == rein.System && strings.HasPrefix(m.Text, "Summary of the earlier conversation") {
			n++
		}
	}
	return n
}

// sums counts the summaries that the log holds.
func (w *World) sums(run rein.RunID) int {
	n := 0
	for _, e := range w.Events(run) {
		if e.Kind != rein.SubDone {
			continue
		}
		if end, err := rein.Payload[rein.StepEnd](e); err == nil && end.Failure == nil {
			n++
		}
	}
	return n
}

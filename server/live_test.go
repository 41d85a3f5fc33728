package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine/enginetest/flows"
	"rein/server"
)

// TestLive starts a run over the socket and follows what its model writes; who comes late gets the
// text so far.
//
// Covers: LAW-6/server
func TestLive(t *testing.T) {
	r := newRig(t)
	run, err := r.Start(t.Context(), "r", task("chat", "wait"))
	check(t, err)
	if run.ID != "r" || run.User != "owner" || run.Household != "home" || run.Title != "wait" {
		t.Errorf("started %+v", run)
	}
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.StepStarted)
	r.tell("Once ")
	f.wantText(0, "Once ")
	r.tell("upon ")
	f.wantText(5, "upon ")
	late := follow(t, r.Client, "r", client.FollowOptions{})
	late.wantText(0, "Once upon ")
	inside := follow(t, client.Handler(r.handler), "r", client.FollowOptions{})
	inside.wantText(0, "Once upon ")
	r.tell("a time", "")
	for _, f := range []*reader{f, late, inside} {
		lines := f.wantEnd()
		last := lines[len(lines)-1]
		var end rein.RunEnd
		check(t, json.Unmarshal(last.Event.Data, &end))
		if last.Event.Kind != rein.RunCompleted || end.Text != "Once upon a time" || last.Cursor != fmt.Sprint(last.Event.Seq) {
			t.Errorf("the last line is %+v: %+v", last, end)
		}
	}
	again, err := r.Start(t.Context(), "r", task("chat", "wait"))
	check(t, err)
	if again.Status != rein.Status(rein.EndDone) || again.Outcome.Text != "Once upon a time" {
		t.Errorf("started again: %+v", again)
	}
	if lines := follow(t, r.Client, "r", client.FollowOptions{After: fmt.Sprint(again.Seq)}).wantEnd(); len(lines) > 0 {
		t.Errorf("after the end come %v", lines)
	}
}

// TestClosedConnection goes away in the middle of a step: the run does not notice.
//
// Covers: LAW-6/server
func TestClosedConnection(t *testing.T) {
	r := newRig(t)
	r.start("r", task("chat", "wait"))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.StepStarted)
	r.tell("a")
	f.wantText(0, "a")
	f.cancel()
	<-f.err
	r.tell("b", "")
	end, err := r.engine.Wait(t.Context(), "r")
	check(t, err)
	if end.Text != "ab" {
		t.Errorf("the run ended with %+v", end)
	}
}

// TestAnswer answers an ask over the socket, and is told who was faster.
func TestAnswer(t *testing.T) {
	r := newRig(t)
	r.start("r", task("ask", ""))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.RunParked)
	asks, err := r.Asks(t.Context(), api.AskQuery{State: rein.AskPending, Tree: "r", For: "owner"})
	check(t, err)
	if len(asks) != 1 || asks[0].ID != "r:1.ask" || asks[0].Text != "Which colour?" {
		t.Fatalf("asks are %+v", asks)
	}
	tree, err := r.Tree(t.Context(), "r")
	check(t, err)
	if len(tree.Asks) != 1 || tree.Run.Status != rein.StatusWaiting || len(tree.Doing) != 1 || tree.Doing[0].Step != "1" {
		t.Errorf("tree is %+v", tree)
	}
	answer := asks[0].Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "mallory"})
	answer.Key = "k"
	_, err = r.Command(t.Context(), answer)
	wantCode(t, "in another's name", err, rein.CodeInvalid, "by")
	answer.By, answer.Answer.By = "", ""
	receipt, err := r.Command(t.Context(), answer)
	check(t, err)
	if receipt.State != rein.ReceiptApplied {
		t.Errorf("receipt is %+v", receipt)
	}
	lines := f.wantEnd()
	if end := lines[len(lines)-1]; !strings.Contains(string(end.Event.Data), "answered blue by owner") {
		t.Errorf("the run ended with %s", end.Event.Data)
	}
	if again, err := r.Command(t.Context(), answer); err != nil || !again.Again {
		t.Errorf("sent again: %+v, %v", again, err)
	}
	answer.Key = "other"
	_, err = r.Command(t.Context(), answer)
	wantCode(t, "a second answer", err, rein.CodeClosed, "owner")
	ask, err := r.Ask(t.Context(), asks[0].ID)
	check(t, err)
	if ask.State != rein.AskAnswered || ask.Answer.By != "owner" {
		t.Errorf("ask is %+v", ask)
	}
}

// TestStop stops a run inside a model call; the text so far is in the log.
func TestStop(t *testing.T) {
	r := newRig(t)
	r.start("r", task("chat", "wait"))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.StepStarted)
	r.tell("half a ")
	f.wantText(0, "half a ")
	_, err := r.Command(t.Context(), rein.Command{Kind: rein.CommandCancel, Run: "r", Text: "enough"})
	check(t, err)
	if step := f.untilKind("r", rein.StepDone); !strings.Contains(string(step.Event.Data), "half a ") {
		t.Errorf("the step ended with %s", step.Event.Data)
	}
	lines := f.wantEnd()
	if end := lines[len(lines)-1].Event; end.Kind != rein.RunStopped {
		t.Errorf("the run ended with %+v", end)
	}
	_, err = r.Command(t.Context(), rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello?"})
	wantCode(t, "a message to a finished run", err, rein.CodeFinished, "r")
	wantCode(t, "resuming a finished run", r.Resume(t.Context(), "r"), rein.CodeFinished, "r")
}

// TestSlowReader does not read at all: the run ends all the same, and who reads on gets everything.
//
// Attack: 32
func TestSlowReader(t *testing.T) {
	r := newRig(t)
	r.start("r", task("chat", "wait"))
	slow := follow(t, r.Client, "r", client.FollowOptions{}) // nobody takes its first line
	quick := follow(t, r.Client, "r", client.FollowOptions{})
	quick.untilKind("r", rein.StepStarted)
	piece := strings.Repeat("x", 64<<10) // more than any buffer in between takes
	for range 32 {
		r.tell(piece)
	}
	r.tell("")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := r.engine.Wait(ctx, "r"); err != nil {
		t.Fatal(err)
	}
	quick.wantEnd()
	events, text := 0, 0
	for _, line := range slow.wantEnd() {
		if line.Event != nil {
			events++
		} else if line.Delta.Offset != text {
			t.Errorf("text goes on at %d after %d", line.Delta.Offset, text)
		} else {
			text += len(line.Delta.Text)
		}
	}
	if events != 4 {
		t.Errorf("the slow reader has %d events, want 4", events)
	}
}

// TestTree follows a run with children and their children.
func TestTree(t *testing.T) {
	r := newRig(t)
	r.start("r", family(t, task("once", "quick"), family(t, task("chat", "wait"), task("ask", ""))))
	f := follow(t, r.Client, "r", client.FollowOptions{Tree: true})
	f.untilKind("r.2.1", rein.StepStarted)
	r.tell("deep")
	f.wantText(0, "deep")
	asks, err := r.Asks(t.Context(), api.AskQuery{Tree: "r", State: rein.AskPending})
	for err == nil && len(asks) == 0 { // it is opened by another run
		f.untilKind("r.2.2", rein.AskOpened)
		asks, err = r.Asks(t.Context(), api.AskQuery{Tree: "r", State: rein.AskPending})
	}
	check(t, err)
	tree, err := r.Tree(t.Context(), "r")
	check(t, err)
	if got := outline(tree); got != "r(r.1 r.2(r.2.1 r.2.2?))" {
		t.Errorf("the tree is %s", got)
	}
	if below := tree.Children[1].Children[0]; len(below.Doing) != 1 || below.Doing[0].Phase != "final" || below.Doing[0].Human != "Answering" {
		t.Errorf("r.2.1 is doing %+v", below.Doing)
	}
	r.tell("er", "")
	_, err = r.Command(t.Context(), asks[0].Reply(rein.Answer{State: rein.AskAnswered, Text: "red"}))
	check(t, err)
	f.wantEnd()
	whole := follow(t, r.Client, "r", client.FollowOptions{Tree: true}).wantEnd()
	seq := map[rein.RunID]int64{}
	for i, line := range whole {
		if seq[line.Event.Run]++; line.Event.Seq != seq[line.Event.Run] {
			t.Errorf("line %d is event %d of %s, want %d", i, line.Event.Seq, line.Event.Run, seq[line.Event.Run])
		}
	}
	if last := whole[len(whole)-1].Event; len(seq) != 5 || last.Run != "r" || !last.Kind.Ends() {
		t.Errorf("%d runs, the last event is %s of %s", len(seq), last.Kind, last.Run)
	}
	var paged []api.Line
	for more, after := true, ""; more; {
		page, err := r.Events(t.Context(), "r", after, true)
		check(t, err)
		paged, more, after = append(paged, page.Lines...), page.More, page.Next
	}
	if len(paged) != len(whole) {
		t.Errorf("%d lines in pages, %d in the stream", len(paged), len(whole))
	}
}

// family is a task with children.
func family(t *testing.T, children ...rein.Task) rein.Task {
	t.Helper()
	data, err := json.Marshal(flows.Settings{Children: children})
	check(t, err)
	parent := task("family", "children")
	parent.Settings = data
	return parent
}

// outline writes a tree in one line; a run that asks has a question mark.
func outline(n api.Node) string {
	s := string(n.Run.ID) + strings.Repeat("?", len(n.Asks))
	if len(n.Children) == 0 {
		return s
	}
	var below []string
	for _, child := range n.Children {
		below = append(below, outline(child))
	}
	return s + "(" + strings.Join(below, " ") + ")"
}

// TestShutdown ends streams with an error that says why, and later requests with another.
func TestShutdown(t *testing.T) {
	r := newRig(t)
	r.start("r", task("ask", ""))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.RunParked)
	inside := client.Handler(r.handler)
	r.stop()
	select {
	case err := <-f.err:
		wantCode(t, "the feed", err, rein.CodeUnavailable, "r")
	case <-time.After(patience):
		t.Fatal("the feed does not end")
	}
	_, err := r.Health(t.Context())
	wantCode(t, "health", err, rein.CodeUnavailable, "nothing listens", r.socket)
	_, err = inside.Run(t.Context(), "r")
	wantCode(t, "run", err, rein.CodeUnavailable)
}

// TestRestart goes on following when another process takes over the data in the middle of a reply:
// its text begins again, as another attempt, and no event is missed or comes twice.
//
// Covers: LAW-6/server LAW-10
func TestRestart(t *testing.T) {
	r := newRig(t)
	r.start("r", task("chat", "wait"))
	f := follow(t, r.Client, "r", client.FollowOptions{})
	f.untilKind("r", rein.StepStarted)
	r.tell("lost ")
	f.wantText(0, "lost ")
	r.stop()
	r.begin()
	r.tell("again")
	d := f.until("text", func(l api.Line) bool { return l.Delta != nil }).Delta
	if d.Attempt != 2 || d.Offset != 0 || d.Text != "again" {
		t.Errorf("after the restart comes %+v", d)
	}
	r.tell("")
	f.wantEnd()
	if info, err := r.Client.Run(t.Context(), "r"); err != nil || info.Seq != f.seq["r"] || info.Outcome.Text != "again" {
		t.Errorf("the run is %+v, %v; the last event is %d", info, err, f.seq["r"])
	}
}

// TestHeartbeat sees the comments of a quiet stream.
func TestHeartbeat(t *testing.T) {
	r := newRig(t)
	r.start("r", task("ask", ""))
	h := server.New(server.Options{Engine: r.engine, Store: r.store, Feed: r.feed, Who: who, Heartbeat: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	w := &beats{header: http.Header{}, enough: cancel}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/v1/runs/r/events", nil)
	check(t, err)
	request.Header.Set("Accept", "text/event-stream")
	h.ServeHTTP(w, request)
	if got := w.header.Get("Content-Type") + w.header.Get("X-Accel-Buffering"); got != "text/event-streamno" {
		t.Errorf("the header is %v", w.header)
	}
	if !strings.HasPrefix(w.text.String(), "retry: 1000\n\nid: 1\nevent: event\ndata: {\"cursor\":\"1\",\"event\":{\"run\":\"r\",\"seq\":1,") {
		t.Errorf("the stream begins with %.200s", w.text.String())
	}
}

// beats is a connection that closes after some heartbeats.
type beats struct {
	header http.Header
	text   strings.Builder
	enough func()
}

func (b *beats) Header() http.Header { return b.header }
func (*beats) WriteHeader(int)       {}
func (*beats) Flush()                {}

func (b *beats) Write(p []byte) (int, error) {
	b.text.Write(p)
	if strings.Count(b.text.String(), "\n: nothing new\n") == 3 {
		b.enough()
	}
	return len(p), nil
}

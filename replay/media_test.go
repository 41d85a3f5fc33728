package replay_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"sync"
	"testing"

	"rein"
	"rein/engine"
	"rein/flow"
	"rein/internal/rig"
	"rein/replay"
)

// eyes is a model that can see: it takes what the messages name, and keeps it.
type eyes struct {
	rein.Model
	mu   sync.Mutex
	seen map[rein.RunID]int
}

func (e *eyes) Info() rein.ModelInfo { return rein.ModelInfo{Name: "eyes", Sees: true, MaxOutput: 100} }

func (e *eyes) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	for _, m := range r.Messages {
		for _, i := range m.Images {
			i, err := r.Image(ctx, i)
			if err != nil || len(i.Data) == 0 {
				return rein.ModelReply{}, rein.Errorf(rein.CodeInvalid, "an image cannot be seen: %v", err)
			}
			e.mu.Lock()
			e.seen[r.Run]++
			e.mu.Unlock()
		}
	}
	return e.Model.Generate(ctx, r, show)
}

// A fork shows its model the images of the run that it leaves, of the task and of tools, without making the calls
// again; and a recording of a run with images is played again without them.
func TestImagesOfForks(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	rig.Check(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 9))))
	snaps := 0
	model := &eyes{seen: map[rein.RunID]int{}, Model: rig.Script(t, `
when phase=act results=0
call snap {}
when phase=act results=1
call snap {"again":true}
when
say over
`)}
	worker := rig.Worker(model, map[string]rein.Tool{"snap": {Name: "snap", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		snaps++
		var shot bytes.Buffer
		if err := png.Encode(&shot, image.NewGray(image.Rect(0, 0, 20+snaps, 5))); err != nil {
			return rein.Done{}, err
		}
		return rein.Done{
			Text: "Click.", Images: []rein.Image{{Data: shot.Bytes()}, {Data: []byte("no image")}},
			Files: []rein.Artifact{{Name: "a.txt", Data: []byte("text")}},
		}, nil
	}}})
	r := rig.Open(t, rig.Options{})
	forks := &replay.Forks{Store: r.Store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) { return r.Engine.Command(ctx, c) }}
	forks.Wrap(worker)
	r.Begin(engine.Options{Flows: flow.All(), Worker: worker, Began: forks.Began, Precedent: forks.Precedent})
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	task := rein.Task{Flow: "operate", Tools: []string{"snap"}, Messages: []rein.Message{{Role: rein.User, Text: "go", Images: []rein.Image{{Data: b.Bytes()}}}}}
	_, err := r.Engine.Start(ctx, "one", task)
	rig.Check(t, err)
	_, err = r.Engine.Wait(ctx, "one")
	rig.Check(t, err)
	var log []rein.Event
	for e, err := range r.Store.Events(ctx, "one", 0) {
		rig.Check(t, err)
		log = append(log, e)
	}
	tape, err := replay.Record(ctx, r.Store, "one", worker, rein.Policy{})
	rig.Check(t, err)
	if d, err := replay.Play(ctx, tape, replay.Options{Flows: flow.All()}); d != nil || err != nil {
		t.Errorf("played again: %v %v", d, err)
	}
	forked, err := replay.Fork(tape, stepOf(log, "Click.", 2), nil, nil)
	rig.Check(t, err)
	_, err = r.Engine.Start(ctx, "two", forked)
	rig.Check(t, err)
	end, err := r.Engine.Wait(ctx, "two")
	if err != nil || end.End != rein.EndDone {
		t.Fatalf("the fork ended as %+v: %v", end, err)
	}
	if snaps != 2+1 { // the step at which they part is the fork's own
		t.Errorf("snap was called %d times", snaps)
	}
	if model.seen["one"] != 1+2+3 || model.seen["two"] == 0 {
		t.Errorf("images were seen so often: %v", model.seen)
	}
	for _, run := range []rein.RunID{"one", "two"} {
		if v, err := r.Store.Verify(ctx, run); err != nil || len(v.Wrong) > 0 {
			t.Errorf("audit of %s: %q %v", run, v.Wrong, err)
		}
	}
	stolen := forked
	stolen.User = "eve"
	if _, err := r.Engine.Start(ctx, "three", stolen); err == nil {
		t.Error("somebody else's run was forked with its images")
	}
}

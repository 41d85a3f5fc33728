package notes_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/model/script"
)

// gate lets one test hold the desk: whoever touches slow.md while it is closed waits, with the desk's
// lock.
type gate struct {
	mu     sync.Mutex
	closed bool
	held   chan struct{} // closed when somebody waits
	open   chan struct{}
}

func (g *gate) allow(path string) bool {
	g.mu.Lock()
	wait := g.closed && path == "slow.md"
	g.closed = g.closed && !wait
	g.mu.Unlock()
	if wait {
		close(g.held)
		<-g.open
	}
	return true
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// A commit that was approved waits for the desk, because another session commits. Meanwhile more is
// staged. Only what the person saw may reach the disk: the call fails, and says why.
//
// Covers: HUM-34
// Attack: 50
func TestStagedWhileACommitWaits(t *testing.T) {
	g := &gate{held: make(chan struct{}), open: make(chan struct{})}
	r := newRigWith(t, g.allow)
	r.write("a.md", "one\n")
	r.stageIn("s2", "slow.md", "slow\n")
	model, err := script.Parse("m", []byte(story))
	check(t, err)
	e, stop := r.serve(model, r.tools)
	defer stop()
	r.start(e, "r1", "s1")
	ask := r.ask()

	commit := r.commitIn("s2")
	g.close()
	slow := make(chan error, 1)
	go func() { slow <- commit() }()
	<-g.held
	r.approve(e, "r1", ask)
	r.waitFor(rein.StepIntent)
	r.stageIn("s1", "late.md", "unseen")
	r.stageIn("s1", "a.md", "unseen")
	close(g.open)
	check(t, <-slow)
	r.wait(e, "r1")

	if files := strings.Join(r.files(), " "); strings.Contains(files, "late.md") || r.disk("a.md") != "one\n" {
		t.Errorf("unseen text is on the disk: %s, a.md is %q", files, r.disk("a.md"))
	}
	if got := r.results("r1"); !strings.Contains(got, `failed {"ok":false,"code":"conflict"`) {
		t.Errorf("the model is told %s", got)
	}
	if r.disk("slow.md") != "slow\n" {
		t.Error("the other session's commit was not made")
	}
}

// stageIn stages a note in a session, by another run.
func (r *rig) stageIn(session, path, content string) {
	r.t.Helper()
	args, _ := json.Marshal(map[string]any{"path": path, "content": content, "overwrite": true})
	inv := r.invocation(string(args))
	inv.Run, inv.Task.Session = "other", session
	done, err := r.tools["write_note"].Do(r.t.Context(), inv)
	check(r.t, err)
	check(r.t, r.store.Write(r.t.Context(), done.Commit))
}

// commitIn returns what commits that which is staged in a session now.
func (r *rig) commitIn(session string) func() error {
	inv := r.invocation(`{}`)
	inv.Run, inv.Key, inv.Task.Session = "other", "other:1", session
	check(r.t, r.pin("commit_staged_changes", &inv))
	return func() error {
		done, err := r.tools["commit_staged_changes"].Do(r.t.Context(), inv)
		if err != nil {
			return err
		}
		return r.store.Write(r.t.Context(), done.Commit)
	}
}

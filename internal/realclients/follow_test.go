package realclients

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/labs"
)

// looks is a run of three calls with a tool between them. The second is held when it has been said.
const looks = `
when turn=1
say I look at the clock.
call get_current_time {}

when turn=2
say I look again, on the café's.
call get_current_time {"zone": "Asia/Tokyo"}

when turn=3
say It is late.
`

// TestFollow has eventsource, and ws on the same address, follow a run to its end while their
// connection is cut in the middle. They see the log as rein's client does, each event once.
//
// Covers: LAW-1 LAW-6/server ENG-35
func TestFollow(t *testing.T) {
	labs.Only(t)
	for _, c := range []struct{ name, script, scheme string }{
		{"eventsource", "stream.mjs", "http"},
		{"ws", "feed.mjs", "ws"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, looks)
			_, err := r.inside.Start(r.ctx, "r1", rein.Task{
				Flow: "operate", Tools: []string{"get_current_time"}, Messages: []rein.Message{{Role: rein.User, Text: "How late is it?"}},
			})
			check(t, err)
			p := script(t, c.script, c.scheme+"://"+r.proxy.Listen+"/v1/runs/r1/events", r.token)
			before := p.until(func(l line) bool { return l.Type == "delta" && strings.Contains(string(l.Data), "café") })
			r.cut()
			before = append(before, p.until(func(l line) bool { return l.Type == "open" })...)
			before = append(before, p.until(func(l line) bool { return l.Type == "delta" })...)
			close(r.model.release)
			all := append(before, p.until(func(l line) bool { return l.Type == "end" })...)
			r.compare(all)
			if count(all, "open") < 2 || count(all, "broken")+count(all, "closed") < 1 || count(all, "problem") > 0 {
				t.Errorf("that was not followed as it should be: %s", types(all))
			}
			if c.scheme == "http" {
				r.wentOn(before)
			}
		})
	}
}

// compare wants the lines to have the log as rein's client sees it.
func (r *rig) compare(lines []line) {
	r.Helper()
	var want, got []api.Line
	for l, err := range r.inside.Follow(r.ctx, "r1", client.FollowOptions{}) {
		check(r, err)
		if l.Event != nil {
			want = append(want, l)
		}
	}
	for _, l := range lines {
		if l.Type != api.StreamEvent {
			continue
		}
		var data api.Line
		check(r, json.Unmarshal(l.Data, &data))
		if got = append(got, data); l.ID != data.Cursor {
			r.Errorf("the id is %q and the cursor %q", l.ID, data.Cursor)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		r.Errorf("the log is (-rein's client +the other):\n%s", diff)
	}
}

// wentOn wants the second request to name the last event that came before the cut.
func (r *rig) wentOn(before []line) {
	r.Helper()
	last := ""
	for _, l := range before {
		if l.Type == api.StreamEvent {
			last = l.ID
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if want := []string{"", last}; !cmp.Equal(r.last, want) {
		r.Errorf("the requests were for what is after %q, want %q", r.last, want)
	}
}

func count(lines []line, kind string) (n int) {
	for _, l := range lines {
		if l.Type == kind {
			n++
		}
	}
	return n
}

func types(lines []line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Type)
	}
	return strings.Join(all, " ")
}

package app

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
)

// madeTools lists the names of the tools that are really made.
func madeTools(t *testing.T) []string {
	t.Helper()
	tools, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(tools))
}

// The names that settings are checked against are those of the tools there are.
func TestToolNames(t *testing.T) {
	made := madeTools(t)
	if got, want := strings.Join(toolNames(), " "), strings.Join(made, " "); got != want {
		t.Errorf("toolNames: %s; made: %s", got, want)
	}
}

// dueDriver has runs that are due.
type dueDriver struct{ due []rein.RunID }

func (d dueDriver) Drive(context.Context, rein.RunID) (dispatch.Next, error) {
	return dispatch.Next{Done: true}, nil
}

func (d dueDriver) Due(_ context.Context, now time.Time, limit int) ([]rein.RunID, time.Time, error) {
	if limit > 0 && limit < len(d.due) {
		return slices.Clone(d.due[:limit]), now, nil
	}
	return slices.Clone(d.due), time.Time{}, nil
}

func (dueDriver) Owner(context.Context, rein.RunID) dispatch.Owner { return dispatch.Owner{} }

// noted is a dispatcher that keeps what it was told.
type noted struct {
	woken []rein.RunID
	due   []rein.RunID
}

func (n *noted) Wake(run rein.RunID) { n.woken = append(n.woken, run) }
func (n *noted) Here() bool          { return true }

func (n *noted) Serve(ctx context.Context, d dispatch.Driver) (err error) {
	n.due, _, err = d.Due(ctx, time.Now(), 1)
	return err
}

// Only the trees that were asked for are driven, and what is due of others does not hide them.
func TestScope(t *testing.T) {
	n := &noted{}
	s := newScope(n)
	s.Wake("theirs")
	s.take("mine")
	s.Wake("mine.1")
	s.Wake("theirs.1")
	if err := s.Serve(t.Context(), dueDriver{[]rein.RunID{"theirs", "others", "mine.2"}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(n.woken, []rein.RunID{"mine.1"}) || !slices.Equal(n.due, []rein.RunID{"mine.2"}) {
		t.Errorf("woken %v, due %v", n.woken, n.due)
	}
	if err := s.add(t.Context(), "others"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(n.woken, []rein.RunID{"mine.1", "others"}) {
		t.Errorf("what is due of a tree that joins is not woken: %v", n.woken)
	}
}

// Only code sees files under the names of the family codebase, and not under two names.
//
// Covers: NEU-22 NEU-56
func TestToolsForFlow(t *testing.T) {
	for flow, want := range map[string]string{"code": "ask_user codebase.read_file codebase.search glob", "research": "ask_user", "operate": "ask_user glob grep read_file"} {
		if got := strings.Join(New(Options{}).forFlow(flow, []string{"ask_user", "codebase.read_file", "codebase.search", "glob", "grep", "read_file"}), " "); got != want {
			t.Errorf("%s: %s, want %s", flow, got, want)
		}
	}
}

// The household's assistant plans, research only looks, and other flows get nothing of it unless they select it.
//
// Covers: NEU-56
func TestAgendaToolsForFlow(t *testing.T) {
	agenda := []string{"agenda.add_event", "agenda.delete_event", "agenda.find_free_time", "agenda.list_events", "agenda.update_event"}
	looking := "agenda.find_free_time agenda.list_events"
	for flow, want := range map[string]string{
		"assist": strings.Join(agenda, " "), "task": strings.Join(agenda, " "), "research": looking,
		"answer": "", "operate": "", "strict": "", "explore": "", "code": "", "chat": "",
	} {
		if got := strings.Join(New(Options{}).forFlow(flow, slices.Clone(agenda)), " "); got != want {
			t.Errorf("%s: %q, want %q", flow, got, want)
		}
	}
}

package recall_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/flow/kit"
	"rein/follow/keeper"
	"rein/household/memory"
	"rein/household/recall"
	"rein/journal"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	toolmemory "rein/tool/memory"
	"rein/tool/session"
	"rein/vault/minilm"
)

// A parrot is a model that notes every fact and quotes all of them in every summary: what does not reach a prompt is not
// kept from it by a model's good sense.
type parrot struct{}

var (
	fact   = regexp.MustCompile(`My ([a-z ]+) is ([a-z]+)\.`)
	asked  = regexp.MustCompile(`Forget my ([a-z ]+)\.`)
	quoted = regexp.MustCompile(`The ([a-z ]+) of the user is ([a-z]+)`)
)

func (parrot) Info() rein.ModelInfo {
	return rein.ModelInfo{Name: "parrot", MaxOutput: 2000, Window: 200_000}
}

func (parrot) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	last := ""
	for _, m := range r.Messages {
		if m.Role == rein.User {
			last = m.Text
		}
	}
	text := "Noted."
	switch r.Phase {
	case "remember":
		text = notes(last)
	case "summarise":
		text = points(last)
	case "chat":
		if asked.MatchString(last) {
			text = "[NEED_TASK]"
		}
	default:
		if of := asked.FindStringSubmatch(last); of != nil {
			text = `{"type":"tool_call","tool":"memory.forget","args":{"memory":"` + of[1] + `"}}`
		}
	}
	reply := rein.Message{Role: rein.Assistant, Text: text}
	return rein.ModelReply{Message: reply, Usage: &rein.Usage{Input: 10, Output: 10}}, nil
}

func notes(said string) string {
	type note struct {
		Text  string `json:"text"`
		Kind  string `json:"kind"`
		About string `json:"about"`
	}
	list := []note{}
	for _, f := range fact.FindAllStringSubmatch(said, -1) {
		list = append(list, note{"The " + f[1] + " of the user is " + f[2] + ".", "fact", f[1]})
	}
	text, _ := json.Marshal(map[string]any{"memories": list, "snapshots": []string{}})
	return string(text)
}

func points(said string) string {
	list := []string{}
	for _, f := range append(fact.FindAllStringSubmatch(said, -1), quoted.FindAllStringSubmatch(said, -1)...) {
		list = append(list, "The "+f[1]+" of the user is "+f[2])
	}
	if len(list) == 0 {
		list = []string{"They talked."}
	}
	text, _ := json.Marshal(map[string]any{"points": list})
	return string(text)
}

// A home is a store with an engine, a keeper, the flows and the tools that rein ships with.
type home struct {
	*testing.T
	store  *sqlite.Store
	engine *engine.Engine
	book   recall.Book
	runs   int
	truth  map[memory.Owner]*truth
	begun  []*begun
}

// A truth is what must be known of somebody at a moment.
type truth struct {
	now  map[string]string // subject → value
	old  map[string][]string
	gone []string             // values that were replaced or forgotten, in order
	lost map[string]time.Time // when those of them were forgotten that were
}

// A begun run has what was true when it began.
type begun struct {
	of      memory.Owner
	id      rein.RunID
	session string
	now     map[string]string
	gone    []string
}

func (h *home) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func newHome(t *testing.T) (h *home, stop func()) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	h = &home{T: t, store: s, truth: map[memory.Owner]*truth{}}
	h.check(err)
	find := &recall.Finder{Embedder: minilm.New()}
	h.book = recall.Book{Tables: s, Find: find}
	known := toolmemory.Source{Tables: s, Find: find}
	asked, err := known.Household()
	h.check(err)
	tools := map[string]rein.Tool{}
	for _, tool := range slices.Concat(session.Tools(s), known.Internal(), asked) {
		tools[tool.Name] = tool
	}
	h.engine, err = engine.New(engine.Options{
		Store: s, Flows: flow.All(), Dispatch: &local.Dispatcher{},
		Worker:  &work.Worker{Models: map[string]rein.Model{"": parrot{}}, Tools: tools},
		Prepare: func(task rein.Task) (rein.Task, error) { return flow.Kinds().Prepare(task, kit.Ceiling{}) },
	})
	h.check(err)
	keep := &keeper.Keeper{Store: s, Start: h.engine.Start, Flows: []string{"assist"}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	for _, serve := range []func(context.Context) error{h.engine.Serve, keep.Serve} {
		go func() { done <- serve(ctx) }()
	}
	return h, func() {
		cancel()
		h.check(<-done)
		h.check(<-done)
		h.check(s.Close())
	}
}

func (h *home) of(o memory.Owner) *truth {
	if h.truth[o] == nil {
		h.truth[o] = &truth{now: map[string]string{}, old: map[string][]string{}, lost: map[string]time.Time{}}
	}
	return h.truth[o]
}

// say says something in a session, agrees to what is asked, and waits until what follows from it is kept.
func (h *home) say(o memory.Owner, session, text string) {
	h.Helper()
	h.runs++
	is := h.of(o)
	b := &begun{of: o, id: rein.RunID(fmt.Sprint("r", h.runs)), session: session, now: maps.Clone(is.now), gone: slices.Clone(is.gone)}
	h.begun = append(h.begun, b)
	_, err := h.engine.Start(context.Background(), b.id, rein.Task{
		Flow: "assist", Household: o.Household, User: o.User, Session: session, Language: "nl", Zone: "Europe/Amsterdam",
		Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: []string{"memory.forget", "memory.search"},
	})
	h.check(err)
	synctest.Wait()
	asks, err := h.store.Asks(context.Background(), store.AskFilter{Tree: b.id, Pending: true})
	h.check(err)
	for _, ask := range asks {
		if !strings.HasPrefix(ask.Say, "Zal ik vergeten: 'The ") {
			h.Errorf("asked %q", ask.Say)
		}
		_, err := h.engine.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskApproved, By: o.User}))
		h.check(err)
	}
	end, err := h.engine.Wait(context.Background(), b.id)
	h.check(err)
	if end.End != rein.EndDone {
		h.Fatalf("%s ended as %s: %s", b.id, end.End, end.Text)
	}
	synctest.Wait()
	for _, f := range fact.FindAllStringSubmatch(text, -1) {
		is.replace(f[1], f[2])
	}
}

func (t *truth) replace(subject, value string) {
	if had := t.now[subject]; had != "" {
		t.gone, t.old[subject] = append(t.gone, had), append(t.old[subject], had)
	}
	t.now[subject] = value
}

func (t *truth) forget(subject string) {
	for _, value := range append(t.old[subject], t.now[subject]) {
		t.gone, t.lost[value] = append(t.gone, value), time.Now()
	}
	delete(t.now, subject)
}

// later lets a session end and the next day begin.
func later() {
	time.Sleep(26 * time.Hour)
	synctest.Wait()
}

// prompts returns all prompts of a run, as its log has them.
func (h *home) prompts(run rein.RunID) (all []string) {
	h.Helper()
	read, err := journal.Read(h.store.Events(context.Background(), run, 0))
	h.check(err)
	known := map[rein.StepKey][]rein.Message{}
	for _, step := range read.Steps {
		if step.Start == nil || step.Start.Prompt == nil {
			continue
		}
		record := step.Start.Prompt
		known[step.Key] = slices.Concat(known[record.Base][:record.Keep], record.Add)
		text := ""
		for _, m := range known[step.Key] {
			text += string(m.Role) + ": " + m.Text + "\n"
		}
		all = append(all, text)
	}
	return all
}

// owners are two people of one household, and one of another who has the name of the first.
var owners = []memory.Owner{{Household: "home", User: "ann"}, {Household: "home", User: "bob"}, {Household: "away", User: "ann"}}

var subjects = []string{
	"favourite colour", "cat name", "shoe size", "home town", "birth month", "train station", "school subject", "bread brand", "piano teacher",
	"garden tree", "bike shop", "football club", "winter coat", "holiday island",
}

// value is a word that nobody else says and that nothing else is spelled with.
func value(owner, subject, turn int) string {
	letters := func(n int) string { return string(rune('a'+n/5)) + string(rune('k'+n%5)) }
	return "zq" + letters(owner) + "x" + letters(subject) + "x" + letters(turn) + "qz"
}

// Of 40 facts that three people say in 30 sessions, 10 are contradicted later and 5 forgotten. Every prompt, as the logs of
// real runs have it, holds the newest of each fact of its person, and nothing that was forgotten or is another's.
//
// Covers: NEU-11/memory NEU-56/memory NEU-90
// Attack: 63
func TestFortyFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, stop := newHome(t)
		defer stop()
		facts, contradicted, forgotten, sessions := 0, 0, 0, 0
		talk := func(owner int, texts ...string) {
			sessions++
			for _, text := range texts {
				h.say(owners[owner], fmt.Sprint("s", sessions), text)
			}
			later()
		}
		says := func(owner, subject, turn int) string {
			facts++
			return fmt.Sprintf("My %s is %s.", subjects[subject], value(owner, subject, turn))
		}
		for round := range 7 { // 21 sessions with 40 facts
			for owner := range owners {
				texts := []string{says(owner, 2*round, 0)}
				if len(owners)*round+owner < 18 {
					texts[0] += " " + says(owner, 2*round+1, 0)
				}
				talk(owner, texts...)
			}
		}
		for i := range 5 { // 5 sessions with 10 contradictions
			owner := i % 3
			a, b := i, i+5
			talk(owner, says(owner, a, 1), "How are you?", says(owner, b, 1))
			facts, contradicted = facts-2, contradicted+2
		}
		forget := func(owner, subject int) string {
			forgotten++
			return "Forget my " + subjects[subject] + "."
		}
		h.say(owners[0], "s27", forget(0, 0))
		h.of(owners[0]).forget(subjects[0])
		forgetByHand := func(owner, subject int) {
			forgotten++
			all, err := h.book.List(context.Background(), owners[owner], value(owner, subject, 0))
			h.check(err)
			_, err = h.book.Forget(context.Background(), owners[owner], all[0].ID, all[0].Version())
			h.check(err)
			h.of(owners[owner]).forget(subjects[subject])
		}
		h.say(owners[0], "s27", "Thank you.") // in the session in which it was forgotten
		later()
		sessions++
		h.say(owners[1], "s28", says(1, 13, 0)) // forgotten in the session in which it was said, which is summarised then
		h.say(owners[1], "s28", forget(1, 13))
		h.of(owners[1]).forget(subjects[13])
		h.say(owners[1], "s28", "Thank you.")
		later()
		forgetByHand(1, 12)
		forgetByHand(2, 11)
		forgetByHand(0, 9)
		h.say(owners[2], "s29", "Good morning.")
		h.say(owners[1], "s30", "Good morning.")
		h.say(owners[0], "s31", "Good morning.")
		sessions += 4
		later()
		later()
		if facts != 40 || contradicted != 10 || forgotten != 5 || sessions < 30 {
			t.Fatalf("%d facts, %d contradicted, %d forgotten, %d sessions", facts, contradicted, forgotten, sessions)
		}
		h.judge()
	})
}

// judge reads all prompts of all runs.
func (h *home) judge() {
	h.Helper()
	byRun, prompts := map[rein.RunID]*begun{}, 0
	for _, b := range h.begun {
		byRun[b.id] = b
	}
	for info, err := range h.store.Runs(context.Background(), store.Filter{}) {
		h.check(err)
		o := memory.Owner{Household: info.Household, User: info.User}
		for i, prompt := range h.prompts(info.ID) {
			prompts++
			h.nothingForeign(o, info.ID, prompt)
			for value, at := range h.of(o).lost {
				if info.Started.After(at) && strings.Contains(prompt, value) {
					h.Errorf("a prompt of %s, which began after %s was forgotten, holds it:\n%s", info.ID, value, prompt)
				}
			}
			if b := byRun[info.ID]; b != nil {
				h.newest(b, prompt, i == 0)
			}
		}
	}
	if prompts < 140 {
		h.Errorf("only %d prompts were read", prompts)
	}
	// What runs in the background after the last forgetting keeps nothing of it either.
	for _, o := range owners {
		e, err := h.book.Export(context.Background(), o)
		h.check(err)
		kept := fmt.Sprint(e)
		for v := range h.of(o).lost {
			if strings.Contains(kept, v) {
				h.Errorf("%v: %s is still kept", o, v)
			}
		}
	}
}

func (h *home) nothingForeign(o memory.Owner, run rein.RunID, prompt string) {
	h.Helper()
	for i, other := range owners {
		if mark := value(i, 0, 0)[:5]; other != o && strings.Contains(prompt, mark) {
			h.Errorf("a prompt of %s (%v) holds a fact of %v:\n%s", run, o, other, prompt)
		}
	}
}

// newest holds that a prompt has what was true when its run began, with who said so, and nothing that was not any more.
func (h *home) newest(b *begun, prompt string, first bool) {
	h.Helper()
	for subject, value := range b.now {
		line := regexp.MustCompile(`- your notes, 20\d\d-\d\d-\d\d \d\d:\d\d: The ` + subject + ` of the user is ` + value + `\.`)
		if first && !line.MatchString(prompt) {
			h.Errorf("a prompt of %s lacks that the %s is %s:\n%s", b.id, subject, value, prompt)
		}
	}
	for _, old := range b.gone {
		if strings.Contains(prompt, old) {
			h.Errorf("a prompt of %s in session %s holds %s, which was replaced or forgotten before:\n%s", b.id, b.session, old, prompt)
		}
	}
}

// Package dialect_test throws answers at a server by all ways at once: good ones, ones to something else,
// the same again, by other clients and after reconnects.
package dialect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"rein"
	"rein/internal/labs"
	"rein/store"
)

// A player plays moves, and knows which amounts its clients agreed to while they were looking at them.
type player struct {
	*rig
	sockets  []*socket
	talkers  []*talker
	ids      []string // all that anybody was ever sent
	approved map[int64]bool
	edited   map[int64]int64
	moves    map[string]int // how often each approved something
	agents   int
}

func newPlayer(t testing.TB) *player {
	p := &player{rig: newRig(t), approved: map[int64]bool{}, edited: map[int64]int64{}, moves: map[string]int{}}
	for i := range 4 {
		s := &socket{player: p, agent: i >= 2}
		s.dial(false)
		t.Cleanup(func() { _ = s.conn.CloseNow() })
		p.sockets = append(p.sockets, s)
	}
	for _, via := range []string{"token:phone", "token:laptop"} {
		p.talkers = append(p.talkers, &talker{player: p, via: via, shown: map[string]int64{}})
	}
	return p
}

// moves are what can happen. The number chooses among what there is.
var moves = []struct {
	name string
	do   func(p *player, k int)
}{
	{"start", (*player).start},
	{"right ID", (*player).rightID},
	{"right ID", (*player).rightID}, // so that something is done
	{"any ID", (*player).anyID},
	{"no ID", (*player).noID},
	{"edit", (*player).edit},
	{"reject", (*player).reject},
	{"reconnect", (*player).reconnect},
	{"agent's words", (*player).agentWords},
	{"agent's words twice", (*player).agentWordsTwice},
	{"blind words", (*player).blindWords},
	{"chat yes", (*player).chatYes},
	{"chat yes twice", (*player).chatYesTwice},
	{"chat yes cut", (*player).chatYesCut},
	{"chat other", (*player).chatOther},
	{"chat execute", (*player).chatExecute},
	{"chat history", (*player).chatHistory},
	{"native", (*player).native},
	{"native stale", (*player).nativeStale},
	{"chat yes to several", (*player).chatYesToSeveral},
}

func (p *player) socket(k int) *socket { return p.sockets[k%len(p.sockets)] }
func (p *player) talker(k int) *talker { return p.talkers[k%len(p.talkers)] }

// agent is a socket of /agent that follows something, or nil.
func (p *player) agent(k int) *socket {
	if s := p.sockets[2+k%2]; s.run != "" {
		return s
	}
	return nil
}

func (p *player) start(k int) {
	s := p.socket(k)
	switch {
	case k%3 == 0:
		p.talker(k).say(context.Background(), "Betaal.")
	case !s.agent:
		s.send(map[string]any{"type": "chat", "content": "Pay.", "conversation_id": "s1", "selected_tools": []string{"pay"}})
	default:
		p.agents++
		s.run = rein.RunID(fmt.Sprintf("agent%d", p.agents))
		s.send(map[string]any{"type": "start-agent", "prompt": "Pay.", "agentId": s.run})
	}
}

func (p *player) rightID(k int) {
	s := p.socket(k)
	for id, n := range s.shown {
		if n == s.last {
			s.answer(id, true, 0)
			return
		}
	}
}

func (p *player) anyID(k int) {
	if len(p.ids) == 0 {
		return
	}
	id := p.ids[k%len(p.ids)]
	p.socket(k).answer(id, true, 0)
	p.socket(k+1).answer(id, true, 0)
	p.talker(k).execute(id)
}

// noID answers with what is no ID of an answer: the model's, the ask's own, the run's.
func (p *player) noID(k int) {
	wrong := []string{"call_1", "", "ask_AAAAAAAAAAAAAAAAAAAAAAAAAA"}
	for _, ask := range p.rig.open() {
		wrong = append(wrong, string(ask.ID), string(ask.Run), ask.Shown)
	}
	id := wrong[k%len(wrong)]
	if s := p.socket(k); id != "" {
		s.answer(id, true, 0)
	}
	p.talker(k).execute(id)
}

func (p *player) edit(k int) {
	s := p.sockets[k%2]
	for id, n := range s.shown {
		if n == s.last {
			s.answer(id, true, n+1_000_000)
			return
		}
	}
}

func (p *player) reject(k int) {
	s := p.socket(k)
	for id, n := range s.shown {
		if n == s.last {
			s.answer(id, false, 0)
			return
		}
	}
}

func (p *player) reconnect(k int) { p.socket(k).dial(k%2 == 0) }

// agentWords answers by the agent alone: that is the query that was shown last.
func (p *player) agentWords(k int) {
	s := p.agent(k)
	if s == nil {
		return
	}
	words := []string{"yes", "ok?", "ja", "yes, but later", "go ahead"}[k%5]
	if n := s.lastOf[s.run]; n != 0 && (words == "yes" || words == "ja" || words == "go ahead") {
		s.approved[n] = true
	}
	s.send(map[string]any{"type": "user-response", "agentId": s.run, "response": words})
}

// agentWordsTwice says the same yes again before anything else is asked.
func (p *player) agentWordsTwice(k int) {
	s := p.agent(k)
	if s == nil || s.lastOf[s.run] == 0 {
		return
	}
	p.model.gate.Lock()
	defer p.model.gate.Unlock()
	s.approved[s.lastOf[s.run]] = true
	for range 2 {
		s.send(map[string]any{"type": "user-response", "agentId": s.run, "response": "yes"})
	}
	s.fence()
}

// blindWords says yes to an agent on a connection that was shown nothing.
func (p *player) blindWords(k int) {
	open := p.rig.open()
	if len(open) == 0 {
		return
	}
	blind := &socket{player: p, agent: true}
	blind.dial(false)
	defer blind.conn.CloseNow()
	blind.send(map[string]any{"type": "user-response", "agentId": open[k%len(open)].Run, "response": "yes"})
	blind.fence()
}

func (p *player) chatYes(k int) {
	c := p.talker(k)
	_, words := c.agree(k)
	c.say(context.Background(), words)
}

// chatYesToSeveral says yes without saying to which of several things.
func (p *player) chatYesToSeveral(k int) {
	if c := p.talker(k); len(c.last) > 1 {
		c.say(context.Background(), "ja")
	}
}

// chatYesTwice clicks twice, and once on another device.
func (p *player) chatYesTwice(k int) {
	c, other := p.talker(k), p.talker(k+1)
	n, words := c.agree(k)
	if n == 0 {
		return
	}
	p.whileAnswered(context.Background(), c, n, words, func() {
		p.chat(context.Background(), c.via, words)
		if slices.Equal(other.last, c.last) {
			p.chat(context.Background(), other.via, words)
		}
	})
	c.history()
}

// chatYesCut loses the reply to a yes, and says it again.
func (p *player) chatYesCut(k int) {
	c := p.talker(k)
	n, words := c.agree(k)
	if n == 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.whileAnswered(ctx, c, n, words, func() {
		cancel()
		p.untilHeardOut() // the server knows that nobody listens any more, before it has something to show
	})
	p.quiet()
	c.last = nil // what is asked now it was not shown
	c.say(context.Background(), words)
}

// whileAnswered says words that answer an amount, and does something after they have, but before anything comes of it.
func (p *player) whileAnswered(ctx context.Context, c *talker, n int64, words string, do func()) {
	p.Helper()
	replied := make(chan struct{})
	defer func() { <-replied }()
	p.model.gate.Lock()
	defer p.model.gate.Unlock()
	go func() {
		defer close(replied)
		p.chat(ctx, c.via, words)
	}()
	p.answered(n, words, replied)
	do()
}

// answered waits until an amount is not asked about any more. The reply to what answers it comes later.
func (p *player) answered(n int64, words string, replied <-chan struct{}) {
	p.Helper()
	asks := func(ask rein.Ask) bool { return amount(ask.Call.Args) == n }
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		over := time.Now().After(deadline)
		select {
		case <-replied:
			over = true
		default:
		}
		switch {
		case !slices.ContainsFunc(p.rig.open(), asks):
			return
		case over:
			p.Fatalf("%q does not answer %d, which was shown last", words, n)
		}
	}
}

// chat sends a message and forgets the reply.
func (p *player) chat(ctx context.Context, via, text string) {
	p.Helper()
	body, _ := json.Marshal(map[string]string{"message": text})
	p.post(ctx, via, "/chat", string(body))
}

func (p *player) chatOther(k int) {
	p.talker(k).say(context.Background(), []string{"ok?", "ja, maar later", "Hoe staat het ermee?", "yes?", "ja 99", "ja 0"}[k%6])
}

func (p *player) chatExecute(k int) {
	c := p.talker(k)
	for id, n := range c.shown {
		if slices.Contains(c.last, n) {
			c.execute(id)
			c.execute(id)
			return
		}
	}
}

func (p *player) chatHistory(k int) { p.talker(k).history() }

// native answers over /v1, with the digest of what is open.
func (p *player) native(k int) {
	if open := p.rig.open(); len(open) > 0 {
		ask := open[k%len(open)]
		p.approved[amount(ask.Call.Args)] = true
		p.answerNative(ask.ID, ask.Shown)
		p.answerNative(ask.ID, ask.Shown)
	}
}

// nativeStale answers over /v1 with the digest of something else, or none.
func (p *player) nativeStale(k int) {
	all, err := p.Store.Asks(context.Background(), store.AskFilter{})
	check(p, err)
	open := p.rig.open()
	if len(open) == 0 {
		return
	}
	ask, other := open[k%len(open)], all[k%len(all)]
	if other.ID != ask.ID {
		p.answerNative(ask.ID, other.Shown)
	}
	p.answerNative(ask.ID, "")
}

func (p *player) answerNative(id rein.AskID, shown string) {
	body, _ := json.Marshal(map[string]string{"state": "approved", "shown": shown})
	p.post(context.Background(), "token:native", "/v1/asks/"+string(id)+"/answer", string(body))
}

// play makes a move for each byte, and judges.
func (p *player) play(script []byte) {
	p.Helper()
	for i := 0; i+1 < len(script); i += 2 {
		move := moves[int(script[i])%len(moves)]
		before := p.payments()
		move.do(p, int(script[i+1]))
		for _, s := range p.sockets {
			s.fence() // what it sent has been read
		}
		p.quiet()
		for _, s := range p.sockets {
			s.catchUp()
		}
		p.moves[move.name] += p.payments() - before
	}
	p.judge()
}

func (p *player) payments() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.paid)
}

// judge is the law: every effect that was carried out has exactly one answer, which says the digest of
// what was shown, and what was shown or edited is exactly what was done, once; and someone agreed to that
// while they were looking at it.
func (p *player) judge() {
	p.Helper()
	asks, err := p.Store.Asks(context.Background(), store.AskFilter{})
	check(p, err)
	of := map[payment]rein.Ask{}
	digests := map[string]rein.AskID{}
	for _, ask := range asks {
		if was := digests[ask.Shown]; was != "" || ask.Shown == "" {
			p.Errorf("asks %s and %s have the digest %q", was, ask.ID, ask.Shown)
		}
		digests[ask.Shown] = ask.ID
		of[payment{run: ask.Run, step: ask.Step}] = ask
	}
	answered := map[rein.AskID]bool{}
	for _, done := range p.paid {
		ask := of[payment{run: done.run, step: done.step}]
		if answered[ask.ID] {
			p.Errorf("ask %s was carried out twice", ask.ID)
		}
		answered[ask.ID] = true
		p.judgeOne(done, ask)
	}
}

func (p *player) judgeOne(done payment, ask rein.Ask) {
	p.Helper()
	answers := p.answersTo(ask)
	if len(answers) != 1 || answers[0].Shown != ask.Shown {
		p.Errorf("%+v was done after the answers %+v to %s, which showed %s", done, answers, ask.ID, ask.Shown)
		return
	}
	asked := amount(ask.Call.Args)
	switch answers[0].State {
	case rein.AskApproved:
		if done.n != asked || !p.approved[asked] {
			p.Errorf("%+v was done: asked was %d, and agreed %v", done, asked, p.approved[asked])
		}
	case rein.AskEdited:
		if done.n != amount(answers[0].Args) || done.n != p.edited[asked] {
			p.Errorf("%+v was done: %d was made %d", done, asked, p.edited[asked])
		}
	default:
		p.Errorf("%+v was done, and answered with %+v", done, answers[0])
	}
}

// answersTo returns the answers to an ask in the log.
func (p *player) answersTo(ask rein.Ask) (all []rein.Answer) {
	for e, err := range p.Store.Events(context.Background(), ask.Run, 0) {
		check(p, err)
		var c rein.Command
		if e.Kind.Command() == rein.CommandAnswer && json.Unmarshal(e.Data, &c) == nil && c.Ask == ask.ID {
			all = append(all, c.Answer)
		}
	}
	return all
}

// TestAnswers plays games by chance, and makes sure that they are worth it: each way to agree has carried
// something out.
//
// Attack: 49
func TestAnswers(t *testing.T) {
	carried := map[string]int{}
	const games = 12
	for game := range games {
		if !labs.Cell(game, 6) {
			continue
		}
		t.Run(fmt.Sprint(game), func(t *testing.T) {
			p := newPlayer(t)
			chance := rand.New(rand.NewPCG(uint64(game), 49))
			script := []byte{0, 0, 0, 1, 0, 2}
			for range 30 {
				script = append(script, byte(chance.Uint32()), byte(chance.Uint32()))
			}
			p.play(script)
			for name, n := range p.moves {
				carried[name] += n
			}
		})
	}
	for _, move := range []string{"right ID", "edit", "agent's words", "agent's words twice", "chat yes", "chat yes twice", "chat execute", "native"} {
		if carried[move] == 0 && !testing.Short() {
			t.Errorf("%s carried nothing out in %d games: %v", move, games, carried)
		}
	}
	for _, move := range []string{"start", "no ID", "reject", "reconnect", "blind words", "chat yes to several", "chat other", "chat history", "native stale"} {
		if carried[move] != 0 {
			t.Errorf("%s carried something out: %v", move, carried)
		}
	}
}

// FuzzAnswers plays any game.
//
// Attack: 49
func FuzzAnswers(f *testing.F) {
	f.Add([]byte{0, 2, 8, 0, 9, 0, 8, 0, 10, 0})           // an agent, by words
	f.Add([]byte{0, 0, 11, 0, 13, 0, 15, 0, 16, 0, 11, 0}) // a chat, whose reply is lost
	f.Add([]byte{0, 0, 0, 0, 19, 0, 11, 2, 13, 0, 12, 2})  // a chat in which several things are open
	f.Add([]byte{0, 1, 1, 1, 3, 0, 7, 1, 3, 0, 5, 1})      // a socket that comes back
	f.Fuzz(func(t *testing.T, script []byte) {
		newPlayer(t).play(script[:min(len(script), 80)])
	})
}

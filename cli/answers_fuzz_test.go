package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/engine/enginetest/flows"
)

// FuzzAnswers lets clients answer by every way, in any order, again, at once, to the wrong ask, without
// what was shown, and across restarts. Whatever they do: every executed effect that needed approval has
// exactly one answer, and its digest is of exactly those bytes.
//
// Covers: LAW-9 ENG-41 ENG-42
// Attack: 47 48 49
func FuzzAnswers(f *testing.F) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		moves := make([]byte, 30)
		for i := range moves {
			moves[i] = byte(r.IntN(len(allMoves)))
		}
		f.Add(seed, moves)
	}
	f.Fuzz(func(t *testing.T, seed uint64, moves []byte) {
		t.Parallel()
		p := &parlour{T: t, dir: t.TempDir(), seed: seed % 16}
		p.open()
		defer func() { p.close() }()
		game := &game{parlour: p, r: rand.New(rand.NewPCG(seed, 1)), accepted: map[rein.AskID]int{}}
		game.start("a", "b")
		for _, move := range moves[:min(len(moves), 60)] {
			open, over := p.rest()
			if over {
				break
			}
			allMoves[int(move)%len(allMoves)](game, open)
		}
		for open, over := p.rest(); !over; open, over = p.rest() {
			decide(game, open)
		}
		game.judge()
	})
}

// A game is what the clients have done so far.
type game struct {
	*parlour
	r        *rand.Rand
	asks     []rein.Ask // all that anybody has seen
	sent     []attempt  // what was accepted
	accepted map[rein.AskID]int
	keys     int
}

func (g *game) start(ids ...rein.RunID) {
	g.Helper()
	host := rein.Host()
	settings, err := json.Marshal(flows.Settings{Rounds: 4})
	g.check(err)
	for _, id := range ids {
		_, err := g.engine.Start(g.Context(), id, rein.Task{
			Flow: "loop", Household: host.Household, User: host.User, Session: "s-" + string(id), Tools: []string{"look", "add", "send"},
			Policy: rein.Policy{Ask: []string{"look", "add", "send"}}, Settings: settings, Messages: []rein.Message{{Role: rein.User, Text: "go"}},
		})
		g.check(err)
	}
}

var allMoves = []func(*game, []rein.Ask){decide, decide, repeat, aimElsewhere, spoilDigest, answerAClosedOne, twoAtOnce, restart}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// any is an answer that fits the ask.
func (g *game) any(ask rein.Ask) attempt {
	g.keys++
	a := attempt{ask: ask.ID, run: ask.Run, key: fmt.Sprint("k", g.keys), answer: rein.Answer{Shown: ask.Shown}}
	switch {
	case ask.Kind == rein.AskUnknown:
		a.answer.State, a.answer.Text = rein.AskAnswered, pick(g.r, ask.Choices)
	case g.r.IntN(4) == 0:
		a.answer.State = rein.AskRejected
	case g.r.IntN(4) == 0:
		a.answer.State, a.answer.Args = rein.AskEdited, json.RawMessage(fmt.Sprintf(`{"n":%d}`, 10+g.r.IntN(2)))
	default:
		a.answer.State = rein.AskApproved
	}
	return a
}

// try sends an attempt by some way.
func (g *game) try(a attempt) error { return g.by(pick(g.r, ways), a) }

func (g *game) by(w way, a attempt) error {
	again, err := w.send(g.parlour, a)
	if err == nil && w.blind {
		g.Errorf("%s names no ask and yet answers one: %+v", w.name, a.answer)
	}
	g.took(a, again, err)
	return err
}

// seeing is a way that names the ask.
func (g *game) seeing() way {
	for {
		if w := pick(g.r, ways); !w.blind {
			return w
		}
	}
}

func (g *game) took(a attempt, again bool, err error) {
	if err == nil && !again {
		g.accepted[a.ask]++
		g.sent = append(g.sent, a)
	}
}

// decide answers something that is open, as it should be.
func decide(g *game, open []rein.Ask) {
	ask := pick(g.r, open)
	g.asks = append(g.asks, ask)
	a := g.any(ask)
	w := g.seeing()
	again, err := w.send(g.parlour, a)
	if err != nil {
		g.Errorf("%s: %+v to %s: %v", w.name, a.answer, ask.ID, err)
	}
	g.took(a, again, err)
}

// repeat sends an answer again that was taken, by every way, with its own key or another.
func repeat(g *game, _ []rein.Ask) {
	if len(g.sent) == 0 {
		return
	}
	a := pick(g.r, g.sent)
	if g.r.IntN(2) == 0 {
		g.keys++
		a.key = fmt.Sprint("k", g.keys)
	}
	for _, w := range ways {
		_ = g.by(w, a)
	}
}

// aimElsewhere sends a yes to one ask to another.
func aimElsewhere(g *game, open []rein.Ask) {
	if len(g.asks) == 0 {
		return
	}
	was, now := pick(g.r, g.asks), pick(g.r, open)
	a := g.any(now)
	if a.answer.Shown = was.Shown; was.Shown == now.Shown {
		return // the very same question
	}
	if err := g.try(a); err == nil {
		g.Errorf("a yes to %s answered %s", was.ID, now.ID)
	}
}

// spoilDigest answers without having seen anything, or something else.
func spoilDigest(g *game, open []rein.Ask) {
	a := g.any(pick(g.r, open))
	a.answer.State, a.answer.Args, a.answer.Text = rein.AskApproved, nil, ""
	a.answer.Shown = pick(g.r, []string{"", "v2-", a.answer.Shown + "0", strings.TrimPrefix(a.answer.Shown, rein.ShownMark), strings.ToUpper(a.answer.Shown)})
	if err := g.try(a); err == nil {
		g.Errorf("approved with the digest %q", a.answer.Shown)
	}
}

// answerAClosedOne answers what was seen earlier and may be closed by now.
func answerAClosedOne(g *game, _ []rein.Ask) {
	if len(g.asks) > 0 {
		_ = g.try(g.any(pick(g.r, g.asks)))
	}
}

// twoAtOnce lets two clients answer the same ask at the same time.
func twoAtOnce(g *game, open []rein.Ask) {
	ask := pick(g.r, open)
	g.asks = append(g.asks, ask)
	type outcome struct {
		again bool
		err   error
	}
	attempts := []attempt{g.any(ask), g.any(ask)}
	outcomes := make(chan outcome, 1)
	first, second := g.seeing(), g.seeing()
	go func() {
		again, err := first.send(g.parlour, attempts[0])
		outcomes <- outcome{again, err}
	}()
	again, err := second.send(g.parlour, attempts[1])
	g.took(attempts[1], again, err)
	other := <-outcomes
	g.took(attempts[0], other.again, other.err)
	if g.accepted[ask.ID] != 1 {
		g.Errorf("of two answers at once to %s %d were taken: %v, %v", ask.ID, g.accepted[ask.ID], err, other.err)
	}
}

// restart ends the process, as far as anybody can see, and begins another.
func restart(g *game, _ []rein.Ask) {
	g.close()
	g.open()
}

// judge reads the logs and compares them with what was done.
func (g *game) judge() {
	g.Helper()
	asks, answers := map[rein.AskID]rein.Ask{}, map[rein.AskID][]rein.Answer{}
	for _, run := range []rein.RunID{"a", "b"} {
		for e, err := range g.store.Events(context.Background(), run, 0) {
			g.check(err)
			switch {
			case e.Kind == rein.AskOpened:
				ask := payload[rein.Ask](e)
				asks[ask.ID] = ask
			case e.Kind.Command() == rein.CommandAnswer:
				c := payload[rein.Command](e)
				answers[c.Ask] = append(answers[c.Ask], c.Answer)
			}
		}
	}
	contents := map[string]string{}
	for id, ask := range asks {
		given := answers[id]
		if len(given) != 1 || g.accepted[id] != 1 {
			g.Errorf("ask %s has %d answers, %d were taken", id, len(given), g.accepted[id])
			continue
		}
		if !strings.HasPrefix(ask.Shown, rein.ShownMark) || given[0].Shown != ask.Shown {
			g.Errorf("ask %s shows %q, and the answer is to %q", id, ask.Shown, given[0].Shown)
		}
		content := fmt.Sprint(ask.Kind, ask.Text, ask.Choices, ask.Call.Name, string(ask.Call.Args), ask.Effect)
		if other, ok := contents[ask.Shown]; ok && other != content {
			g.Errorf("one digest of two contents: %q and %q", other, content)
		}
		contents[ask.Shown] = content
	}
	g.judgeDeeds(asks, answers)
}

// judgeDeeds holds each deed against what was agreed to.
func (g *game) judgeDeeds(asks map[rein.AskID]rein.Ask, answers map[rein.AskID][]rein.Answer) {
	g.Helper()
	times := map[string]int{}
	for _, d := range g.deeds {
		approvals, agains := 0, 0
		for _, id := range slices.Sorted(maps.Keys(asks)) {
			ask := asks[id]
			if ask.Run != d.run || ask.Step != d.step || len(answers[id]) != 1 {
				continue
			}
			answer := answers[id][0]
			agreed := ask.Call.Args
			switch answer.State {
			case rein.AskEdited:
				agreed = answer.Args
			case rein.AskAnswered:
				if answer.Text == rein.RunAgain {
					agains++
				}
				continue
			case rein.AskRejected:
				g.Errorf("%s of %s %s happened though it was refused", d.tool, d.run, d.step)
				continue
			}
			approvals++
			if ask.Call.Name != d.tool || !bytes.Equal(compacted(agreed), compacted(d.args)) {
				g.Errorf("%s %s happened, but %s %s was agreed to", d.tool, d.args, ask.Call.Name, agreed)
			}
		}
		times[d.key]++
		if approvals != 1 || d.tool == "send" && times[d.key] > 1+agains {
			g.Errorf("%s of %s %s happened %d times with %d approvals and %d again", d.tool, d.run, d.step, times[d.key], approvals, agains)
		}
	}
}

func compacted(args json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, args) != nil {
		return args
	}
	return b.Bytes()
}

package assist

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/quote"
	"rein/store"
)

// A standing is how things are in a session when a message comes.
type standing struct {
	known  bool       // there were runs in it before
	newest rein.RunID // the newest run, "" if there is none
	works  rein.RunID // the newest run that is at work and waits for nobody, "" if there is none
	waits  bool       // a run waits for a person
	open   []rein.Ask // what waits for the caller, the newest last
}

// standingOf reads how things are in a session.
func (d *dialect) standingOf(ctx context.Context, who rein.Identity, session string) (s standing, err error) {
	for info, err := range d.Store.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		if err != nil {
			return s, err
		}
		s.known, s.newest = true, info.ID
		if info.Status.Ended() {
			continue
		}
		asks, err := d.Store.Asks(ctx, store.AskFilter{Tree: info.ID, Pending: true})
		if err != nil {
			return s, err
		}
		if len(asks) == 0 {
			s.works = info.ID
			continue
		}
		s.waits = true
		for _, ask := range asks {
			if mayAnswer(ask, who) {
				s.open = append(s.open, ask)
			}
		}
	}
	slices.SortStableFunc(s.open, func(a, b rein.Ask) int { return a.Opened.Compare(b.Opened) })
	return s, nil
}

// has reports whether an ask is open and the caller's.
func (s standing) has(ask rein.Ask) bool {
	return slices.ContainsFunc(s.open, func(a rein.Ask) bool { return a.ID == ask.ID })
}

// mayAnswer reports whether an ask of a run of the caller's is for the caller.
func mayAnswer(ask rein.Ask, who rein.Identity) bool { return ask.IsFor(who.User, who.Role, who.User) }

// othersSay comes before an ask that waits for somebody else: of a child's, it says who was asked.
func othersSay(t *turn, asks []rein.Ask) string {
	i := slices.IndexFunc(asks, func(a rein.Ask) bool { return !mayAnswer(a, t.who) })
	if i >= 0 && asks[i].For == rein.ForAdults && len(asks[i].Asked) > 0 {
		return fmt.Sprintf(in(t.language(), adultsWords), strings.Join(asks[i].Asked, ", "))
	}
	return in(t.language(), othersWords)
}

// settle completes the reply of a turn with what is still open in the session: below what was said, so that it is the last
// thing before the person's eyes.
func (d *dialect) settle(ctx context.Context, t *turn, reply Reply) (Reply, error) {
	if reply.failure != nil {
		return reply, nil
	}
	at, err := d.standingOf(ctx, t.who, t.task.Session)
	if err != nil {
		return reply, err
	}
	said := reply.Message
	switch {
	case slices.ContainsFunc(reply.asks, func(a rein.Ask) bool { return at.has(a) }):
		said = "" // it is among what is open
	case slices.ContainsFunc(reply.asks, func(a rein.Ask) bool { return !mayAnswer(a, t.who) }):
		said = othersSay(t, reply.asks) + "\n\n" + said
	}
	if len(at.open) == 0 {
		reply.Message = said
		return reply, nil
	}
	reply.asks = at.open
	parts := []string{said}
	switch {
	case t.before != nil:
		parts = append(parts, in(t.language(), t.before))
	case said != "":
		parts = append(parts, in(t.language(), stillOpenWords))
	}
	parts = append(parts, listed(at.open))
	if len(at.open) > 1 {
		parts = append(parts, in(t.language(), numberWords))
	}
	reply.Message = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
	return reply, nil
}

// listed is what is open, whole; several things are numbered.
func listed(open []rein.Ask) string {
	if len(open) == 1 {
		return open[0].Text
	}
	var all []string
	for i, ask := range open {
		all = append(all, strconv.Itoa(i+1)+". "+ask.Text)
	}
	return strings.Join(all, "\n\n")
}

// numbered takes the number off an answer to one of several things: "yes 2", "2: no". n is 0 if there is none.
func numbered(text string) (n int, said string) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return 0, ""
	}
	for _, at := range []int{0, len(words) - 1} {
		n, err := strconv.Atoi(strings.TrimRight(words[at], ".:,!"))
		if err == nil && n > 0 {
			return n, strings.Join(slices.Delete(slices.Clone(words), at, at+1), " ")
		}
	}
	return 0, ""
}

// aside is what the model of another run is told of what is open: without it, it would not know what the person speaks of.
func aside(open []rein.Ask) rein.Message {
	var waits []string
	for _, ask := range open {
		waits = append(waits, quote.Untrusted("open action", ask.Text))
	}
	return rein.Message{Role: rein.Developer, Text: asideText + "\n\n" + strings.Join(waits, "\n\n")}
}

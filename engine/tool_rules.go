package engine

import (
	"context"
	"slices"
	"unicode/utf8"

	"rein"
	"rein/internal/visible"
)

// What an ask offers at most for one scope: nobody reads more.
const (
	maxOffers  = 20
	maxPattern = 500 // bytes
)

// offersOf is what a person can allow beyond the order, when they are asked about it. Nothing is offered that would not
// help: a policy that asks for the tool, and a guess, are asked about each time.
func (s *toolStep) offersOf(o *order, ruling rein.Ruling) rein.Offers {
	if !o.tool.Rules || s.run.opts.Worker.Grants == nil || ruling.Verdict != rein.MustAsk || o.mended != "" || s.run.policy().Asks(o.tool) || !s.run.rights().Lasting {
		return rein.Offers{}
	}
	return rein.Offers{Session: s.offered(ruling.Session), Always: s.offered(ruling.Always)}
}

// offered returns patterns as they are offered: all of them, each once, or none. A person allows what they read, so
// what has characters that cannot be seen, or a secret that they would see a label for, is not offered.
func (s *toolStep) offered(patterns []string) []string {
	var all []string
	for _, p := range patterns {
		clean, _, _ := s.run.redactor().Text(p)
		if p == "" || len(p) > maxPattern || !utf8.ValidString(p) || visible.Line(p) != p || clean != p {
			return nil
		}
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) > maxOffers {
		return nil
	}
	return all
}

// keepRules keeps what a person allowed beyond the call that they approved. The rules are durable before the call is
// sent. After a crash they are kept again, which changes nothing: each is named by its ask, and one that was revoked
// meanwhile stays so.
func (s *toolStep) keepRules(o *order, ask rein.Ask, answer rein.Answer) {
	if !answer.Scope.Lasts() || answer.State != rein.AskApproved || s.run.opts.Worker.Grants == nil {
		return
	}
	inv := s.invocation(o, s.callKey())
	if err := s.run.opts.Worker.Grants.Keep(context.Background(), o.tool, inv, ask, answer); err != nil {
		s.run.fail(err)
	}
}

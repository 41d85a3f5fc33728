package engine

import (
	"slices"
	"unsafe"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/render"
	"rein/internal/prose"
)

// A speech is what a model says while it says it, as people may see it: without its calls and
// without secrets. What comes out is what is shown, and what is kept if the model is cut. A secret can
// arrive in two pieces, so the end of the text is held back until it is clear what it is.
type speech struct {
	stream *guard.Stream // which keeps what came out
	hear   func(text string)
	gate   *prose.Gate       // of a reply that may not be prose; nil: all of it is shown
	cutter *prose.Cut        // of a reply that may hand over; nil: it cannot
	tell   func(text string) // nil: nobody follows
	said   func() string     // what the model said; nil: the stream does not get all of it
}

// listen begins a speech, which is shown to people if the prompt wants it.
func (s *modelStep) listen(p rein.Prompt, info rein.ModelInfo) *speech {
	sp := &speech{stream: s.run.redactor().Stream()}
	if (p.Stream || p.Prose) && s.run.opts.OnDelta != nil {
		sp.tell = func(text string) {
			said := sp.stream.Said()
			s.run.opts.OnDelta(rein.Delta{Run: s.run.id, Step: s.key, Attempt: s.rec.attempts, Offset: len(said) - len(text), Text: text, Said: said})
		}
	}
	words := func(text string) { sp.pass(sp.stream.Write(text)) }
	if p.Prose && !p.Stream {
		sp.gate = &prose.Gate{Show: words}
		words = sp.gate.Write
		if len(p.HandOver) > 0 {
			sp.cutter = &prose.Cut{Lines: p.HandOver, Show: words, Withdraw: func() { s.withdraw(sp) }}
			words = sp.cutter.Write
		}
	} else if render.ShowsAll(p.Rendering, info) {
		sp.said = sp.heard
	}
	sp.hear = render.Shown(p.Rendering, info, words)
	return sp
}

// withdraw takes back what was shown of a reply that hands over: the step begins its text again, and it stays empty.
func (s *modelStep) withdraw(sp *speech) {
	if tell := s.run.opts.OnDelta; sp.tell != nil && len(sp.stream.Said()) > 0 {
		tell(rein.Delta{Run: s.run.id, Step: s.key, Attempt: s.rec.attempts + 1})
	}
	sp.tell = nil
}

// heard is what the model said. It is not copied: the stream does not change it any more.
func (sp *speech) heard() string {
	all := sp.stream.Heard()
	return unsafe.String(unsafe.SliceData(all), len(all))
}

// say takes the next words of the model.
func (sp *speech) say(text string) { sp.hear(text) }

// pass shows what has left the filter for secrets. The offset of a delta is where its text begins in what was shown,
// so that a client that missed some of it notices.
func (sp *speech) pass(text string) {
	if text != "" && sp.tell != nil {
		sp.tell(text)
	}
}

// end lets out what was held back: the reply is whole.
func (sp *speech) end() {
	if sp.cutter != nil {
		sp.cutter.Close()
	}
	if sp.gate != nil {
		sp.gate.Close()
	}
	sp.pass(sp.stream.Close())
}

// cut returns what was said when the model was cut off. An end that could have become a secret is
// left out.
func (sp *speech) cut() string {
	sp.pass(sp.stream.Cut())
	return string(sp.stream.Said())
}

// failure is what is recorded and returned of a model's error. Providers repeat what they were sent, so
// secrets are taken out of the whole, before it is clipped.
func (s *step) failure(err error) *rein.Failure {
	f := rein.FailureOf(err)
	if clean := s.redacted(err.Error()); clean != err.Error() {
		f.Msg = rein.FailureOf(&rein.Error{Msg: clean}).Msg
	}
	return f
}

// clean takes the secrets out of a reply. What only its provider can read goes with them: it holds
// the same words.
func (s *step) clean(m rein.Message) (rein.Message, []string) {
	var kinds []string
	if m.Stop == rein.StopLength || s.run.redactor().Suspects(m.Text) {
		m.Text, kinds = s.cleanText(m.Text, m.Stop == rein.StopLength)
	}
	kinds = slices.Concat(kinds, m.Redacted) // a recording says what was taken out of it before
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if m.Raw != nil {
		if _, hidden, _ := s.run.redactor().JSON(m.Raw.Data); len(kinds)+len(hidden) > 0 {
			m.Raw = nil
		}
	}
	return m, kinds
}

// cleanText takes the secrets out of a text, which may have been cut off.
func (s *step) cleanText(text string, cut bool) (string, []string) {
	stream := s.run.redactor().Stream()
	text = stream.Write(text)
	if cut {
		return text + stream.Cut(), stream.Kinds()
	}
	return text + stream.Close(), stream.Kinds()
}

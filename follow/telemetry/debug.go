package telemetry

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"time"
	"unicode/utf8"

	"rein"
)

// A debugger writes what a run did, a line each: calls with their durations and the characters that
// came of them, back-offs, and what was retrieved. Arguments, prompts and replies are not in it; the
// texts that are went through the redactor.
type debugger struct {
	log    *slog.Logger
	redact func(string) string
}

var _ listener = (*debugger)(nil)

const (
	maxItems   = 50  // of what one call retrieved
	maxSnippet = 200 // bytes
)

func (d *debugger) on() bool { return d.log.Enabled(context.Background(), slog.LevelDebug) }

func (d *debugger) runStarted(h *history) { d.log.Debug("run started", "run", h.id, "flow", h.flow) }

func (d *debugger) runEnded(h *history, end rein.RunEnd, at time.Time) {
	d.log.Debug("run ended", "run", h.id, "flow", h.flow, "end", end.End, "code", codeOf(end.Failure), "duration_ms", at.Sub(h.began).Milliseconds())
}

func (d *debugger) askOpened(h *history, a rein.Ask) {
	d.log.Debug("ask opened", "run", h.id, "ask", a.ID, "kind", a.Kind)
}

func (d *debugger) askClosed(h *history, a rein.Ask) {
	d.log.Debug("ask closed", "run", h.id, "ask", a.ID, "kind", a.Kind, "state", a.State, "duration_ms", a.Closed.Sub(a.Opened).Milliseconds())
}

func (d *debugger) waited(h *history, s *step, w rein.Waiting, at time.Time) {
	d.log.Debug("back-off", "run", h.id, "step", s.Key, "model", s.Model, "why", waitsFor(w), "try", w.Try, "code", codeOf(w.Failure), "wait_ms", w.Until.Sub(at).Milliseconds())
}

func (d *debugger) stepEnded(h *history, s *step) {
	if !d.on() {
		return
	}
	switch s.Verb {
	case rein.VerbModel:
		d.ofModel(h, s)
	case rein.VerbTool:
		d.ofTool(h, s)
	}
}

func (d *debugger) ofModel(h *history, s *step) {
	args := []any{"run", h.id, "step", s.Key, "phase", s.Phase, "model", s.over().Model, "outcome", s.outcome(), "attempts", s.tries(), "duration_ms", s.over().Duration.Milliseconds()}
	if m := s.over().Message; m != nil {
		args = append(args, "chars", utf8.RuneCountInString(m.Text))
	}
	if u := s.over().Usage; u != nil {
		args = append(args, "input_tokens", u.Input, "output_tokens", u.Output)
	}
	d.log.Debug("model call", args...)
}

func (d *debugger) ofTool(h *history, s *step) {
	tool := h.tool(s)
	args := []any{"run", h.id, "step", s.Key, "tool", tool, "outcome", s.outcome(), "attempts", s.tries(), "duration_ms", s.over().Duration.Milliseconds()}
	if r := s.over().Result; r != nil {
		args = append(args, "chars", charsOf(r))
	}
	if s.over().Whole != "" { // what the model was given is a part of it
		args = append(args, "whole_chars", utf8.RuneCountInString(s.over().Whole))
	}
	if k, ok := kOf(s.Args()); ok {
		args = append(args, "k", k)
	}
	found := retrieved(s.over().Result)
	if len(found) > 0 {
		args = append(args, "retrieved", len(found))
	}
	d.log.Debug("tool call", args...)
	for _, f := range found[:min(len(found), maxItems)] {
		d.log.Debug("retrieved", "run", h.id, "step", s.Key, "tool", tool, "path", d.text(f.Path), "section", d.text(f.Section), "score", f.score(), "snippet", d.text(f.Snippet))
	}
}

// text is redacted before it is clipped, so that no half of a secret is left.
func (d *debugger) text(s string) string { return rein.Clip(d.redact(s), maxSnippet) }

func codeOf(f *rein.Failure) string {
	if f == nil {
		return ""
	}
	return string(f.Code)
}

// charsOf counts the characters that a call read: those of the text of a note, or else of the result.
func charsOf(r *rein.ToolResult) int {
	for _, raw := range []string{string(r.Data), r.Text} {
		var note struct {
			Text *string `json:"text"`
		}
		if json.Unmarshal([]byte(raw), &note) == nil && note.Text != nil {
			return utf8.RuneCountInString(*note.Text)
		}
	}
	return utf8.RuneCountInString(r.Text)
}

// kOf returns how many results a search was asked for.
func kOf(args json.RawMessage) (k float64, ok bool) {
	var a struct {
		K *float64 `json:"k"`
	}
	if json.Unmarshal(args, &a) != nil || a.K == nil {
		return 0, false
	}
	return *a.K, true
}

// A hit is one thing that a search found.
type hit struct {
	Path    string   `json:"path"`
	Section string   `json:"section"`
	Score   *float64 `json:"score"`
	Snippet string   `json:"snippet"`
}

// score is a number that JSON can hold.
func (h hit) score() any {
	if h.Score == nil || math.IsNaN(*h.Score) || math.IsInf(*h.Score, 0) {
		return nil
	}
	return *h.Score
}

// retrieved returns the hits of a result, if it is one of a search: a list of things with a path, or
// an answer that has such a list as its data.
func retrieved(r *rein.ToolResult) []hit {
	if r == nil || r.Status != rein.ToolOK {
		return nil
	}
	for _, raw := range []string{string(r.Data), r.Text} {
		var list []hit
		var answer struct {
			Data []hit `json:"data"`
		}
		if json.Unmarshal([]byte(raw), &list) != nil {
			if json.Unmarshal([]byte(raw), &answer) != nil {
				continue
			}
			list = answer.Data
		}
		if len(list) > 0 && list[0].Path != "" {
			return list
		}
	}
	return nil
}

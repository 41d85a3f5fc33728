package flow

import (
	"fmt"
	"strconv"

	"rein"
)

// AnswerSettings are what a caller may choose about answer. Those about ranking and reading are for
// the tools, which read them from the task; the model is told of them.
type AnswerSettings struct {
	MaxToolCalls     int     `json:"max_tool_calls"`
	GeneratedQueries bool    `json:"generated_queries"` // the model may search in words of its own
	MaxQueries       int     `json:"max_queries"`       // in one search, if it may
	K                int     `json:"k"`                 // hits of a search
	MMRLambda        float64 `json:"mmr_lambda"`        // 1: the order of scores; below, repetitions come last
	MinChunk         int     `json:"min_chunk"`         // characters; shorter passages rank lower
	ReadMaxChars     int     `json:"read_max_chars"`    // of a note, at a time
	MinScore         float64 `json:"min_score"`         // a best hit below it is low confidence
}

// DefaultAnswer is what holds where a caller chooses nothing.
func DefaultAnswer() AnswerSettings {
	return AnswerSettings{
		MaxToolCalls: 3, GeneratedQueries: true, MaxQueries: 3, K: 20,
		MMRLambda: 0.5, MinChunk: 160, ReadMaxChars: 4000, MinScore: 0.2,
	}
}

func (s *AnswerSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clamp(notices, "max_tool_calls", &s.MaxToolCalls, 1, 8, c.Rounds)
	notices = clamp(notices, "max_queries", &s.MaxQueries, 1, 3, 0)
	notices = clamp(notices, "k", &s.K, 1, 100, 0)
	notices = clampShare(notices, "mmr_lambda", &s.MMRLambda)
	notices = clamp(notices, "min_chunk", &s.MinChunk, 0, 2800, 0)
	notices = clamp(notices, "read_max_chars", &s.ReadMaxChars, 100, 20_000, 0)
	return clampShare(notices, "min_score", &s.MinScore), nil
}

// clampShare keeps a number from 0 to 1.
func clampShare(notices []string, name string, value *float64) []string {
	if fit := min(max(*value, 0), 1); fit != *value {
		notices = append(notices, fmt.Sprintf("%s is %v instead of %v: it must be from 0 to 1", name, fit, *value))
		*value = fit
	}
	return notices
}

// contract is the developer's message: what the model is told of the tools and of its limits.
func (s AnswerSettings) contract(task rein.Task) rein.Message {
	queries, generated := 1, "no"
	if s.GeneratedQueries {
		queries, generated = s.MaxQueries, "yes"
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	contract := text(task, "answer_tools", map[string]string{
		"max_tool_calls": strconv.Itoa(s.MaxToolCalls), "queries": strconv.Itoa(queries), "generated": generated,
		"k": strconv.Itoa(s.K), "mmr_lambda": number(s.MMRLambda), "min_chunk": strconv.Itoa(s.MinChunk),
		"min_score": number(s.MinScore), "read_max_chars": strconv.Itoa(s.ReadMaxChars),
	})
	if mayChange(task) {
		contract += "\n\n" + text(task, "answer_changes", nil)
	}
	return rein.Message{Role: rein.Developer, Text: contract}
}

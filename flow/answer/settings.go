package answer

import (
	"strconv"

	"rein"
	"rein/flow/kit"
)

// Settings are what a caller may choose about answer. Those about ranking and reading are for
// the tools, which read them from the task; the model is told of them.
type Settings struct {
	MaxToolCalls     int     `json:"max_tool_calls"`
	GeneratedQueries bool    `json:"generated_queries"` // the model may search in words of its own
	MaxQueries       int     `json:"max_queries"`       // in one search, if it may
	K                int     `json:"k"`                 // hits of a search
	MMRLambda        float64 `json:"mmr_lambda"`        // 1: the order of scores; below, repetitions come last
	MinChunk         int     `json:"min_chunk"`         // characters; shorter passages rank lower
	ReadMaxChars     int     `json:"read_max_chars"`    // of a note, at a time
	MinScore         float64 `json:"min_score"`         // a best hit below it is low confidence
}

// Default is what holds where a caller chooses nothing.
func Default() Settings {
	return Settings{
		MaxToolCalls: 3, GeneratedQueries: true, MaxQueries: 3, K: 20,
		MMRLambda: 0.5, MinChunk: 160, ReadMaxChars: 4000, MinScore: 0.2,
	}
}

// The settings about notes are upper limits for every search and every read.
var settings = kit.SettingsOf[Settings]{Flow: "answer", Default: Default(), Fields: (*Settings).fields}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("max_tool_calls", &s.MaxToolCalls, 1, 8, "how many times the flow answer may look something up, 1 to 8").Under(kit.Rounds),
		kit.Bool("generated_queries", &s.GeneratedQueries, "let the model choose the words to search for; false: search for your own words"),
		kit.Int("max_queries", &s.MaxQueries, 1, 3, "queries in one search, 1 to 3"),
		kit.Int("k", &s.K, 1, 100, "hits of one search, 1 to 100"),
		kit.Share("mmr_lambda", &s.MMRLambda, "how repetitions are ranked: 1 keeps the order of scores, 0 moves passages that repeat others to the end; between them only close repetitions move"),
		kit.Int("min_chunk", &s.MinChunk, 0, 2800, "passages shorter than this, in characters, rank lower; 0 to 2800"),
		kit.Int("read_max_chars", &s.ReadMaxChars, 100, 20_000, "characters of a note that are read at a time, 100 to 20000"),
		kit.Share("min_score", &s.MinScore, "a best hit with a lower score is not trusted, 0 to 1"),
	}
}

// contract is the developer's message: what the model is told of the tools and of its limits.
func (s Settings) contract(task rein.Task) rein.Message {
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
	if task.Revision >= answersFirst {
		contract += "\n\n" + text(task, "answer_first", nil)
	}
	if mayChange(task) {
		contract += "\n\n" + text(task, "answer_changes", nil)
	}
	return rein.Message{Role: rein.Developer, Text: contract}
}

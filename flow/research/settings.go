package research

import (
	"rein/flow/internal/turn"
	"rein/flow/kit"
)

// Settings are what a caller may choose about research and code.
type Settings struct {
	Reflections   int `json:"reflections"`    // at most so many, then the answer is written
	AnswerTimeout int `json:"answer_timeout"` // seconds after which the work goes on without an answer
}

// Default is what holds where a caller chooses nothing.
func Default() Settings { return Settings{Reflections: 8, AnswerTimeout: turn.Day} }

// settings are the same for research and for code, but for the name in messages.
func settings(flow string) kit.SettingsOf[Settings] {
	return kit.SettingsOf[Settings]{Flow: flow, Default: Default(), Fields: (*Settings).fields}
}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("reflections", &s.Reflections, 1, 20, "reflections of research and code when you run them by name").Under(kit.Rounds),
		kit.AnswerTimeout(&s.AnswerTimeout, "seconds that a question of research or code waits before the run continues without an answer, 60 to 604800"),
	}
}

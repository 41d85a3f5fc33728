package task

import (
	"rein/flow/internal/turn"
	"rein/flow/kit"
)

// Settings are what a caller may choose about task.
type Settings struct {
	Turns         int `json:"turns"`          // of the model, those of sub-goals included
	Attempts      int `json:"attempts"`       // tool calls that may fail, before the task does
	AnswerTimeout int `json:"answer_timeout"` // seconds after which the task ends without an answer
}

// Default is what holds where a caller chooses nothing.
func Default() Settings { return Settings{Turns: 4, Attempts: 2, AnswerTimeout: turn.Day} }

var settings = kit.SettingsOf[Settings]{Flow: "task", Default: Default(), Fields: (*Settings).fields}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("turns", &s.Turns, 1, 10, "turns of the model in the flow task").Under(kit.Rounds),
		kit.Int("attempts", &s.Attempts, 1, 10, "tool calls that may fail before the task gives up"),
		kit.AnswerTimeout(&s.AnswerTimeout, "seconds that a question waits before the task ends without an answer, 60 to 604800"),
	}
}

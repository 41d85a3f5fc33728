package assist

import (
	"rein/flow/internal/turn"
	"rein/flow/kit"
	"rein/flow/research"
)

// Settings are what a caller may choose about assist.
type Settings struct {
	TaskMode     bool `json:"task_mode"`     // the task path, without a chat call before it
	Reflections  int  `json:"reflections"`   // of research and code
	ContextBytes int  `json:"context_bytes"` // of each of the four things that are known beforehand

	AnswerTimeout int `json:"answer_timeout"` // seconds after which a question counts as not answered
}

// Default is what holds where a caller chooses nothing.
func Default() Settings {
	return Settings{Reflections: research.Default().Reflections, ContextBytes: turn.ContextBytes, AnswerTimeout: turn.Day}
}

var settings = kit.SettingsOf[Settings]{Flow: "assist", Default: Default(), Fields: (*Settings).fields}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Bool("task_mode", &s.TaskMode, "").ForCallers("start with the task right away, without chatting first"),
		kit.Int("reflections", &s.Reflections, 1, 20, "reflections of research and code when assist hands over to them").Under(kit.Rounds),
		kit.Int("context_bytes", &s.ContextBytes, 0, 50_000, "bytes of context from each source: preferences, memories, summaries, snapshots"),
		kit.AnswerTimeout(&s.AnswerTimeout, "seconds that a question waits for an answer, 60 to 604800"),
	}
}

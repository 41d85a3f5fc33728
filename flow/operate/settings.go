package operate

import (
	"rein"
	"rein/flow/kit"
)

// Settings are what a caller may choose about operate.
type Settings struct {
	Rounds          int            `json:"rounds"`           // turns of the loop
	Rendering       rein.Rendering `json:"rendering"`        // auto, native, text, json or log
	CompactMessages int            `json:"compact_messages"` // more than so many are summed up
	CompactKeep     int            `json:"compact_keep"`     // so many of the newest stay
}

// Default is what holds where a caller chooses nothing.
func Default() Settings {
	return Settings{Rounds: 10, Rendering: auto, CompactMessages: 30, CompactKeep: 5}
}

var settings = kit.SettingsOf[Settings]{Flow: "operate", Default: Default(), Fields: (*Settings).fields}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("rounds", &s.Rounds, 1, 100, "rounds of the flow operate before it has to answer, 1 to 100").Under(kit.Rounds),
		kit.Int("compact_messages", &s.CompactMessages, 2, 10_000, "summarise older messages when there are more than this").Above(&s.CompactKeep),
		kit.Int("compact_keep", &s.CompactKeep, 1, 100, "how many of the newest messages stay as they are"),
		kit.Choice("rendering", (*string)(&s.Rendering), []string{auto, "native", "text", "json", "log"}, "how tool calls are written for the model: auto, native, text, json or log"),
	}
}

// auto lets the model's own abilities decide how it is sent its tools.
const auto = "auto"

func (s Settings) rendering() rein.Rendering {
	if s.Rendering == auto {
		return ""
	}
	return s.Rendering
}

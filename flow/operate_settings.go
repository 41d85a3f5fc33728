package flow

import "rein"

// OperateSettings are what a caller may choose about operate.
type OperateSettings struct {
	Rounds          int            `json:"rounds"`           // turns of the loop
	Rendering       rein.Rendering `json:"rendering"`        // auto, native, text, json or log
	CompactMessages int            `json:"compact_messages"` // more than so many are summed up
	CompactKeep     int            `json:"compact_keep"`     // so many of the newest stay
}

// DefaultOperate is what holds where a caller chooses nothing.
func DefaultOperate() OperateSettings {
	return OperateSettings{Rounds: 10, Rendering: "auto", CompactMessages: 30, CompactKeep: 5}
}

func (s *OperateSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clamp(notices, "rounds", &s.Rounds, 1, 100, c.Rounds)
	notices = clamp(notices, "compact_keep", &s.CompactKeep, 1, 100, 0)
	notices = clamp(notices, "compact_messages", &s.CompactMessages, s.CompactKeep+1, 10_000, 0)
	return notices, oneOf("rendering", string(s.Rendering), "auto", "native", "text", "json", "log")
}

func (s OperateSettings) rendering() rein.Rendering {
	if s.Rendering == "auto" {
		return ""
	}
	return s.Rendering
}

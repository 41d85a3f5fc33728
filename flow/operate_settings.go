package flow

import (
	"bytes"
	"encoding/json"

	"rein"
)

// OperateSettings are what a caller may choose about operate.
type OperateSettings struct {
	Rounds          int            `json:"rounds"`           // turns of the loop
	Rendering       rein.Rendering `json:"rendering"`        // auto, native, text, json or log
	CompactMessages int            `json:"compact_messages"` // more than so many are summed up
	CompactKeep     int            `json:"compact_keep"`     // so many of the newest stay
}

// DefaultOperateSettings is what holds where a caller chooses nothing.
func DefaultOperateSettings() OperateSettings {
	return OperateSettings{Rounds: 10, Rendering: "auto", CompactMessages: 30, CompactKeep: 5}
}

// ReadOperateSettings reads the settings of a task over the defaults. Unknown names and values out
// of range are errors.
func ReadOperateSettings(raw json.RawMessage) (OperateSettings, error) {
	s := DefaultOperateSettings()
	if len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			return s, rein.Errorf(rein.CodeInvalid, "settings of operate: %w", err)
		}
	}
	return s, s.Check()
}

// Check says which setting is out of range, if one is.
func (s OperateSettings) Check() error {
	switch {
	case s.Rounds < 1 || s.Rounds > 100:
		return rein.Errorf(rein.CodeInvalid, "settings of operate: rounds is %d; it must be from 1 to 100", s.Rounds)
	case s.CompactKeep < 1 || s.CompactKeep > 100:
		return rein.Errorf(rein.CodeInvalid, "settings of operate: compact_keep is %d; it must be from 1 to 100", s.CompactKeep)
	case s.CompactMessages <= s.CompactKeep || s.CompactMessages > 10_000:
		return rein.Errorf(rein.CodeInvalid, "settings of operate: compact_messages is %d; it must be more than compact_keep (%d) and at most 10000", s.CompactMessages, s.CompactKeep)
	}
	switch s.Rendering {
	case "auto", rein.RenderNative, rein.RenderText, rein.RenderJSON, rein.RenderLog:
		return nil
	}
	return rein.Errorf(rein.CodeInvalid, "settings of operate: rendering is %q; it must be auto, native, text, json or log", s.Rendering)
}

func (s OperateSettings) rendering() rein.Rendering {
	if s.Rendering == "auto" {
		return ""
	}
	return s.Rendering
}

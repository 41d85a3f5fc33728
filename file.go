package rein

import "time"

// A File describes a file, without its content.
type File struct {
	Name    string    `json:"name"`
	Type    string    `json:"type"` // the media type that the sender declared
	Text    bool      `json:"text"` // it is text: UTF-8 without control characters
	Size    int64     `json:"size"` // bytes
	SHA256  string    `json:"sha256"`
	Version int64     `json:"version"` // 1, 2, 3 …: each replaces the one before
	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"`
	Run     RunID     `json:"run,omitempty"` // the run whose tool wrote it; empty: a person uploaded it
	Step    StepKey   `json:"step,omitempty"`
}

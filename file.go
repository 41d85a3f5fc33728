package rein

import "time"

// A File is what is known of a file, without what is in it.
type File struct {
	Name    string    `json:"name"`
	Type    string    `json:"type"` // the media type, as whoever brought it said
	Text    bool      `json:"text"` // it can be read: UTF-8 without control characters
	Size    int64     `json:"size"` // bytes
	SHA256  string    `json:"sha256"`
	Version int64     `json:"version"` // 1, 2, 3 …: each replaces the one before
	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"`
	Run     RunID     `json:"run,omitempty"` // whose tool left it; empty: a person brought it
	Step    StepKey   `json:"step,omitempty"`
}

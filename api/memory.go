package api

import (
	"time"

	"rein"
)

// Memories is the answer to GET /v1/memories: yours, the newest first, and after them what others said for everyone at
// home. With a search the best come first.
type Memories struct {
	Memories []Memory `json:"memories"`
}

// A Memory is something lasting that rein knows about a person.
type Memory struct {
	ID        string     `json:"id"`
	User      string     `json:"user"` // whose it is
	Text      string     `json:"text"`
	Kind      string     `json:"kind"`                // fact, preference, person or plan
	About     string     `json:"about,omitempty"`     // the subject: of two memories with one subject the newer holds
	Household bool       `json:"household,omitempty"` // everyone at home reads it; else only its user
	SaidBy    string     `json:"said_by,omitempty"`   // the user who said so or agreed to it; empty: a run noted it
	Source    rein.RunID `json:"source,omitempty"`    // the run in which it was said; empty: none, or not yours
	At        time.Time  `json:"at"`                  // when it was said
	Edited    time.Time  `json:"edited,omitzero"`     // when a person changed it
	Version   string     `json:"version"`             // another one with each change
	// ReplacedBy is the memory that took its place, because it says something newer about the same.
	ReplacedBy string   `json:"replaced_by,omitempty"`
	Before     []Memory `json:"before,omitempty"` // what it replaced, the newest first, if it is yours
}

// NewMemory is the body of POST /v1/memories. What is about the same as a memory of yours takes its place.
type NewMemory struct {
	Text      string `json:"text"`                // one line of at most 500 bytes
	Kind      string `json:"kind,omitempty"`      // fact, preference, person or plan; empty: fact
	About     string `json:"about,omitempty"`     // the subject in a few words; empty: rein looks for one in the text
	Household bool   `json:"household,omitempty"` // everyone at home reads it; for adults of the household
}

// ChangedMemory is the body of PATCH /v1/memories/{id}. What is missing stays.
type ChangedMemory struct {
	Text      *string `json:"text,omitempty"`
	Kind      *string `json:"kind,omitempty"`
	About     *string `json:"about,omitempty"`
	Household *bool   `json:"household,omitempty"`
	Version   string  `json:"version,omitempty"` // that the memory has as far as you know; if it has another one now, nothing is changed (409)
}

// ForgottenMemory is the answer to DELETE /v1/memories/{id}: what is gone.
type ForgottenMemory struct {
	ID        string `json:"id"`
	Before    int    `json:"before"`    // memories that it had replaced, which are gone with it
	Summaries int    `json:"summaries"` // summaries of conversations that quoted it: they lost those lines, or are gone
	Snapshots int    `json:"snapshots"` // notes of how things are now that quoted it
}

// Preferences is the answer to GET /v1/preferences: yours and those of your household. Allergies, diet, language and units
// come first.
type Preferences struct {
	Preferences []Preference `json:"preferences"`
}

// A Preference is how somebody wants something.
type Preference struct {
	Name      string     `json:"name"`
	Value     string     `json:"value"`
	Household bool       `json:"household,omitempty"` // it is for everyone at home
	By        string     `json:"by,omitempty"`        // the user who set it or agreed to it; empty: a run noted it
	Source    rein.RunID `json:"source,omitempty"`    // the run in which it was set; empty: by hand, or not by you
	At        time.Time  `json:"at"`
}

// NewPreference is the body of PUT /v1/preferences/{name}.
type NewPreference struct {
	Value     string `json:"value"`
	Household bool   `json:"household,omitempty"` // it is for everyone at home; for adults of the household
}

// MemoryCounts is the answer to GET /v1/memory/counts: how much rein knows about you or, if you are an admin, about each user
// of your household. Only the user sees what it is.
type MemoryCounts struct {
	Users []MemoryCount `json:"users"`
}

// A MemoryCount says how much rein knows about a user.
type MemoryCount struct {
	User        string `json:"user"`
	Memories    int    `json:"memories"` // including those that were replaced
	Preferences int    `json:"preferences"`
	Snapshots   int    `json:"snapshots"`
	Summaries   int    `json:"summaries"`
}

// MemoryExport is the answer to GET /v1/memory/export: all that rein knows about you, apart from the logs of your runs.
type MemoryExport struct {
	Household   string           `json:"household"`
	User        string           `json:"user"`
	At          time.Time        `json:"at"`
	Memories    []Memory         `json:"memories"` // yours, including those that were replaced
	Preferences []Preference     `json:"preferences"`
	Snapshots   []MemorySnapshot `json:"snapshots"`
	Summaries   []MemorySummary  `json:"summaries"`
}

// A MemorySnapshot is a note of how things are now, which will change soon.
type MemorySnapshot struct {
	Text      string     `json:"text"`
	Household bool       `json:"household,omitempty"` // everyone at home reads it
	Source    rein.RunID `json:"source,omitempty"`
	At        time.Time  `json:"at"`
	Expires   time.Time  `json:"expires"`
}

// A MemorySummary says what a conversation or a day was about.
type MemorySummary struct {
	Kind  string    `json:"kind"`  // session or day
	About string    `json:"about"` // the session's ID, or the day
	Text  string    `json:"text"`
	From  time.Time `json:"from"`
	At    time.Time `json:"at"` // when it ended
}

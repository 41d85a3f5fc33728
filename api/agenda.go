package api

import "time"

// Agenda is the answer to GET /v1/agenda/events: what happens between two times, by the start.
type Agenda struct {
	Occurrences []AgendaOccurrence `json:"occurrences"`
	Zone        string             `json:"zone"` // of the days and of the wall times of the question
}

// AgendaOccurrence is one time that an event happens.
type AgendaOccurrence struct {
	Event      string    `json:"event"`      // the ID of the event
	Occurrence string    `json:"occurrence"` // names this time of an event that repeats
	Title      string    `json:"title"`
	Place      string    `json:"place,omitempty"`
	Start      time.Time `json:"start"`
	End        time.Time `json:"end"` // of an event that lasts all day: the midnight after its last day
	AllDay     bool      `json:"all_day,omitempty"`
	Free       bool      `json:"free,omitempty"`    // it takes no time
	Repeats    bool      `json:"repeats,omitempty"` // the event happens more than once
	Changed    bool      `json:"changed,omitempty"` // this time differs from the others
	Shared     bool      `json:"shared,omitempty"`  // the household sees it
	User       string    `json:"user"`              // whose event it is
}

// AgendaEvent is something in the agenda of a user.
type AgendaEvent struct {
	ID      string         `json:"id"`
	UID     string         `json:"uid"`  // its name in iCalendar files
	User    string         `json:"user"` // whose it is
	By      string         `json:"by"`   // who made it
	Title   string         `json:"title"`
	Place   string         `json:"place,omitempty"`
	Notes   string         `json:"notes,omitempty"`
	Start   string         `json:"start"` // as a clock in the zone shows it, such as 2026-11-24T09:00; a day if it lasts all day
	End     string         `json:"end"`   // the same; the last day if it lasts all day
	Zone    string         `json:"zone"`
	AllDay  bool           `json:"all_day,omitempty"`
	Free    bool           `json:"free,omitempty"`  // it takes no time
	Rule    string         `json:"rule,omitempty"`  // how it repeats, as RRULE of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU
	Dates   []string       `json:"dates,omitempty"` // when it happens too
	Skips   []string       `json:"skips,omitempty"` // when it does not happen, although the rule says so
	Changes []AgendaChange `json:"changes,omitempty"`
	Alarms  []int          `json:"alarms,omitempty"` // minutes before the start
	Shared  bool           `json:"shared,omitempty"` // the household sees it
	Version string         `json:"version"`          // names what the event says now
	Created time.Time      `json:"created"`
	Updated time.Time      `json:"updated"`
}

// AgendaChange is one time of an event that differs from the others.
type AgendaChange struct {
	Occurrence string `json:"occurrence"` // when it would have been
	Title      string `json:"title"`
	Place      string `json:"place,omitempty"`
	Notes      string `json:"notes,omitempty"`
	Start      string `json:"start"`
	End        string `json:"end"`
	AllDay     bool   `json:"all_day,omitempty"`
}

// NewAgendaEvent is the body of POST /v1/agenda/events.
type NewAgendaEvent struct {
	Title   string `json:"title"`
	Place   string `json:"place,omitempty"`
	Notes   string `json:"notes,omitempty"`
	Start   string `json:"start"`             // like 2026-11-24T09:00, with an offset if you like; a day like 2026-11-24 lasts all day
	End     string `json:"end,omitempty"`     // the same; the last day if it lasts all day. Without it: an hour, or a day
	Minutes int    `json:"minutes,omitempty"` // how long it lasts, in place of an end
	Zone    string `json:"zone,omitempty"`    // empty: that of the settings
	AllDay  bool   `json:"all_day,omitempty"`
	Free    *bool  `json:"free,omitempty"` // it takes no time; without it: true if it lasts all day
	Rule    string `json:"rule,omitempty"` // how it repeats, as RRULE of RFC 5545
	Alarms  []int  `json:"alarms,omitempty"`
	Shared  bool   `json:"shared,omitempty"`
	Key     string `json:"key,omitempty"` // of two events with one key only the first is made, as with the header Idempotency-Key
}

// AgendaEventEdit is the body of PATCH /v1/agenda/events/{id}. What is not there stays.
type AgendaEventEdit struct {
	Scope      string  `json:"scope,omitempty"`      // of an event that repeats: one, following or all
	Occurrence string  `json:"occurrence,omitempty"` // which one is meant, as the list has it
	Version    string  `json:"version,omitempty"`    // refuse the change if the event says something else by now
	Title      *string `json:"title,omitempty"`
	Place      *string `json:"place,omitempty"`
	Notes      *string `json:"notes,omitempty"`
	Start      *string `json:"start,omitempty"`
	End        *string `json:"end,omitempty"`
	Minutes    *int    `json:"minutes,omitempty"`
	Zone       *string `json:"zone,omitempty"`
	AllDay     *bool   `json:"all_day,omitempty"`
	Free       *bool   `json:"free,omitempty"`
	Rule       *string `json:"rule,omitempty"` // empty: it does not repeat any more
	Alarms     *[]int  `json:"alarms,omitempty"`
	Shared     *bool   `json:"shared,omitempty"`
}

// WrittenAgendaEvent is an event after it was made or changed.
type WrittenAgendaEvent struct {
	Event AgendaEvent `json:"event"`
	// Next is the event that continues from the occurrence on which an event was split.
	Next      *AgendaEvent     `json:"next,omitempty"`
	Conflicts []AgendaConflict `json:"conflicts,omitempty"` // the first ones
	Remarks   []string         `json:"remarks,omitempty"`   // such as that the clocks change at its time
}

// AgendaConflict is two events at once.
type AgendaConflict struct {
	At    time.Time        `json:"at"`    // when the event itself begins that time
	Other AgendaOccurrence `json:"other"` // what is there already
}

// AgendaFreeQuery narrows a search for free time.
type AgendaFreeQuery struct {
	From, To         string // such as 2026-11-24
	Minutes          int
	DayStart, DayEnd string   // such as 09:00
	Days             []string // such as mo, tu
	With             []string // members of the household whose shared events count; empty: all of them
	Limit            int
}

// AgendaFree is the answer to GET /v1/agenda/free: the first times that are free.
type AgendaFree struct {
	Free []AgendaSlot `json:"free"`
}

// AgendaSlot is a time that is free.
type AgendaSlot struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// AgendaImport is what became of an iCalendar file.
type AgendaImport struct {
	Added     int                  `json:"added"`
	Updated   int                  `json:"updated"`
	Unchanged int                  `json:"unchanged"`
	Skipped   []SkippedAgendaEvent `json:"skipped,omitempty"`
	Remarks   []string             `json:"remarks,omitempty"`
}

// SkippedAgendaEvent is an event of an iCalendar file that was not taken.
type SkippedAgendaEvent struct {
	UID   string `json:"uid,omitempty"`
	Title string `json:"title,omitempty"`
	Why   string `json:"why"`
}

// AgendaFeed is the address at which other programs read your agenda. Only the answer that makes it has the address.
type AgendaFeed struct {
	URL     string    `json:"url,omitempty"`
	Path    string    `json:"path,omitempty"` // of the URL
	Created time.Time `json:"created"`
}

package api

import "time"

// Lists is the answer to GET /v1/lists: groceries first, then by name. Their items are left out.
type Lists struct {
	Lists []List `json:"lists"`
}

// A List is a list that your household shares, or one of yours alone.
type List struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Groceries bool       `json:"groceries,omitempty"` // it is the household's list of groceries
	Private   bool       `json:"private,omitempty"`   // only you see it
	Maker     string     `json:"maker,omitempty"`     // empty: they were erased
	Left      int        `json:"left"`                // how many items are not done
	Total     int        `json:"total"`
	Version   int64      `json:"version"` // grows with each change of the list or of an item
	Created   time.Time  `json:"created"`
	Changed   time.Time  `json:"changed"`
	Items     []ListItem `json:"items,omitempty"` // in their order
}

// A ListItem is one thing on a list.
type ListItem struct {
	ID       string    `json:"id"`
	Number   int       `json:"number"` // within its list; no other item ever has it
	Text     string    `json:"text"`
	Amount   float64   `json:"amount,omitempty"` // missing: nobody said how much
	Unit     string    `json:"unit,omitempty"`
	Category string    `json:"category,omitempty"`
	By       string    `json:"by"` // who added it
	Added    time.Time `json:"added"`
	DoneBy   string    `json:"done_by,omitempty"`
	Done     time.Time `json:"done,omitzero"` // missing: it is not done
	Version  int64     `json:"version"`
}

// NewList is the body of POST /v1/lists.
type NewList struct {
	Name    string `json:"name"`
	Private bool   `json:"private,omitempty"` // only you see it
	// Key makes the request safe to repeat: the same key works once. The header Idempotency-Key does the same.
	Key string `json:"key,omitempty"`
}

// ChangedList is the body of PATCH /v1/lists/{list}.
type ChangedList struct {
	Name string `json:"name"`
}

// NewListItems is the body of POST /v1/lists/{list}/items.
type NewListItems struct {
	Items []NewListItem `json:"items"` // 1 to 100
	// Key makes the request safe to repeat: the same key works once. The header Idempotency-Key does the same.
	Key string `json:"key,omitempty"`
}

// A NewListItem is something to put on a list. What is on it already, and not done, becomes more of it.
type NewListItem struct {
	Text     string  `json:"text"`
	Amount   float64 `json:"amount,omitempty"`
	Unit     string  `json:"unit,omitempty"`
	Category string  `json:"category,omitempty"`
}

// ChangedListItem is the body of PATCH /v1/lists/{list}/items/{item}. What is missing stays.
type ChangedListItem struct {
	Text     *string  `json:"text,omitempty"`
	Amount   *float64 `json:"amount,omitempty"` // 0: nobody says how much any more
	Unit     *string  `json:"unit,omitempty"`
	Category *string  `json:"category,omitempty"`
	Done     *bool    `json:"done,omitempty"`
	After    *int     `json:"after,omitempty"`   // the number of the item that it goes after; 0: it becomes the first
	Version  int64    `json:"version,omitempty"` // that the item has as far as you know; if it has another one now, nothing is changed (409)
}

package api

import "rein"

// Verdicts is the answer to GET /v1/runs/{id}/verify.
type Verdicts struct {
	Verdicts []Verdict  `json:"verdicts"`       // of the run and, for a tree, of the runs below it
	Next     rein.RunID `json:"next,omitempty"` // pass it as after to get the next page; empty: this is the last one
}

// A Verdict is what a check of one run found: that the chain of its log, its payloads and texts, and what lists
// show of it are what was written.
type Verdict struct {
	Run    rein.RunID `json:"run"`
	Events int64      `json:"events"`           // how many its log has
	Erased int64      `json:"erased,omitempty"` // how many of them were erased; the chain still covers them
	Head   rein.Hash  `json:"head"`             // the hash of the last event, which covers all events before it
	OK     bool       `json:"ok"`
	Wrong  []string   `json:"wrong,omitempty"` // what is wrong
}

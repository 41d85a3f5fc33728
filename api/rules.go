package api

import "rein"

// Rules is the answer to GET /v1/rules: a page of rules, the oldest first.
type Rules struct {
	Rules []rein.Rule `json:"rules"`
	Next  string      `json:"next,omitempty"` // the after of the next page; empty: this is the last one
}

// RuleQuery narrows a list of rules.
type RuleQuery struct {
	User      string // only rules for the runs of this user
	Workspace string // only rules of this workspace
	Revoked   bool   // list revoked rules too
}

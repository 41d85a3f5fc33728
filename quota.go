package rein

import "time"

// A Quota is what a user or a household has used, or may use.
type Quota struct {
	Driven int64 `json:"driven"` // active runs: neither ended nor waiting
	Frames int64 `json:"frames"` // runs started and messages sent by people, per hour
	Bytes  int64 `json:"bytes"`  // logs, files of sessions, staged notes, and the history of committed notes
	Tokens int64 `json:"tokens"` // per day, used and reserved
	Micros int64 `json:"micros"` // per day, used and reserved, in millionths of the currency unit
}

// QuotaParts names the parts of a Quota, in the order of its fields, as errors do in their Dim.
var QuotaParts = [...]string{"driven", "frames", "bytes", "day_tokens", "day_micros"}

// Parts returns the quota as a vector.
func (q Quota) Parts() [len(QuotaParts)]int64 {
	return [...]int64{q.Driven, q.Frames, q.Bytes, q.Tokens, q.Micros}
}

// Plus returns q + r.
func (q Quota) Plus(r Quota) Quota {
	return Quota{q.Driven + r.Driven, q.Frames + r.Frames, q.Bytes + r.Bytes, q.Tokens + r.Tokens, q.Micros + r.Micros}
}

// An Account shows the limits of a user, or of a household as a whole, and what is used of them.
type Account struct {
	Household string    `json:"household"`
	User      string    `json:"user,omitempty"` // empty: the household, with all its users
	Role      UserRole  `json:"role,omitempty"` // of the user, if it is what limits their money
	Used      Quota     `json:"used"`
	Most      Quota     `json:"most"`      // 0 in a field: no limit
	NextHour  time.Time `json:"next_hour"` // when the count of frames starts again
	NextDay   time.Time `json:"next_day"`  // when the counts of tokens and money start again: midnight UTC
}

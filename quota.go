package rein

import "time"

// A Quota is what a user or a household uses, or may use.
type Quota struct {
	Driven int64 `json:"driven"` // runs under way: neither ended nor waiting
	Frames int64 `json:"frames"` // runs started and messages sent by people, in an hour
	Bytes  int64 `json:"bytes"`  // logs, files of sessions, staged notes and what commits of notes keep
	Tokens int64 `json:"tokens"` // in a day, spent and reserved
	Micros int64 `json:"micros"` // likewise, in millionths of the currency unit
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

// An Account is what a user, or a household as a whole, uses of what it may.
type Account struct {
	Household string    `json:"household"`
	User      string    `json:"user,omitempty"` // empty: the household, with all its users
	Used      Quota     `json:"used"`
	Most      Quota     `json:"most"`      // zero parts: no limit
	NextHour  time.Time `json:"next_hour"` // when frames count from zero again
	NextDay   time.Time `json:"next_day"`  // when tokens and money do: midnight UTC
}

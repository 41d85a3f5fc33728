package anthropic

import (
	"net/http"
	"strconv"
	"time"

	"rein"
)

// paceOf reads the limits out of an answer's headers; nil if there are none.
func paceOf(h http.Header, now time.Time) *rein.Pace {
	now = serverTime(h, now)
	p := &rein.Pace{
		Requests: allowance(h, "requests", now),
		Tokens:   tokens(allowance(h, "tokens", now), allowance(h, "input-tokens", now), allowance(h, "output-tokens", now)),
	}
	if *p == (rein.Pace{}) {
		return nil
	}
	return p
}

// serverTime is when the answer was sent. Resets are times by the provider's clock, not by ours.
func serverTime(h http.Header, now time.Time) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return now
}

func allowance(h http.Header, of string, now time.Time) rein.Allowance {
	var a rein.Allowance
	prefix := "Anthropic-Ratelimit-" + of + "-"
	if n, err := strconv.ParseInt(h.Get(prefix+"Limit"), 10, 64); err == nil {
		a.Limit = max(n, 0)
	}
	if n, err := strconv.ParseInt(h.Get(prefix+"Remaining"), 10, 64); err == nil {
		a.Left, a.Known = max(n, 0), true
	}
	if t, err := time.Parse(time.RFC3339, h.Get(prefix+"Reset")); err == nil {
		a.Reset = max(t.Sub(now), 0)
	}
	return a
}

// tokens puts the three counts of tokens into one. The common one is the sum of the other two where
// both are told, so where it is missing the sum stands for it. But each of the two has a limit of its
// own: while one of them is used up, nothing is left.
func tokens(all, in, out rein.Allowance) rein.Allowance {
	if all == (rein.Allowance{}) {
		all = rein.Allowance{
			Limit: in.Limit + out.Limit, Left: in.Left + out.Left,
			Known: in.Known || out.Known, Reset: max(in.Reset, out.Reset),
		}
	}
	for _, part := range []rein.Allowance{in, out} {
		if part.Known && part.Left == 0 && part.Limit > 0 {
			all.Left, all.Known, all.Reset = 0, true, max(all.Reset, part.Reset)
		}
	}
	return all
}

// retryAfter reads how long to wait; zero if the server does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 24 * time.Hour
	wait := time.Duration(0)
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		wait = scaled(ms, time.Millisecond, most)
	} else if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil {
		wait = scaled(s, time.Second, most)
	} else if t, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		wait = t.Sub(serverTime(h, now))
	}
	return min(max(wait, 0), most)
}

// scaled keeps odd numbers (NaN, infinite, negative) within bounds.
func scaled(n float64, unit, most time.Duration) time.Duration {
	switch limit := float64(most) / float64(unit); {
	case n > limit:
		return most
	case n > 0:
		return time.Duration(n * float64(unit))
	}
	return 0
}

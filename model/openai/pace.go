package openai

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rein"
)

// A limit header is made of a beginning, what it says (limit, remaining, reset) and what of. Each
// kind has its spellings, the most telling first; those of a window with a known length need no reset.
type spelling struct {
	before, after string
	window        time.Duration
}

var (
	requestSpellings = []spelling{
		{"x-ratelimit-", "-requests", 0},
		{"x-ratelimit-", "-requests-minute", time.Minute},
		{"x-ratelimit-", "-req-minute", time.Minute},
		{"x-ratelimit-", "-req-10-second", 10 * time.Second},
		{"x-ratelimit-", "-requests-hour", time.Hour},
		{"x-ratelimit-", "-requests-day", 24 * time.Hour},
		{"x-ratelimit-", "", 0},
		{"ratelimit-", "", 0},
	}
	tokenSpellings = []spelling{
		{"x-ratelimit-", "-tokens", 0},
		{"x-ratelimit-", "-tokens-minute", time.Minute},
		{"x-ratelimit-", "-tokens-hour", time.Hour},
		{"x-ratelimit-", "-tokens-day", 24 * time.Hour},
		{"x-tokenlimit-", "", 0},
	}
)

// paceOf reads what a provider allows from now on; nil if it says nothing.
func paceOf(h http.Header, now time.Time) *rein.Pace {
	if !hasLimits(h) {
		return nil
	}
	p := rein.Pace{Requests: allowance(h, requestSpellings, "requests", now), Tokens: allowance(h, tokenSpellings, "tokens", now)}
	if p == (rein.Pace{}) {
		return nil
	}
	return &p
}

// hasLimits reports whether a header has one of the spellings at all: looking for each of them costs more than the
// rest of a short reply.
func hasLimits(h http.Header) bool {
	for name := range h {
		if strings.Contains(name, "limit-") { // as http.Header writes it: X-Ratelimit-Limit-Requests
			return true
		}
	}
	return false
}

func allowance(h http.Header, spellings []spelling, what string, now time.Time) (a rein.Allowance) {
	for _, s := range spellings {
		limit, hasLimit := count(h.Get(s.before + "limit" + s.after))
		left, hasLeft := count(h.Get(s.before + "remaining" + s.after))
		if !hasLimit && !hasLeft {
			continue
		}
		a.Limit, a.Left, a.Known, a.Reset = limit, left, hasLeft, s.window
		if reset, ok := waitOf(h.Get(s.before+"reset"+s.after), now); ok {
			a.Reset = reset
		} else if period, ok := waitOf(h.Get(s.before+"renewalperiod-"+what), now); ok { // Azure
			a.Reset = period
		}
		return a
	}
	return a
}

// count reads a number that is not negative. Some say it as a fraction.
func count(s string) (int64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0) || f > 1e15 {
		return 0, false
	}
	return int64(f), true
}

// longestWait is where a wait that a header asks for is no longer believed.
const longestWait = 31 * 24 * time.Hour

// waitOf reads how long to wait in any of the shapes that servers use: 6m0s, 12ms, 1.5, 1d2h, a time
// of the Unix clock in seconds or milliseconds, a date.
func waitOf(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case math.IsNaN(f) || math.IsInf(f, 0):
			return 0, false
		case f > 1e14:
			return 0, false
		case f > 1e11:
			return sane(time.UnixMilli(int64(f)).Sub(now)), true
		case f > 1e8:
			return sane(time.Unix(int64(f), 0).Sub(now)), true
		}
		return sane(time.Duration(f * float64(time.Second))), true
	}
	if d, ok := spanOf(s); ok {
		return sane(d), true
	}
	for _, layout := range []string{http.TimeFormat, time.RFC3339, time.RFC1123Z, time.RFC850, time.ANSIC} {
		if t, err := time.Parse(layout, s); err == nil {
			return sane(t.Sub(now)), true
		}
	}
	return 0, false
}

// spanOf reads a duration that may have days.
func spanOf(s string) (time.Duration, bool) {
	var days time.Duration
	if before, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseFloat(before, 64)
		if err != nil || !(math.Abs(n) < 1e4) {
			return 0, false
		}
		days = time.Duration(n * 24 * float64(time.Hour))
		if s = after; s == "" {
			return days, true
		}
	}
	d, err := time.ParseDuration(s)
	return days + d, err == nil
}

func sane(d time.Duration) time.Duration { return min(max(d, 0), longestWait) }

var inWords = regexp.MustCompile(`(?i)(?:again|retry) in ((?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+)`)

// retryAfter is how long to wait before the next try, as the provider says: in its own header, in
// words, or by when its window is whole again.
func retryAfter(h http.Header, message string, pace *rein.Pace, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("retry-after-ms")), 64); err == nil && ms > 0 && ms < 1e12 {
		return sane(time.Duration(ms * float64(time.Millisecond)))
	}
	if d, ok := waitOf(h.Get("retry-after"), now); ok {
		return d
	}
	if found := inWords.FindStringSubmatch(message); found != nil {
		if d, err := time.ParseDuration(found[1]); err == nil {
			return sane(d)
		}
	}
	var wait time.Duration
	if pace != nil {
		for _, a := range []rein.Allowance{pace.Requests, pace.Tokens} {
			if a.Known && a.Left == 0 {
				wait = max(wait, a.Reset)
			}
		}
	}
	return wait
}

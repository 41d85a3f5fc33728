package openai

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Covers: SD-71 SD-74
func TestWaits(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"6m0s": 6 * time.Minute, "1s": time.Second, "12ms": 12 * time.Millisecond, "7.66s": 7660 * time.Millisecond, "1m26.4s": 86400 * time.Millisecond,
		"1d2h": 26 * time.Hour, "2d": 48 * time.Hour, "0": 0, "3": 3 * time.Second, "1.5": 1500 * time.Millisecond, " 2 ": 2 * time.Second,
		"1772366410": 10 * time.Second, "1772366410000": 10 * time.Second, "1772366399": 0, "-4": 0,
		"Sun, 01 Mar 2026 12:00:20 GMT": 20 * time.Second, "2026-03-01T12:01:00Z": time.Minute, "999999999": 0,
	} {
		got, ok := waitOf(in, noon)
		if !ok || got != want {
			t.Errorf("waitOf(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "soon", "NaN", "+Inf", "1e300", "d", "1x", "xd1h"} {
		if got, ok := waitOf(in, noon); ok {
			t.Errorf("waitOf(%q) = %v; want none", in, got)
		}
	}
	if got, _ := waitOf("99999h", noon); got != longestWait {
		t.Errorf("a wait of years is %v", got)
	}
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

// Covers: SD-71
func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		header http.Header
		want   *rein.Pace
	}{
		"nothing": {header("content-type", "x"), nil},
		"openai": {
			header("x-ratelimit-limit-requests", "60", "x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1s", "x-ratelimit-limit-tokens", "150000", "x-ratelimit-remaining-tokens", "149984", "x-ratelimit-reset-tokens", "6m0s"),
			&rein.Pace{Requests: rein.Allowance{Limit: 60, Known: true, Reset: time.Second}, Tokens: rein.Allowance{Limit: 150000, Left: 149984, Known: true, Reset: 6 * time.Minute}},
		},
		"azure": {
			header("x-ratelimit-remaining-tokens", "10", "x-ratelimit-renewalperiod-tokens", "60"),
			&rein.Pace{Tokens: rein.Allowance{Left: 10, Known: true, Reset: time.Minute}},
		},
		"mistral": {
			header("x-ratelimit-limit-req-minute", "360", "x-ratelimit-remaining-req-minute", "359", "x-ratelimit-limit-tokens-minute", "200000", "x-ratelimit-remaining-tokens-minute", "199743", "x-ratelimit-limit-tokens-month", "5"),
			&rein.Pace{Requests: rein.Allowance{Limit: 360, Left: 359, Known: true, Reset: time.Minute}, Tokens: rein.Allowance{Limit: 200000, Left: 199743, Known: true, Reset: time.Minute}},
		},
		"openrouter": {
			header("x-ratelimit-limit", "20", "x-ratelimit-remaining", "3", "x-ratelimit-reset", "1772366410000"),
			&rein.Pace{Requests: rein.Allowance{Limit: 20, Left: 3, Known: true, Reset: 10 * time.Second}},
		},
		"rubbish": {header("x-ratelimit-limit-requests", "many", "x-ratelimit-remaining-tokens", "-1"), nil},
	} {
		if diff := cmp.Diff(c.want, paceOf(c.header, noon)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Covers: SD-74
func TestRetryAfter(t *testing.T) {
	empty := &rein.Pace{Requests: rein.Allowance{Known: true, Reset: 9 * time.Second}}
	for name, c := range map[string]struct {
		header  http.Header
		message string
		pace    *rein.Pace
		want    time.Duration
	}{
		"milliseconds first": {header("retry-after-ms", "250", "retry-after", "1"), "", nil, 250 * time.Millisecond},
		"seconds":            {header("retry-after", "13"), "", empty, 13 * time.Second},
		"date":               {header("retry-after", "Sun, 01 Mar 2026 12:00:20 GMT"), "", nil, 20 * time.Second},
		"zero ms is nothing": {header("retry-after-ms", "0", "retry-after", "2"), "", nil, 2 * time.Second},
		"words":              {nil, "Rate limit reached. Please try again in 1m7.66s.", nil, 67660 * time.Millisecond},
		"empty window":       {nil, "", empty, 9 * time.Second},
		"nothing":            {nil, "", nil, 0},
	} {
		if got := retryAfter(c.header, c.message, c.pace, noon); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

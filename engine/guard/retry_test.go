package guard_test

import (
	"math"
	"testing"
	"time"

	"rein"
	"rein/engine/guard"
)

// Covers: SD-74
func TestRetryDecidesByCodeTriesAndTime(t *testing.T) {
	const s = time.Second
	failed := func(code rein.Code, after time.Duration) *rein.Error {
		return &rein.Error{Code: code, Msg: "no", RetryAfter: after}
	}
	over, limited := failed(rein.CodeOverloaded, 0), failed(rein.CodeRateLimited, 0)
	for _, tc := range []struct {
		name    string
		err     *rein.Error
		try     int
		elapsed time.Duration
		jitter  float64
		wait    time.Duration
		again   bool
	}{
		{"no error", nil, 1, 0, 1, 0, false},
		{"first", over, 1, 0, 1, s / 2, true},
		{"half the jitter", over, 1, 0, 0.5, s / 4, true},
		{"no jitter", over, 1, 0, 0, 0, true},
		{"second", limited, 2, s, 1, s, true},
		{"third", limited, 3, s, 1, 2 * s, true},
		{"fourth", over, 4, s, 1, 4 * s, true},
		{"fifth was the last", over, 5, s, 1, 0, false},
		{"time is over", over, 1, 2 * time.Minute, 1, 0, false},
		{"time would be over", over, 4, 117 * s, 1, 0, false},
		{"time would not be over", over, 4, 117 * s, 0.25, s, true},
		{"a strange count", over, -7, 0, 1, s / 2, true},
		{"jitter too large", over, 1, 0, 40, s / 2, true},
		{"jitter below zero", over, 1, 0, -1, 0, true},
		{"jitter not a number", over, 1, 0, math.NaN(), 0, true},

		{"asked to wait", failed(rein.CodeRateLimited, 20*s), 1, 0, 0, 20 * s, true},
		{"never sooner, a little later", failed(rein.CodeRateLimited, 20*s), 1, 0, 1, 20*s + s/2, true},
		{"asked for longer than our own time", failed(rein.CodeOverloaded, 9*time.Minute), 1, 100 * s, 0, 9 * time.Minute, true},
		{"asked for the most", failed(rein.CodeRateLimited, 10*time.Minute), 1, 0, 0, 10 * time.Minute, true},
		{"asked for too long", failed(rein.CodeRateLimited, 10*time.Minute+1), 1, 0, 0, 10*time.Minute + 1, false},
		{"asked, but tried enough", failed(rein.CodeRateLimited, s), 5, 0, 0, 0, false},
	} {
		if wait, again := guard.Retry(tc.err, tc.try, tc.elapsed, tc.jitter); wait != tc.wait || again != tc.again {
			t.Errorf("%s: Retry = %v, %t; want %v, %t", tc.name, wait, again, tc.wait, tc.again)
		}
	}
}

func TestRetryNeverRepeatsWhatWouldFailAgain(t *testing.T) {
	for _, code := range []rein.Code{
		rein.CodeProvider, rein.CodeInvalid, rein.CodeUnauthorized, rein.CodeTooLong, rein.CodeForbidden,
		rein.CodeTimeout, rein.CodeNotFound, rein.CodeBudget, rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted,
		rein.CodeInterrupted, rein.CodeUnknown, rein.CodeInternal, "",
	} {
		err := &rein.Error{Code: code, RetryAfter: time.Second}
		if wait, again := guard.Retry(err, 1, 0, 1); wait != 0 || again {
			t.Errorf("code %q: Retry = %v, %t; want none", code, wait, again)
		}
	}
}

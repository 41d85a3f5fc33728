package guard

import (
	"time"

	"rein"
)

// What Retry allows.
const (
	maxTries      = 5
	maxRetrying   = 2 * time.Minute
	firstBackoff  = 500 * time.Millisecond
	maxBackoff    = 30 * time.Second
	maxRetryAfter = 10 * time.Minute
)

// Retry decides whether a model call that has failed is worth another try, and when. try is how
// often it was tried, this one included; elapsed is how long the tries took and the waits between
// them, without what a provider or the limiter asked for; jitter, of 0 to 1, spreads the waits of
// calls that failed together.
//
// A provider that says when to come back is not asked sooner. If that is too far away, the call is
// not tried again, and the wait says when it could be.
func Retry(err *rein.Error, try int, elapsed time.Duration, jitter float64) (wait time.Duration, again bool) {
	if err == nil || !isPassing(err) {
		return 0, false
	}
	if err.RetryAfter > maxRetryAfter {
		return err.RetryAfter, false
	}
	if try >= maxTries || elapsed >= maxRetrying {
		return 0, false
	}
	if !(jitter > 0) { // also if it is not a number
		jitter = 0
	}
	jitter = min(jitter, 1)
	if err.RetryAfter > 0 {
		return err.RetryAfter + time.Duration(jitter*float64(firstBackoff)), true
	}
	backoff := min(firstBackoff<<max(try-1, 0), maxBackoff)
	wait = time.Duration(jitter * float64(backoff))
	if elapsed+wait >= maxRetrying {
		return 0, false
	}
	return wait, true
}

// isPassing reports whether the reason for a failure may go away by itself. A call that took too
// long is none: it would again, and may have been paid for.
func isPassing(err *rein.Error) bool {
	return err.Code == rein.CodeOverloaded || err.Code == rein.CodeUnreachable || err.Code == rein.CodeRateLimited
}

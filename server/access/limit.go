package access

import (
	"math"
	"sync"
	"time"

	"rein"
)

// A Rate is how many requests are accepted: PerSecond on average, and Burst at once.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits bound what one sender can do. Zero means the default that each comment gives.
type Limits struct {
	User       Rate // per user, with all their credentials: 100 a second, 400 at once
	Credential Rate // per token or browser: 50 a second, 200 at once
	Stranger   Rate // without a credential, per address: 10 a second, 60 at once
	File       Rate // for files that are the same for everybody, without a credential, per address: 100 a second, 600 at once
	Failure    Rate // with an invalid credential, per address: one in 6 s, 10 at once

	Open         int   // open requests of a user, including sockets: 2048
	OpenAll      int   // open requests of all users together: 16384
	HeaderBytes  int   // request line and headers together: 32 KiB
	HeaderFields int   // 100
	BodyBytes    int64 // 32 MiB; a handler may allow less
}

func (l Limits) complete() Limits {
	for _, d := range []struct {
		rate *Rate
		def  Rate
	}{{&l.User, Rate{100, 400}}, {&l.Credential, Rate{50, 200}}, {&l.Stranger, Rate{10, 60}}, {&l.File, Rate{100, 600}}, {&l.Failure, Rate{1. / 6, 10}}} {
		if d.rate.PerSecond <= 0 || d.rate.Burst <= 0 {
			*d.rate = d.def
		}
	}
	if l.Open <= 0 {
		l.Open = 2048
	}
	if l.OpenAll <= 0 {
		l.OpenAll = 16384
	}
	if l.HeaderBytes <= 0 {
		l.HeaderBytes = 32 << 10
	}
	if l.HeaderFields <= 0 {
		l.HeaderFields = 100
	}
	if l.BodyBytes <= 0 {
		l.BodyBytes = 32 << 20
	}
	return l
}

// maxKeys is how many senders a limiter knows at once. Those beyond them share what one may have, so
// that someone with many addresses neither fills the memory nor takes what others have.
const maxKeys = 10_000

// A limiter is a bucket per key. It keeps of each when it will be full again; one that is full is as
// one that is not known.
type limiter struct {
	every time.Duration // one request
	room  time.Duration // what a full bucket is worth

	mu    sync.Mutex
	full  map[string]time.Time
	swept time.Time
}

func newLimiter(r Rate) *limiter {
	every := time.Duration(float64(time.Second) / r.PerSecond)
	return &limiter{every: every, room: every * time.Duration(r.Burst), full: map[string]time.Time{}}
}

// take takes one request from the bucket of a key, or says when there will be one.
func (l *limiter) take(key string, now time.Time, what string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key = l.bucket(key, now)
	full, wait := l.after(key, now)
	if wait > 0 {
		return tooOften(what, wait)
	}
	l.full[key] = full
	return nil
}

// after returns when a bucket is full again if one more request is taken from it, and how long that
// request has to wait.
func (l *limiter) after(key string, now time.Time) (full time.Time, wait time.Duration) {
	full = l.full[key]
	if full.Before(now) {
		full = now
	}
	full = full.Add(l.every)
	return full, full.Sub(now) - l.room
}

func tooOften(what string, wait time.Duration) error {
	err := rein.Errorf(rein.CodeRateLimited, "too many requests %s: wait %d s", what, int(math.Ceil(wait.Seconds())))
	err.RetryAfter = wait
	return err
}

// others is the bucket of those who came when there were too many.
const others = ""

// bucket returns the key under which a sender is counted.
func (l *limiter) bucket(key string, now time.Time) string {
	if _, known := l.full[key]; known || len(l.full) < maxKeys {
		return key
	}
	if now.Sub(l.swept) >= time.Second { // looking at all of them takes a while
		l.swept = now
		for k, full := range l.full {
			if !full.After(now) {
				delete(l.full, k)
			}
		}
	}
	if len(l.full) < maxKeys {
		return key
	}
	return others
}

package telegram

import (
	"sync"
	"time"
)

// A limiter bounds what is done for those whom the bot does not know: by chat, and in all. It forgets when a process ends.
type limiter struct {
	most, mostOfAll int
	span            time.Duration

	mu    sync.Mutex
	since time.Time
	all   int
	chats map[int64]int
}

// allows counts one more, and reports whether that is not too many.
func (l *limiter) allows(chat int64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.chats == nil || now.Sub(l.since) >= l.span || now.Before(l.since) {
		l.since, l.all, l.chats = now, 0, map[int64]int{}
	}
	if l.chats[chat] >= l.most || l.all >= l.mostOfAll {
		return false
	}
	l.all++
	l.chats[chat]++
	return true
}

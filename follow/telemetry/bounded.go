package telemetry

import "sync"

// other stands for every name beyond those that there is room for, and for names that only a model
// made up.
const other = "other"

// maxNames is how many values a label takes.
const maxNames = 100

// bounded lets the first names through and calls the rest "other", so that nobody can make a metric
// grow without end.
type bounded struct {
	mu    sync.Mutex
	names map[string]bool
}

func (b *bounded) name(s string) string {
	if s == "" || s == other || len(s) > 128 {
		return other
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.names[s]:
	case len(b.names) >= maxNames:
		return other
	case b.names == nil:
		b.names = map[string]bool{s: true}
	default:
		b.names[s] = true
	}
	return s
}

package python

import (
	"fmt"
	"strings"
	"sync"
)

// logs are what the code prints: shown as it comes, and kept as far as there is room.
type logs struct {
	say func(string)

	mu   sync.Mutex
	head []byte
	tail []byte
	gone int // how many bytes between them were not kept
}

// keep is how much of the beginning and of the end is kept.
const keep = 32 << 10

// Write implements io.Writer.
func (l *logs) Write(p []byte) (int, error) {
	if l.say != nil {
		l.say(string(p))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := p
	if room := keep - len(l.head); room > 0 {
		n := min(room, len(rest))
		l.head, rest = append(l.head, rest[:n]...), rest[n:]
	}
	l.tail = append(l.tail, rest...)
	if more := len(l.tail) - keep; more > 0 {
		l.gone += more
		l.tail = append(l.tail[:0], l.tail[more:]...)
	}
	return len(p), nil
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	between := ""
	if l.gone > 0 {
		between = fmt.Sprintf("\n[… %d bytes left out …]\n", l.gone)
	}
	return strings.ToValidUTF8(string(l.head)+between+string(l.tail), "\uFFFD")
}

// after is an error with what was printed before it.
func (l *logs) after(err error) error {
	if printed := strings.TrimRight(l.String(), "\n"); printed != "" {
		return fmt.Errorf("%w\n\nPrinted before that:\n%s", err, printed)
	}
	return err
}

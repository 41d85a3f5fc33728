package shell

import (
	"fmt"
	"strings"
	"sync"
)

// An output keeps the beginning and the end of what a command writes, and shows all of it as it comes.
type output struct {
	say func(string)

	mu      sync.Mutex
	head    []byte
	tail    []byte // a ring once it is full
	next    int    // where the ring goes on
	written int64
}

// keepEnd is how much of the beginning, and how much of the end, is kept of a long output. Together they are less than a
// log keeps of one text.
const keepEnd = 512 << 10

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	o.keep(b)
	o.mu.Unlock()
	if o.say != nil {
		o.say(string(b))
	}
	return len(b), nil
}

func (o *output) keep(b []byte) {
	o.written += int64(len(b))
	n := min(len(b), keepEnd-len(o.head))
	o.head = append(o.head, b[:n]...)
	if b = b[n:]; len(b) > keepEnd {
		b = b[len(b)-keepEnd:]
	}
	n = min(len(b), keepEnd-len(o.tail))
	o.tail = append(o.tail, b[:n]...)
	for b = b[n:]; len(b) > 0; b = b[n:] {
		n = copy(o.tail[o.next:], b)
		o.next = (o.next + n) % keepEnd
	}
}

func (o *output) total() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// text is the whole output, or its ends. They are cut between words: of a secret that is cut in two
// nobody would know what it is.
func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.written == 0 {
		return "[no output]"
	}
	head, tail := string(o.head), string(o.tail[o.next:])+string(o.tail[:o.next])
	if o.written == int64(len(head)+len(tail)) {
		return head + tail
	}
	if i := strings.LastIndexAny(head, "\n "); i >= 0 {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, "\n "); i >= 0 {
		tail = tail[i+1:]
	}
	return fmt.Sprintf("%s\n[… %d bytes of output were not kept …]\n%s", head, o.written-int64(len(head)+len(tail)), tail)
}

package sent

import (
	"slices"

	"rein"
)

// A Transcript is a request that is kept in the Talk of its run as far as it will not change. The next request of the
// talk is written behind that, so that each message is written once.
type Transcript struct {
	Body
	Read   int      // so many messages are in what is kept
	Called []string // the tools that the messages called, each once
	head   int      // the request before its first message has so many bytes
	end    int      // what is kept ends there
}

// maxKept is the longest request that is kept. A longer one is written again.
const maxKept = 4 << 20

// Learn adds the tools that messages call which were not read before.
func (t *Transcript) Learn(messages []rein.Message) {
	for i := range messages[t.Read:] {
		for _, c := range messages[t.Read+i].Calls {
			if !slices.Contains(t.Called, c.Name) {
				t.Called = append(t.Called, c.Name)
			}
		}
	}
}

// Forget drops what is kept.
func (t *Transcript) Forget() { t.Read, t.head, t.end = 0, 0, 0 }

// Open goes back to what is kept. head comes before it, and room is how many bytes are going to follow it.
func (t *Transcript) Open(head []byte, room int) {
	kept := t.Data[t.head:t.end]
	if t.end > 0 && string(t.Data[:t.head]) == string(head) {
		t.Data = t.Data[:t.end]
	} else {
		t.Data = append(append(make([]byte, 0, len(head)+len(kept)+room), head...), kept...)
	}
	t.head, t.end = len(head), len(t.Data)
}

// Next writes a comma if a message comes before this place.
func (t *Transcript) Next() {
	if len(t.Data) > t.head {
		t.Data = append(t.Data, ',')
	}
}

// Hold keeps what is written by now, which is so many messages.
func (t *Transcript) Hold(read int) { t.Read, t.end = read, len(t.Data) }

// IsKept reports whether the transcript is worth keeping for the next request, and nobody reads it any more.
func (t *Transcript) IsKept() bool { return t.Read > 0 && len(t.Data) <= maxKept && t.IsFree() }

package wire

import (
	"bytes"
	"net/http"
	"time"
)

// A Stream writes a text/event-stream. Each method reports whether someone still reads.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// NewStream makes the answer a text/event-stream. Nothing is sent yet.
func NewStream(w http.ResponseWriter) *Stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold it back
	return &Stream{w, http.NewResponseController(w)}
}

// A Message is one of a text/event-stream. Empty parts are left out; the data is sent as JSON.
type Message struct {
	ID    string
	Event string
	Data  any
}

// Send writes messages at once.
func (s *Stream) Send(messages ...Message) bool { return s.send("", messages) }

// send writes what stands before the messages, and them.
func (s *Stream) send(before string, messages []Message) bool {
	var b bytes.Buffer
	b.WriteString(before)
	for _, m := range messages {
		if m.ID != "" {
			b.WriteString("id: " + m.ID + "\n")
		}
		if m.Event != "" {
			b.WriteString("event: " + m.Event + "\n")
		}
		b.WriteString("data: ")
		if encode(&b, m.Data) != nil { // it ends with a line feed
			return false
		}
		b.WriteString("\n")
	}
	return s.write(b.Bytes())
}

// Beat says that the connection is alive.
func (s *Stream) Beat() bool { return s.write([]byte(": nothing new\n\n")) }

// Begin says how long a browser waits before it connects again and, if there is an ID, where it is then:
// one that is cut off before the first message comes back to the same place. The first messages may follow
// at once.
func (s *Stream) Begin(id string, first ...Message) bool {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.send("retry: 1000\n"+id+"\n", first)
}

func (s *Stream) write(text []byte) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(MaxWrite)) // in process there is none
	if _, err := s.w.Write(text); err != nil {
		return false
	}
	return s.control.Flush() == nil
}

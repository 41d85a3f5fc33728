package wire

import (
	"bytes"
	"net/http"
	"sync"
	"time"

	"rein/api"
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

// Send writes messages at once, behind those that are queued.
func (s *Stream) Send(messages ...Message) bool {
	return s.Queue(messages...) && s.control.Flush() == nil
}

// Queue writes messages that leave with the next ones that are sent.
func (s *Stream) Queue(messages ...Message) bool { return s.queue("", messages) }

// buffers are for what is written at once. Large ones are not kept.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const maxBuffer = 32 << 10

// queue writes what stands before the messages, and them.
func (s *Stream) queue(before string, messages []Message) bool {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b.Cap() <= maxBuffer {
			buffers.Put(b)
		}
	}()
	b.WriteString(before)
	for _, m := range messages {
		if m.ID != "" {
			b.WriteString("id: " + m.ID + "\n")
		}
		if m.Event != "" {
			b.WriteString("event: " + m.Event + "\n")
		}
		b.WriteString("data: ")
		if !s.data(b, m.Data) {
			return false
		}
		b.WriteString("\n")
	}
	return s.write(b.Bytes())
}

// data writes JSON, with a line feed behind it. A large payload of an event is sent from where it is, after what is in
// the buffer: many may follow one run.
func (s *Stream) data(b *bytes.Buffer, value any) bool {
	line, ok := value.(*api.Line)
	if !ok || line.Event == nil || len(line.Event.Data) == 0 || bytes.IndexByte(line.Event.Data, '\n') >= 0 {
		return encode(b, value) == nil
	}
	begin, bare, event := b.Len(), *line, *line.Event
	event.Data, bare.Event = nil, &event
	if encode(b, &bare) != nil {
		return false
	}
	at := begin + bytes.LastIndex(b.Bytes()[begin:], []byte(`"hash":`)) // which comes after the payload
	rest := bytes.Clone(b.Bytes()[at:])
	b.Truncate(at)
	b.WriteString(`"data":`)
	if len(line.Event.Data) < maxBuffer {
		b.Write(line.Event.Data)
	} else {
		if !s.write(b.Bytes()) || !s.write(line.Event.Data) {
			return false
		}
		b.Reset()
	}
	b.WriteByte(',')
	b.Write(rest)
	return true
}

// Beat says that the connection is alive.
func (s *Stream) Beat() bool {
	return s.write([]byte(": nothing new\n\n")) && s.control.Flush() == nil
}

// Begin says how long a browser waits before it connects again and, if there is an ID, where it is then:
// one that is cut off before the first message comes back to the same place.
func (s *Stream) Begin(id string) bool {
	return s.QueueBegin(id) && s.control.Flush() == nil
}

// QueueBegin is Begin with messages that leave with the next ones that are sent.
func (s *Stream) QueueBegin(id string, first ...Message) bool {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.queue("retry: 1000\n"+id+"\n", first)
}

func (s *Stream) write(text []byte) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(MaxWrite)) // in process there is none
	_, err := s.w.Write(text)
	return err == nil
}

package chaos

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"rein/api"
)

// A streamer is the smallest client of a text/event-stream: of where it was it knows the last id only.
type streamer struct {
	line       *line
	token, run string
	last       string
}

func (s *streamer) connect(ctx context.Context, w *witness) {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.line.address()+"/v1/runs/"+s.run+"/events", nil)
	if err != nil {
		w.garbled(err)
		return
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Accept", "text/event-stream")
	if s.last != "" {
		r.Header.Set("Last-Event-ID", s.last)
	}
	answer, err := fresh().RoundTrip(r)
	if err != nil {
		w.broke(false)
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		w.broke(false)
		return
	}
	s.read(answer.Body, w)
}

// read takes messages until the connection ends. One that has no end does not count.
func (s *streamer) read(body io.Reader, w *witness) {
	lines := bufio.NewReader(body)
	for fields := map[string]string{}; ; {
		text, err := lines.ReadString('\n')
		if err != nil {
			w.broke(text != "" || len(fields) > 0)
			return
		}
		text = strings.TrimSuffix(text, "\n")
		if name, value, _ := strings.Cut(text, ": "); text != "" {
			fields[name] = value
			continue
		}
		if id := fields["id"]; id != "" {
			s.last = id
		}
		f, err := frameOf(fields)
		if err != nil {
			w.garbled(err)
			return
		}
		if !take(f, w) {
			return
		}
		fields = map[string]string{}
	}
}

// frameOf reads a message as what a socket would have brought.
func frameOf(fields map[string]string) (api.Frame, error) {
	f := api.Frame{Type: fields["event"]}
	var into any = &f.Line
	if f.Type == api.StreamError {
		into = &f.Problem
	}
	if f.Type == api.StreamEnd || f.Type == "" {
		return f, nil
	}
	return f, json.Unmarshal([]byte(fields["data"]), into)
}

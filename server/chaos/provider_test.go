package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A provider is somebody else's model. It writes word by word, and each time that it is asked the same
// thing it writes something else, so that two answers glued together would show.
type provider struct {
	*httptest.Server
	// before is called before each word, and the word waits for it.
	before func(*http.Request, place)
	// asked is called when a call comes in.
	asked func(place)

	mu    sync.Mutex
	calls map[string]int // by job and round
}

// A place is where the provider is in a job: the call is how often it was asked for the round.
type place struct {
	job               string
	round, call, word int
}

// begin is how the text of a call begins.
func (p place) begin() string { return p.ofRound() + fmt.Sprintf("call %d: ", p.call) }

func (p place) ofRound() string { return fmt.Sprintf("%s round %d ", p.job, p.round) }

// request is what is read of a call.
type request struct {
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	} `json:"messages"`
}

// A job is a task of some rounds; each ends with a tool call, the one after them with the answer.
func job(name string, rounds, words int) string {
	return fmt.Sprintf("job %s rounds %d words %d", name, rounds, words)
}

var jobText = regexp.MustCompile(`job (\w+) rounds (\d+) words (\d+)`)

func newProvider(t *testing.T) *provider {
	p := &provider{calls: map[string]int{}, before: func(*http.Request, place) {}, asked: func(place) {}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	at, rounds, words, ok := read(q)
	if !ok {
		http.Error(w, "no job", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	p.calls[at.ofRound()]++
	at.call = p.calls[at.ofRound()]
	p.mu.Unlock()
	p.asked(at)
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) bool {
		chunk, _ := json.Marshal(map[string]any{
			"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "slow",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		})
		fmt.Fprintf(w, "data: %s\n\n", chunk)
		return http.NewResponseController(w).Flush() == nil && r.Context().Err() == nil
	}
	if !send(map[string]any{"role": "assistant", "content": at.begin()}, nil) {
		return
	}
	for at.word = range words {
		p.before(r, at)
		if !send(map[string]any{"content": fmt.Sprintf("wörd%d 漢 ", at.word)}, nil) {
			return
		}
	}
	if at.round <= rounds {
		send(map[string]any{"tool_calls": []any{map[string]any{
			"index": 0, "id": fmt.Sprintf("t%d", at.round), "type": "function",
			"function": map[string]any{"name": "list_directory", "arguments": fmt.Sprintf(`{"path":"d%d"}`, at.round)},
		}}}, nil)
		send(map[string]any{}, "tool_calls")
	} else {
		send(map[string]any{"content": "."}, "stop")
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// read finds out which round of which job is asked for.
func read(q request) (at place, rounds, words int, ok bool) {
	at.round = 1
	for _, m := range q.Messages {
		if m.Role == "tool" {
			at.round++
		}
		text, _ := json.Marshal(m.Content)
		if found := jobText.FindStringSubmatch(string(text)); m.Role == "user" && found != nil {
			at.job, ok = found[1], true
			rounds, _ = strconv.Atoi(found[2])
			words, _ = strconv.Atoi(found[3])
		}
	}
	return at, rounds, words, ok
}

// asks is how often the provider was asked for the round of a text.
func (p *provider) asks(text string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for round, n := range p.calls {
		if strings.HasPrefix(text, round) {
			return n
		}
	}
	return 0
}

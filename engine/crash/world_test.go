package crash

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// A world is what tools act on. It lives in the test's process, outlives every child, and counts.
type world struct {
	*httptest.Server

	mu       sync.Mutex
	effects  map[string]int             // by tool and key
	keys     map[string]map[string]bool // the keys that one call was made with
	calls    int                        // of models
	repeated []string                   // calls of models whose answer was durable already
	open     map[net.Conn]bool
	changed  *sync.Cond // a connection was opened or closed
}

func newWorld(t *testing.T) *world {
	w := &world{effects: map[string]int{}, keys: map[string]map[string]bool{}, open: map[net.Conn]bool{}}
	w.changed = sync.NewCond(&w.mu)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /do", w.do)
	mux.HandleFunc("GET /check", w.check)
	mux.HandleFunc("POST /model", w.model)
	w.Server = httptest.NewUnstartedServer(mux)
	w.Config.ConnState = w.connection
	w.Start()
	t.Cleanup(w.Close)
	return w
}

// do counts an effect.
func (w *world) do(_ http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	tool, key, call := q.Get("tool"), q.Get("key"), q.Get("call")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.effects[tool+" "+key]++
	if w.keys[tool+" "+call] == nil {
		w.keys[tool+" "+call] = map[string]bool{}
	}
	w.keys[tool+" "+call][key] = true
}

// check tells how often an effect happened.
func (w *world) check(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprint(rw, w.effects[q.Get("tool")+" "+q.Get("key")])
}

// model counts a model call. The child knows whether its step's end was durable before.
func (w *world) model(_ http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if q.Get("recorded") == "true" {
		w.repeated = append(w.repeated, q.Get("run")+" step "+q.Get("step"))
	}
}

func (w *world) connection(c net.Conn, s http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch s {
	case http.StateNew:
		w.open[c] = true
	case http.StateClosed, http.StateHijacked:
		delete(w.open, c)
	}
	w.changed.Broadcast()
}

// settle waits until everything that a dead process sent has been counted: its connections are gone.
func (w *world) settle() error {
	late := false
	timer := time.AfterFunc(patience, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.changed.Broadcast()
	})
	defer timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.open) > 0 && !late {
		w.changed.Wait()
	}
	if late {
		return fmt.Errorf("%d connections of a dead process are still open", len(w.open))
	}
	return nil
}

// report adds what the world saw to a result.
func (w *world) report(r *result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(r.effects, w.effects)
	r.repeated = append(r.repeated, w.repeated...)
	for call, keys := range w.keys {
		if len(keys) > 1 {
			r.doubled = append(r.doubled, fmt.Sprintf("%s was made under %d keys", call, len(keys)))
		}
	}
}

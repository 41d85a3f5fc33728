package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
)

// asMember returns the house as a member of it sees it.
func (s *house) asMember() *house {
	s.Helper()
	s.ok("users", "add", "ann", "member")
	m := *s
	m.token = s.ok("tokens", "new", "ann", "--user", "ann")
	return &m
}

// newRun is the body of a start.
func newRun(text string, change func(*rein.Task)) api.NewRun {
	task := rein.Task{Messages: []rein.Message{{Role: rein.User, Text: text}}}
	if change != nil {
		change(&task)
	}
	return api.NewRun{Task: task}
}

// post starts a run and returns the status and the problem, if there is one.
func (s *house) post(body api.NewRun) (int, api.Problem) {
	data, err := json.Marshal(body)
	s.check(err)
	r, err := http.NewRequest("POST", s.url+"/v1/runs", strings.NewReader(string(data)))
	s.check(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	answer, err := s.client.Do(r)
	s.check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	s.check(err)
	var p api.Problem
	_ = json.Unmarshal(text, &p)
	return answer.StatusCode, p
}

// countRuns returns how many runs a user has.
func (s *house) countRuns(user string) (n int) {
	s.Helper()
	for line := range strings.SplitSeq(s.ok("runs", "--all", "--json"), "\n") {
		var run struct{ User string }
		if json.Unmarshal([]byte(line), &run) == nil && run.User == user {
			n++
		}
	}
	return n
}

// A member who asks for more than the household allows in any dimension of a budget gets nothing, with
// the settings as they are shipped.
//
// Attack: 74
func TestServeCeiling(t *testing.T) {
	t.Parallel()
	m := newHome(t, "").serve().withToken().asMember()
	for i, name := range rein.Dimensions {
		status, problem := m.post(newRun("Hi.", func(task *rein.Task) {
			parts := rein.DefaultBudget().Parts()
			parts[i] = rein.MaxBudget().Parts()[i]
			task.Budget = &rein.Budget{Amount: rein.AmountOf(parts), Depth: 2}
		}))
		if status != http.StatusBadRequest || problem.Code != rein.CodeInvalid || !strings.Contains(problem.Detail, name) {
			t.Errorf("%s: %d %+v", name, status, problem)
		}
	}
	if status, problem := m.post(newRun("Hi.", func(task *rein.Task) {
		budget := rein.DefaultBudget()
		budget.Micros *= 2
		task.Budget = &budget
	})); status != http.StatusCreated {
		t.Errorf("twice the usual: %d %+v", status, problem)
	}
}

// A member's 5,000 starts in a loop, over HTTP and over a socket, come to what an hour allows; the owner
// notices nothing. After a crash the hour is what it was.
//
// Attack: 31
func TestServeStartsInALoop(t *testing.T) {
	t.Parallel()
	const most = 40
	h := newHome(t, fmt.Sprintf("[limits.user]\nframes = %d\n", most))
	s := h.serve().withToken()
	m := s.asMember()
	var started, limited, slowed atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 5000 / 8 {
				switch status, problem := m.post(newRun("Hi.", nil)); {
				case status == http.StatusCreated:
					started.Add(1)
				case status == http.StatusTooManyRequests && problem.Code == rein.CodeQuota:
					if limited.Add(1) == 1 && (problem.Dim != "frames" || !strings.Contains(problem.Detail, "user ann") || !strings.Contains(problem.Detail, "40 is the most")) {
						t.Errorf("the answer is %+v", problem)
					}
				case status == http.StatusTooManyRequests && problem.Code == rein.CodeRateLimited:
					slowed.Add(1)
				default:
					t.Errorf("%d %+v", status, problem)
				}
			}
		})
	}
	wait.Wait()
	if started.Load() != most || limited.Load() == 0 {
		t.Errorf("%d of 5,000 runs were started, %d refused by the limit and %d by the rate", started.Load(), limited.Load(), slowed.Load())
	}
	s.finished(s.start("Hi.").ID)

	m.token = s.ok("tokens", "new", "ann", "--user", "ann") // the loop has used up what the other may send for the moment
	d := m.dialogue("")
	d.says(`{"type":"chat","content":"Hi."}`)
	if all := d.hears("error"); !strings.Contains(all, "40 is the most") || !strings.Contains(all, "rate_limit") {
		t.Errorf("the socket says %s", all)
	}
	s.check(s.cmd.Process.Signal(syscall.SIGKILL))
	_ = s.ended()
	again := h.serve()
	again.token, m.url = s.token, again.url
	if status, problem := m.post(newRun("Hi.", nil)); status != http.StatusTooManyRequests || problem.Dim != "frames" {
		t.Errorf("after a crash: %d %+v", status, problem)
	}
	again.finished(again.start("Hi.").ID)
	if n := again.countRuns("ann"); n != most {
		t.Errorf("ann has %d runs", n)
	}
}

// Frames of a socket are read no faster than requests are taken, whatever the client sends, with the
// settings as they are shipped.
//
// Attack: 31
func TestServeFramesArePaced(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	d := s.asMember().dialogue("")
	const stop = `{"type":"agent_control","action":"stop"}` // there is nothing to stop, and each frame is answered so
	go func() {
		for range 5000 {
			if d.conn.Write(context.Background(), websocket.MessageText, []byte(stop)) != nil {
				return
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	began, answered := time.Now(), 0
	for answered < 5000 {
		if _, _, err := d.conn.Read(ctx); err != nil {
			break
		}
		answered++
	}
	if most := 200 + int(50*time.Since(began).Seconds()) + 1; answered > most || answered < 200 {
		t.Errorf("%d frames were answered in %s; the rate allows %d", answered, time.Since(began), most)
	}
	s.finished(s.start("Hi.").ID)
}

// vectors is a server that makes vectors of three numbers.
func vectors(t *testing.T) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			http.Error(w, `{"error":"no"}`, http.StatusBadRequest)
			return
		}
		data := []string{}
		for i := range in.Input {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,2,3]}`, i))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// The vectors of notes count for the household's day. Where it does not reach, notes are found by words
// and nothing is sent.
func TestServeVectorsCount(t *testing.T) {
	t.Parallel()
	url := vectors(t)
	settings := func(most int) string {
		return fmt.Sprintf("[limits.household]\nday_tokens = %d\n[models.notes]\nkind = \"openai\"\nmodel = \"small\"\nbase_url = %q\nkey_env = \"HOME\"\n", most, url)
	}
	h := newHome(t, settings(1_000_000))
	h.env = append(h.env, "REIN_EMBEDDER=notes", "REIN_VAULT="+h.dir+"/vault")
	h.write("vault/moons.md", "# Moons\n\nJupiter has moons. "+strings.Repeat("They are large. ", 40))
	s := h.serve().withToken()
	used := func() (n int64) {
		var limits api.Limits
		s.read("/v1/limits", &limits)
		return limits.Accounts[0].Used.Tokens
	}
	for deadline := time.Now().Add(30 * time.Second); used() < 50; {
		if time.Now().After(deadline) {
			t.Fatalf("%d tokens count for the vectors", used())
		}
	}
	if before := used(); before > 5000 {
		t.Errorf("%d tokens count, which is more than there are", before)
	}
	s.end(syscall.SIGTERM)

	h = newHome(t, settings(10))
	h.env = append(h.env, "REIN_EMBEDDER=notes", "REIN_VAULT="+h.dir+"/vault")
	h.write("vault/moons.md", "# Moons\n\nJupiter has moons.")
	s = h.serve().withToken()
	if used() != 0 {
		t.Errorf("%d tokens count for nothing", used())
	}
	if text := s.call(http.StatusOK, "GET", "/v1/notes/search?q=moons", nil); !strings.Contains(text, "moons.md") {
		t.Errorf("the notes are not found: %s", text)
	}
	if !strings.Contains(s.errors.String(), "day's tokens of household home") {
		t.Errorf("it does not say why there are no vectors:\n%s", s.errors)
	}
}

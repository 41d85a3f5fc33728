package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// A greedyProvider has a model that answers the owner at once and never anybody whose prompt has "never answer".
type greedyProvider struct {
	url  string
	came chan struct{} // one for each call that hangs

	mu       sync.Mutex
	answered int
	hanging  int
}

func newGreedyProvider(t *testing.T) *greedyProvider {
	p := &greedyProvider{came: make(chan struct{}, 10_000)}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	p.url = server.URL
	return p
}

func (p *greedyProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if strings.Contains(string(body), "never answer") {
		p.count(&p.hanging, 1)
		defer p.count(&p.hanging, -1)
		p.came <- struct{}{}
		<-r.Context().Done()
		return
	}
	p.count(&p.answered, 1)
	for _, of := range []string{"requests", "tokens"} { // it tells its limits, as providers do
		w.Header().Set("x-ratelimit-limit-"+of, "100000000")
		w.Header().Set("x-ratelimit-remaining-"+of, "100000000")
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Done.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

func (p *greedyProvider) count(what *int, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*what += n
}

func (p *greedyProvider) read(what *int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *what
}

// untilHanging waits for so many calls that hang.
func (p *greedyProvider) untilHanging(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case <-p.came:
		case <-time.After(time.Minute):
			t.Fatalf("%d calls hang, want %d", p.read(&p.hanging), n)
		}
	}
}

func (p *greedyProvider) settings() string {
	return fmt.Sprintf("[models.real]\nkind = \"openai\"\nmodel = \"gpt-5\"\nbase_url = %q\nkey_env = \"HOME\"\n", p.url)
}

// A member starts as many runs as he may, of a model that never answers him. The owner's runs come to
// their end meanwhile: with the settings as they are shipped, and where so few calls may be under way that
// the member's would fill them.
//
// Attack: 73
func TestServeMemberWhoTakesEverything(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		more string
		most int // calls of the member
	}{
		"as shipped":       {"", 64},
		"few calls":        {"[limits]\ncalls = 8\nall_calls = 100\n", 6},
		"few calls in all": {"[limits]\nall_calls = 8\n", 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newGreedyProvider(t)
			h := newHome(t, tc.more+p.settings())
			h.env = append(h.env, "REIN_MODEL=real")
			s := h.serve().withToken()
			s.finished(s.start("Hi.").ID) // now the limits of the provider are known
			m := s.asMember()
			refused := 0
			for n := range 80 {
				switch status, problem := m.post(newRun(fmt.Sprint("never answer ", n), nil)); {
				case status == http.StatusTooManyRequests && problem.Code == rein.CodeQuota:
					refused++
				case status != http.StatusCreated:
					t.Fatalf("%d %+v", status, problem)
				}
			}
			if refused != 16 {
				t.Errorf("%d of 80 runs were refused, want all but the 64 that a user may have under way", refused)
			}
			p.untilHanging(t, tc.most)
			for n := range 3 {
				if end := s.finished(s.start("Hi.").ID); end.Status != "done" {
					t.Fatalf("the owner's run %d ended as %s", n, end.Status)
				}
				if hanging, answered := p.read(&p.hanging), p.read(&p.answered); hanging != tc.most || answered != n+2 {
					t.Errorf("%d calls of the member were sent when call %d of the owner was, want %d", hanging, answered, tc.most)
				}
			}
			checkTold(s, tc.most)
			var limits api.Limits
			s.read("/v1/limits", &limits)
			for _, calls := range limits.Calls {
				if calls.User == "ann" && (calls.UnderWay != tc.most || calls.Waiting != 64-tc.most) {
					t.Errorf("the limits say %+v", calls)
				}
			}
			if len(limits.Calls) < 3 || limits.Calls[0].UnderWay != tc.most {
				t.Errorf("the limits say %+v", limits.Calls)
			}
		})
	}
}

// checkTold looks for the member's calls in the metrics and in what the doctor says.
func checkTold(s *house, most int) {
	s.Helper()
	metrics := s.call(http.StatusOK, "GET", "/metrics", nil)
	for _, want := range []string{
		fmt.Sprintf("rein_model_calls_in_flight %d\n", most),
		fmt.Sprintf("rein_model_calls_queued %d\n", 64-most),
	} {
		if !strings.Contains(metrics, "\n"+want) {
			s.Errorf("no %s in the metrics", want)
		}
	}
	says := fmt.Sprintf("%d of ", most)
	if most < 64 {
		says = fmt.Sprintf("ann of home has %d running and %d waiting", most, 64-most)
	}
	if out, _, _ := s.rein("doctor"); !strings.Contains(out, " calls  ") || !strings.Contains(out, says) {
		s.Errorf("the doctor does not say %q:\n%s", says, out)
	}
}

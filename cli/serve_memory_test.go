package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
	"rein/internal/labs"
)

// memoryBound is the most that a server may ever have in memory (its resident set, with the program's own
// 60 MB), whatever a member does.
const memoryBound = 280 << 20

// mostHanging is how many of the member's runs are driven at once: 25 with texts of 0.9 MB would fill what one
// user gets of the places.
const mostHanging = 26

// A member sends all that the server takes of him: forks of a run with a long text, runs with texts of 0.9 and
// 3.9 MB whose calls hang, files of 10 MB which he reads back slowly, sockets and streams that he does not
// read, searches. The memory of the server stays bounded, which is the program as it is shipped, and the
// owner's runs come to their end.
//
// Plain: it is about the memory of another process, which is built without the race detector anyway.
//
// Attack: 23 32 72 73
func TestServeMemoryIsBounded(t *testing.T) {
	labs.Only(t)
	if runtime.GOOS != "linux" {
		t.Skip("the highest memory of another process is read from /proc")
	}
	p := newGreedyProvider(t)
	h := newHome(t, "[telemetry]\nmetrics = true\n"+p.settings())
	h.patience = 5 * time.Minute
	h.env = append(h.env, "REIN_MODEL=real", "REIN_FLOW=answer", "REIN_VAULT="+h.dir+"/vault", "GOMEMLIMIT=", "GOGC=")
	for n := range 100 {
		h.write(fmt.Sprintf("vault/%d.md", n), "# Moons\n\n"+strings.Repeat(fmt.Sprintf("Jupiter has moon %d. ", n), 100))
	}
	program := filepath.Join(h.dir, "rein")
	h.check(os.Remove(program))
	if out, err := exec.Command("go", "build", "-race=false", "-o", program, "rein/cmd/rein").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	s := h.serve().withToken()
	s.finished(s.start("Hi.").ID) // now the limits of the provider are known
	g := greed{s.asMember(), s}
	g.step("at rest", func() {})
	g.step("forks", g.forks)
	g.step("runs", g.runs)
	p.untilHanging(t, 8)
	g.step("files", g.files)
	g.step("files that are read slowly", g.slowReads)
	g.step("streams and sockets", g.follow)
	g.step("searches", g.search)
	// All the steps before have taken long: whatever could be driven is driven by now.
	hanging := p.read(&p.hanging)
	t.Logf("%d calls of the member hang", hanging)
	if hanging > mostHanging {
		t.Errorf("%d calls of the member hang, want at most %d: his runs take places by their size", hanging, mostHanging)
	}
	g.step("the owner's runs", func() {
		for range 3 {
			if end := s.finished(s.start("Hi.").ID); end.Status != "done" {
				t.Fatalf("the owner's run ended as %s", end.Status)
			}
		}
	})
}

// greed is what a member does who takes everything.
type greed struct {
	*house
	owner *house
}

// step does something and looks at what the memory of the server was at most so far.
func (g greed) step(name string, do func()) {
	g.Helper()
	began := time.Now()
	do()
	highest := g.resident("VmHWM:")
	g.Logf("%s: at most %d MB; now %d MB, of which the program's file has %d; Go has %d MB in use; after %s",
		name, highest>>20, g.resident("VmRSS:")>>20, g.resident("RssFile:")>>20, g.heap()>>20, time.Since(began).Round(time.Millisecond))
	if highest > memoryBound {
		g.Errorf("after %s the server has taken %d MB, want at most %d MB", name, highest>>20, memoryBound>>20)
	}
}

// resident reads a line of what the system says about the server's memory, in bytes.
func (g greed) resident(line string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.cmd.Process.Pid))
	g.check(err)
	_, rest, _ := strings.Cut(string(data), line)
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	g.check(err)
	return kb << 10
}

// heap is what the server says of its own memory, in bytes.
func (g greed) heap() int {
	_, rest, _ := strings.Cut(g.owner.call(http.StatusOK, "GET", "/metrics", nil), "\ngo_memstats_heap_inuse_bytes ")
	bytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	g.check(err)
	return int(bytes)
}

// send makes a request that may well be refused, and returns the answer with its body unread.
func (g greed) send(method, path string, body io.Reader, length int64) (*http.Response, error) {
	r, err := http.NewRequest(method, g.url+path, body)
	if err != nil {
		return nil, err
	}
	r.ContentLength = length
	r.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(path, "/events") {
		r.Header.Set("Accept", "text/event-stream")
	}
	r.Header.Set("Authorization", "Bearer "+g.token)
	return g.client.Do(r)
}

// every does something n times, some at once, and tells which statuses it got.
func (g greed) every(n, atOnce int, do func(n int) (*http.Response, error)) map[int]int {
	var wait sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	next := make(chan int)
	for range atOnce {
		wait.Go(func() {
			for n := range next {
				answer, err := do(n)
				if err != nil {
					continue // it may well close the connection
				}
				said, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				mu.Lock()
				if statuses[answer.StatusCode]++; statuses[answer.StatusCode] == 1 && answer.StatusCode >= 300 {
					g.Logf("%s: %s", answer.Status, said)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	g.Logf("the answers were %v", statuses)
	return statuses
}

// longText is one that the model never answers, or does.
func longText(length int, never bool) string {
	begin := "Answer. "
	if never {
		begin = "never answer "
	}
	return begin + strings.Repeat("A word. ", length/8)
}

// startLong asks for a run of the member's, with a budget that takes a long text.
func (g greed) startLong(text string, change func(*rein.Task)) (*http.Response, error) {
	body, err := json.Marshal(newRun(text, func(t *rein.Task) {
		budget := rein.DefaultBudget()
		budget.Tokens = 20_000_000
		t.Budget = &budget
		if change != nil {
			change(t)
		}
	}))
	if err != nil {
		return nil, err
	}
	return g.send("POST", "/v1/runs", bytes.NewReader(body), int64(len(body)))
}

// forks lets a run with a long text end, and then goes its way many times.
func (g greed) forks() {
	answer, err := g.startLong(longText(900_000, false), nil)
	g.check(err)
	var first api.Started
	g.check(json.NewDecoder(answer.Body).Decode(&first))
	answer.Body.Close()
	stream, err := g.send("GET", "/v1/runs/"+string(first.ID)+"/events", nil, 0)
	g.check(err)
	_, err = io.Copy(io.Discard, stream.Body) // it ends with the run
	g.check(err)
	stream.Body.Close()
	var end api.Run
	if g.read("/v1/runs/"+string(first.ID), &end); end.Status != "done" {
		g.Fatalf("the run that is to be forked ended as %s", end.Status)
	}
	statuses := g.every(24, 12, func(n int) (*http.Response, error) {
		return g.startLong("Go on.", func(t *rein.Task) { t.Fork = &rein.Fork{Run: first.ID, Step: "1"} })
	})
	if statuses[http.StatusCreated] == 0 {
		g.Error("no fork was taken")
	}
}

// runs starts more runs with long texts, whose calls hang, than may be driven at once.
func (g greed) runs() {
	statuses := g.every(46, 12, func(n int) (*http.Response, error) {
		length := 900_000
		if n%8 == 7 {
			length = 3_900_000
		}
		return g.startLong(longText(length, true), nil)
	})
	if statuses[http.StatusCreated] < 32 { // more than may be driven at once
		g.Errorf("%d runs were taken", statuses[http.StatusCreated])
	}
}

const bigFile = 10 << 20

func (g greed) files() {
	big := bytes.Repeat([]byte("0123456789abcdef"), bigFile/16)
	g.every(16, 16, func(n int) (*http.Response, error) {
		path := fmt.Sprintf("/v1/sessions/files%d/files/big%d", n/8, n%8)
		return g.send("PUT", path, io.MultiReader(strings.NewReader(fmt.Sprintf("%08d", n)), bytes.NewReader(big[8:])), bigFile)
	})
}

// slowReads asks for files and reads nothing of them.
func (g greed) slowReads() {
	where, err := url.Parse(g.url)
	g.check(err)
	for n := range 32 {
		conn, err := net.Dial("tcp", where.Host)
		g.check(err)
		g.Cleanup(func() { conn.Close() })
		_, err = fmt.Fprintf(conn, "GET /v1/sessions/files0/files/big%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", n%8, where.Host, g.token)
		g.check(err)
		first := make([]byte, 12)
		g.check(conn.SetReadDeadline(time.Now().Add(30 * time.Second)))
		if _, err := io.ReadFull(conn, first); err != nil {
			g.Logf("slow reader %d: %v", n, err)
			return
		}
		if n == 0 {
			g.Logf("the first slow reader gets %s", first)
		}
	}
}

// follow opens streams and sockets and never reads them.
func (g greed) follow() {
	var runs struct {
		Runs []struct{ ID rein.RunID } `json:"runs"`
	}
	g.read("/v1/runs?limit=1", &runs)
	ctx, cancel := context.WithCancel(context.Background())
	g.Cleanup(cancel)
	opened := 0
	for range 40 {
		conn, _, err := websocket.Dial(ctx, g.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + g.token}}})
		if err == nil {
			g.Cleanup(func() { _ = conn.CloseNow() })
			opened++
		}
		r, err := http.NewRequestWithContext(ctx, "GET", g.url+"/v1/runs/"+string(runs.Runs[0].ID)+"/events", nil)
		g.check(err)
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Authorization", "Bearer "+g.token)
		if answer, err := g.client.Do(r); err == nil {
			g.Cleanup(func() { answer.Body.Close() })
			if answer.StatusCode == http.StatusOK {
				opened++
			}
		}
	}
	g.Logf("%d streams and sockets are open", opened)
}

func (g greed) search() {
	g.every(24, 12, func(n int) (*http.Response, error) {
		q := url.Values{"q": {fmt.Sprint("moon ", n, strings.Repeat(" jupiter", 100))}, "k": {"100"}}
		return g.send("GET", "/v1/notes/search?"+q.Encode(), nil, 0)
	})
}

package openai

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
)

// An exchange is one recorded answer of a real server, with what the official SDKs make of it.
type exchange struct {
	Src, File, API, Host string
	I, Status            int
	Stream               bool
	Feat                 []string
	Headers              map[string][]string
	Request              json.RawMessage
	Response             string
	want                 *expectation
}

type expectation struct {
	ID, API, Verdict, Text, Stop string
	K, Status                    int
	Stream                       bool
	Tools                        []struct {
		Name string
		Args json.RawMessage
	}
}

// trafficDir returns the folder of recordings beside the repository, or "" if it is not there.
func trafficDir(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(filepath.Dir(dir), "shared", "data", "provider-traffic")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// traffic returns recorded exchanges of the two APIs; without the recordings, our own few.
func traffic(t *testing.T) []*exchange {
	dir := trafficDir(t)
	if dir == "" {
		t.Log("no recorded traffic beside the repository: testing with the built-in exchanges")
		return builtin()
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", dir, err)
	}
	tapes := map[string][]*exchange{}
	for _, name := range files {
		for line := range lines(t, name) {
			e := new(exchange)
			if err := json.Unmarshal(line, e); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			id := tapeID(e.Src, e.File)
			tapes[id] = append(tapes[id], e)
		}
	}
	for _, tape := range tapes {
		slices.SortStableFunc(tape, func(a, b *exchange) int { return a.I - b.I })
	}
	return expected(t, dir, tapes)
}

func expected(t *testing.T, dir string, tapes map[string][]*exchange) []*exchange {
	var out []*exchange
	absent := 0
	for line := range lines(t, filepath.Join(dir, "expected.json-lines")) {
		x := new(expectation)
		if err := json.Unmarshal(line, x); err != nil {
			t.Fatal(err)
		}
		if x.API != chatAPI && x.API != responsesAPI {
			continue
		}
		tape := tapes[x.ID]
		if x.K >= len(tape) || tape[x.K].Status != x.Status || tape[x.K].Stream != x.Stream || tape[x.K].API != x.API {
			absent++ // expected of an exchange that is not among the recordings
			continue
		}
		e := tape[x.K]
		e.want = x
		out = append(out, e)
	}
	t.Logf("%d recorded exchanges; %d expectations without a recording", len(out), absent)
	return out
}

func tapeID(src, file string) string {
	sum := sha256.Sum256([]byte(src + "/" + file))
	return hex.EncodeToString(sum[:6])
}

func lines(t *testing.T, name string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s := bufio.NewScanner(f)
		s.Buffer(make([]byte, 1<<20), 1<<26)
		for s.Scan() {
			if !yield(s.Bytes()) {
				return
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
	}
}

// request is a prompt whose answer the exchange could be.
func (e *exchange) request() rein.ModelRequest {
	r := rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Hello"}}}}
	if e.want != nil {
		for _, tool := range e.want.Tools {
			r.Offered = append(r.Offered, rein.Tool{Name: tool.Name})
		}
	}
	return r
}

func (e *exchange) options(base string) Options {
	o := Options{Model: "m", Key: "sk-test-0123456789", BaseURL: base, API: Chat}
	if e.API == responsesAPI {
		o.API = Responses
	}
	return o
}

// stops maps the providers' words for an end of its own to ours.
var stops = map[string]rein.Stop{"length": rein.StopLength, "content_filter": rein.StopFilter}

// differs says how a reply is not what was expected, or nothing.
func (e *exchange) differs(got rein.ModelReply) string {
	msg, want := got.Message, e.want
	isRefusal := msg.Stop == rein.StopRefusal && want.Text == "" && slices.Contains(e.Feat, "refusal")
	switch {
	case msg.Text != want.Text && !isRefusal:
		return "text is " + quoteShort(msg.Text) + ", not " + quoteShort(want.Text)
	case len(msg.Calls) != len(want.Tools):
		return "other calls"
	case msg.Stop != stops[want.Stop] && msg.Stop != rein.StopRefusal:
		return "stop is " + string(msg.Stop) + ", not " + want.Stop
	}
	for i, c := range msg.Calls {
		if c.Name != want.Tools[i].Name || !sameArgs(c.Args, want.Tools[i].Args) {
			return "call " + c.Name + string(c.Args) + ", not " + want.Tools[i].Name + string(want.Tools[i].Args)
		}
		if c.ID == "" {
			return "call without an ID"
		}
	}
	return ""
}

func quoteShort(s string) string {
	q, _ := json.Marshal(s)
	if len(q) > 300 {
		q = append(q[:300], "…"...)
	}
	return string(q)
}

// sameArgs compares arguments as JSON. Those that are not JSON are expected as a string.
func sameArgs(got, want json.RawMessage) bool {
	var a, b any
	if json.Unmarshal(want, &b) != nil {
		return false
	}
	if json.Unmarshal(got, &a) != nil {
		text, ok := b.(string)
		return ok && text == string(got)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// lastEvent returns where the last event of a stream begins.
func (e *exchange) lastEvent() int {
	body := strings.TrimRight(e.Response, "\r\n ")
	if !e.Stream {
		return len(body) - 1
	}
	return max(strings.LastIndex(body, "data:"), 1)
}

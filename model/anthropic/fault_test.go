package anthropic_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/model/anthropic"
)

const jsonType, sseType = "application/json", "text/event-stream"

func refusal(status int, kind, message string, headers ...string) exchange {
	x := exchange{Status: status, Headers: map[string][]string{"content-type": {jsonType}}}
	x.Response = fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, kind, message)
	for i := 0; i+1 < len(headers); i += 2 {
		x.Headers[headers[i]] = []string{headers[i+1]}
	}
	return x
}

// Covers: SD-19
// Attack: 64
func TestFaults(t *testing.T) {
	const began = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
	within := func(data string) exchange {
		return exchange{Status: 200, Stream: true, Headers: map[string][]string{"content-type": {sseType}}, Response: began + data}
	}
	other := func(status int, kind, body string) exchange {
		return exchange{Status: status, Headers: map[string][]string{"content-type": {kind}}, Response: body}
	}
	for _, c := range []struct {
		name string
		x    exchange
		code rein.Code
		says string
	}{
		{"529", refusal(529, "overloaded_error", "Overloaded"), rein.CodeOverloaded, "Overloaded; try again later"},
		{"500", refusal(500, "api_error", "Oops"), rein.CodeOverloaded, "Oops"},
		{"502 of a proxy", other(502, "text/html", "<html>"), rein.CodeOverloaded, "502 Bad Gateway"},
		{"408", refusal(408, "", ""), rein.CodeOverloaded, "408"},
		{"409", refusal(409, "", ""), rein.CodeOverloaded, "409"},
		{"429", refusal(429, "rate_limit_error", "Too fast"), rein.CodeRateLimited, "Too fast"},
		{"401", refusal(401, "authentication_error", "bad key k-secret"), rein.CodeUnauthorized, "bad key (key); check the key"},
		{"403", refusal(403, "permission_error", "no"), rein.CodeUnauthorized, "no"},
		{"404", refusal(404, "not_found_error", "model: x"), rein.CodeProvider, "check the name of the model (claude-sonnet-4-5)"},
		{"413", refusal(413, "request_too_large", "big"), rein.CodeTooLong, "big; shorten"},
		{"too long", refusal(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), rein.CodeTooLong, "210000"},
		{"too long with the reply", refusal(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 1 + 2 > 2"), rein.CodeTooLong, "exceed"},
		{"400", refusal(400, "invalid_request_error", "messages: no"), rein.CodeInvalid, "messages: no"},
		{"no money", refusal(400, "invalid_request_error", "Your credit balance is too low"), rein.CodeProvider, "credit"},
		{"another server's error", other(400, jsonType, `{"error":"what?"}`), rein.CodeInvalid, "what?"},
		{"redirect", other(307, "text/html", ""), rein.CodeProvider, "307"},
		{"not our API", other(200, "text/html", "<html>"), rein.CodeProvider, "check the base URL"},
		{"other JSON", other(200, jsonType, `{"ok":true}`), rein.CodeProvider, "check the base URL"},
		{"cut JSON", other(200, jsonType, `{"content":[`), rein.CodeOverloaded, "connection was lost"},
		{"overloaded within", within("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"), rein.CodeOverloaded, "Overloaded"},
		{"limited within", within("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}\n\n"), rein.CodeRateLimited, "slow"},
		{"refused within", within("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long\"}}\n\n"), rein.CodeTooLong, "too long"},
		{"odd within", within("event: error\ndata: what\n\n"), rein.CodeOverloaded, "try again"},
		{"ended", within(""), rein.CodeOverloaded, "connection was lost"},
		{"not JSON within", within("event: content_block_start\ndata: {\"ty\n\n"), rein.CodeOverloaded, "connection was lost"},
		{"a block that is not there", within("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"), rein.CodeProvider, "not a message"},
		{"no block", within("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0}\n\n"), rein.CodeProvider, "not a message"},
		{"no beginning", exchange{Status: 200, Stream: true, Headers: map[string][]string{"content-type": {sseType}}, Response: "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"}, rein.CodeProvider, "not a message"},
	} {
		p := newPlayer(t)
		p.load(-1, c.x)
		_, _, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), c.x.Stream)
		if rein.CodeOf(err) != c.code || clean(err, true) != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s %v", c.name, rein.CodeOf(err), err)
		}
		if n := len(p.sent()); n != 1 {
			t.Errorf("%s: sent %d times", c.name, n)
		}
	}
}

// Covers: SD-71 SD-74
func TestPace(t *testing.T) {
	const date = "Wed, 19 Aug 2026 14:34:00 GMT"
	limit := func(of, limit, left, reset string) []string {
		p := "anthropic-ratelimit-" + of
		return []string{p + "-limit", limit, p + "-remaining", left, p + "-reset", reset}
	}
	join := func(lists ...[]string) []string {
		all := []string{"date", date}
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	requests := limit("requests", "50", "49", "2026-08-19T14:34:02Z")
	in := limit("input-tokens", "400", "300", "2026-08-19T14:34:05Z")
	for _, c := range []struct {
		name    string
		headers []string
		wait    time.Duration
		pace    *rein.Pace
	}{
		{"none", nil, 0, nil},
		{"requests", join(requests, []string{"retry-after", "7"}), 7 * time.Second, &rein.Pace{Requests: rein.Allowance{Limit: 50, Left: 49, Known: true, Reset: 2 * time.Second}}},
		{"in and out", join(in, limit("output-tokens", "80", "70", "2026-08-19T14:34:09Z")), 0, &rein.Pace{Tokens: rein.Allowance{Limit: 480, Left: 370, Known: true, Reset: 9 * time.Second}}},
		{"all three", join(in, limit("tokens", "480", "100", "2026-08-19T14:34:01+00:00")), 0, &rein.Pace{Tokens: rein.Allowance{Limit: 480, Left: 100, Known: true, Reset: time.Second}}},
		{"one used up", join(limit("tokens", "480", "100", "2026-08-19T14:34:01Z"), limit("output-tokens", "80", "0", "2026-08-19T14:34:30Z")), 0, &rein.Pace{Tokens: rein.Allowance{Limit: 480, Known: true, Reset: 30 * time.Second}}},
		{"a reset that is over", join(limit("tokens", "480", "0", "2026-08-19T14:33:00Z")), 0, &rein.Pace{Tokens: rein.Allowance{Limit: 480, Known: true}}},
		{"milliseconds", []string{"retry-after-ms", "1500", "retry-after", "9"}, 1500 * time.Millisecond, nil},
		{"a date", []string{"date", date, "retry-after", "Wed, 19 Aug 2026 14:35:00 GMT"}, time.Minute, nil},
		{"nonsense", []string{"retry-after", "-1e999", "retry-after-ms", "NaN", "anthropic-ratelimit-tokens-limit", "many"}, 0, nil},
		{"too much", []string{"retry-after", "1e300"}, 24 * time.Hour, nil},
	} {
		p := newPlayer(t)
		p.load(-1, refusal(429, "rate_limit_error", "slow", c.headers...))
		_, _, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), false)
		e, ok := err.(*rein.Error)
		if !ok || e.RetryAfter != c.wait || !cmp.Equal(e.Pace, c.pace) {
			t.Errorf("%s: %+v, %s", c.name, e, cmp.Diff(c.pace, e.Pace))
		}
	}
	p, x := newPlayer(t), builtin()[0]
	for i := 0; i < len(requests); i += 2 {
		x.Headers[requests[i]] = []string{requests[i+1]}
	}
	p.load(-1, x)
	if reply, _, err := generate(p.model(t, 0, anthropic.Options{}), ask("Hello"), false); err != nil || reply.Pace == nil || reply.Pace.Requests.Left != 49 {
		t.Errorf("a good reply: %+v, %v", reply.Pace, err)
	}
}

func TestUnreachable(t *testing.T) {
	p := newPlayer(t)
	m := p.model(t, 0, anthropic.Options{})
	p.Close()
	_, _, err := generate(m, ask("Hello"), true)
	if rein.CodeOf(err) != rein.CodeUnreachable || clean(err, true) != nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("got %s %v", rein.CodeOf(err), err)
	}
}

// Covers: SD-72
func TestEndsWithTheContext(t *testing.T) {
	for _, stream := range []bool{false, true} {
		asked := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client is gone
			if stream {
				w.Header().Set("Content-Type", sseType)
				w.WriteHeader(200)
				_ = http.NewResponseController(w).Flush()
			}
			close(asked)
			<-r.Context().Done()
		}))
		m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: server.URL + "/v1/"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-asked; cancel() }()
		var show func(string)
		if stream {
			show = func(string) {}
		}
		if _, err := m.Generate(ctx, ask("Hello"), show); err != context.Canceled {
			t.Errorf("stream %v: %v", stream, err)
		}
		server.Close()
	}
	p := newPlayer(t)
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := p.model(t, 0, anthropic.Options{}).Generate(ctx, ask("Hello"), nil); rein.CodeOf(err) != rein.CodeTimeout {
		t.Errorf("a past deadline: %v", err)
	}
}

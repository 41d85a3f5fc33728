package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rein"
)

const testKey = "sk-secret-0123456789"

// serve answers every request alike and returns a model that asks it.
func serve(t *testing.T, o Options, h http.HandlerFunc) *Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o.BaseURL = server.URL + "/v1"
	o.Key, o.HTTP = testKey, server.Client()
	if o.Model == "" {
		o.Model = "m1"
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func answer(status int, body string, pairs ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header(pairs...) {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

var hello = rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Text: "Hello"}}}}

// Covers: SD-19 SD-74
// Attack: 64
func TestErrorCodes(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   rein.Code
		says   string
	}{
		"too long by code":      {400, `{"error":{"message":"x","code":"context_length_exceeded"}}`, rein.CodeTooLong, "shorter"},
		"too long by words":     {400, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error"}}`, rein.CodeTooLong, "8192"},
		"too long, llama.cpp":   {400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, rein.CodeTooLong, ""},
		"larger than a window":  {429, `{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 90000.","code":"rate_limit_exceeded"}}`, rein.CodeTooLong, ""},
		"too long, another":     {400, `{"error":{"message":"prompt has 9000 tokens","code":"too_many_prompt_tokens"}}`, rein.CodeTooLong, "shorter"},
		"wrong key, 400":        {400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, rein.CodeUnauthorized, "check the key"},
		"wrong key, 400, other": {400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xx. You can obtain an API key from the console."}`, rein.CodeUnauthorized, "check the key"},
		"no tools":              {400, `{"error":{"message":"gemma:2b does not support tools","type":"api_error"}}`, rein.CodeProvider, "knows no tools"},
		"too large":             {413, `no`, rein.CodeTooLong, ""},
		"other bad request":     {400, `{"error":{"message":"bad temperature","type":"invalid_request_error"}}`, rein.CodeInvalid, "bad temperature"},
		"fastapi":               {422, `{"detail":[{"msg":"field required"}]}`, rein.CodeInvalid, "field required"},
		"wrong key":             {401, `{"error":{"message":"Incorrect API key provided: ` + testKey + `","code":"invalid_api_key"}}`, rein.CodeUnauthorized, "[key]"},
		"not allowed":           {403, `{"error":"forbidden"}`, rein.CodeUnauthorized, "forbidden"},
		"no model":              {404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, rein.CodeProvider, "/v1/models"},
		"no page":               {404, `404 page not found`, rein.CodeProvider, "base URL"},
		"timeout":               {408, ``, rein.CodeOverloaded, "408"},
		"conflict":              {409, `{"message":"busy"}`, rein.CodeOverloaded, "busy"},
		"too fast":              {429, `{"error":{"message":"slow down"}}`, rein.CodeRateLimited, "slow down"},
		"no money":              {429, `{"error":{"message":"You exceeded your current quota, please check your plan","code":"insufficient_quota"}}`, rein.CodeProvider, "billing"},
		"no money, 402":         {402, `{"error":{"message":"Insufficient Balance"}}`, rein.CodeProvider, "billing"},
		"broken":                {500, `<html>oops</html>`, rein.CodeOverloaded, "oops"},
		"busy":                  {503, `[{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}]`, rein.CodeOverloaded, "overloaded"},
		"busy, 529":             {529, ``, rein.CodeOverloaded, "529"},
		"not there":             {501, ``, rein.CodeProvider, ""},
		"moved":                 {304, ``, rein.CodeProvider, "base URL"},
		"error in a good one":   {200, `{"error":{"message":"upstream broke","code":502}}`, rein.CodeOverloaded, "upstream broke"},
		"error behind":          {502, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"disk on fire"}}}`, rein.CodeOverloaded, "disk on fire"},
		"error in an error":     {500, `{"error":{"error":{"message":"deep"}}}`, rein.CodeOverloaded, "deep"},
		"error as text":         {200, `{"error":"model crashed"}`, rein.CodeOverloaded, "model crashed"},
		"good, but not a reply": {200, `{"hello":"world"}`, rein.CodeProvider, "no reply"},
		"a page":                {200, `<html>Welcome</html>`, rein.CodeProvider, "not JSON"},
		"cut JSON":              {200, `{"choices":[{"mess`, rein.CodeOverloaded, "not whole"},
		"nothing":               {200, ``, rein.CodeOverloaded, "before the reply was complete"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, api := range []string{Chat, Responses} {
				m := serve(t, Options{API: api}, answer(c.status, c.body, "Retry-After", "3", "X-Ratelimit-Limit-Requests", "60"))
				_, err := m.Generate(t.Context(), hello, nil)
				e, ok := errors.AsType[*rein.Error](err)
				if !ok || e.Code != c.want {
					t.Fatalf("%s: %s %v, want %s", api, rein.CodeOf(err), err, c.want)
				}
				if api == Chat && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q does not say %q", err, c.says)
				}
				if strings.Contains(err.Error(), testKey) {
					t.Errorf("%q tells the key", err)
				}
				later := c.want == rein.CodeRateLimited || (c.want == rein.CodeOverloaded && c.status >= 400)
				if later != (e.RetryAfter == 3*time.Second) && c.status >= 400 {
					t.Errorf("retry after %v", e.RetryAfter)
				}
				if c.status >= 400 && (e.Pace == nil || e.Pace.Requests.Limit != 60) {
					t.Errorf("pace %v", e.Pace)
				}
			}
		})
	}
}

// Errors inside a stream that began well.
//
// Covers: SD-19
func TestStreamErrors(t *testing.T) {
	begin := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n"
	for name, c := range map[string]struct {
		api, body string
		want      rein.Code
	}{
		"error chunk":         {Chat, begin + "data: {\"error\":{\"message\":\"oh\",\"type\":\"server_error\"}}\n\n", rein.CodeOverloaded},
		"error event":         {Chat, begin + "event: error\ndata: {\"message\":\"oh\"}\n\n", rein.CodeOverloaded},
		"error line":          {Chat, begin + "error: {\"code\":429,\"message\":\"slot unavailable\"}\n\n", rein.CodeRateLimited},
		"error line, cut":     {Chat, begin + "error: {\"code\":400,\"message\":\"the context size is exceeded\"}", rein.CodeTooLong},
		"rate limit":          {Chat, begin + "data: {\"error\":{\"message\":\"oh\",\"code\":429}}\n\n", rein.CodeRateLimited},
		"error of a choice":   {Chat, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"code\":502,\"message\":\"oh\"}}]}\n\n", rein.CodeOverloaded},
		"finish without name": {Chat, begin + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\"}]}\n\ndata: [DONE]\n\n", rein.CodeOverloaded},
		"no end":              {Chat, begin, rein.CodeOverloaded},
		"half an event":       {Chat, begin + "data: {\"choices\":[{\"ind", rein.CodeOverloaded},
		"broken event":        {Chat, begin + "data: {\"choices\":[{\"ind\n\ndata: [DONE]\n\n", rein.CodeOverloaded},
		"only heartbeats":     {Chat, ": beat\n\n: beat\n\n", rein.CodeOverloaded},
		"nothing but an end":  {Chat, "data: [DONE]\n\n", rein.CodeProvider},
		"response failed":     {Responses, "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"oh\"}}}\n\n", rein.CodeRateLimited},
		"response error":      {Responses, "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oh\"}\n\n", rein.CodeOverloaded},
		"response, no end":    {Responses, "data: {\"type\":\"response.output_text.delta\",\"delta\":\"He\"}\n\n", rein.CodeOverloaded},
	} {
		m := serve(t, Options{API: c.api}, answer(200, c.body, "Content-Type", "text/event-stream"))
		_, err := m.Generate(t.Context(), hello, func(string) {})
		if rein.CodeOf(err) != c.want {
			t.Errorf("%s: %s %v, want %s", name, rein.CodeOf(err), err, c.want)
		}
	}
}

// Covers: SD-20
func TestCancel(t *testing.T) {
	begun := make(chan struct{}, 2)
	m := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n")
		w.(http.Flusher).Flush()
		begun <- struct{}{}
		<-r.Context().Done()
	})
	why := errors.New("a person said stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(why)
	}()
	if _, err := m.Generate(ctx, hello, func(string) {}); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
	late, done := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer done()
	if _, err := m.Generate(late, hello, func(string) {}); rein.CodeOf(err) != rein.CodeTimeout {
		t.Errorf("out of time: %v", err)
	}
}

func TestNobodyThere(t *testing.T) {
	server := httptest.NewServer(nil)
	addr := server.URL
	server.Close()
	m, err := New(Options{Model: "m1", BaseURL: addr, Key: testKey})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Generate(t.Context(), hello, nil)
	if rein.CodeOf(err) != rein.CodeUnreachable || !strings.Contains(err.Error(), "nothing listens there") {
		t.Errorf("%s %v", rein.CodeOf(err), err)
	}
}

package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/model/openai"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// toolless serves a model that knows no tools, as Ollama does, with a window of 4,096 tokens. It reads
// twice and then answers.
func toolless(t *testing.T, refused *atomic.Int64) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct {
			Tools    []any
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(body, &request); err != nil {
			t.Error(err)
		}
		turns := 0
		for _, m := range request.Messages {
			if m.Role == "assistant" {
				turns++
			}
		}
		say := "It is done."
		switch {
		case len(request.Tools) > 0:
			refused.Add(1)
			http.Error(w, `{"error":{"message":"gemma:2b does not support tools","type":"api_error"}}`, 400)
			return
		case len(body) > 4096*4:
			http.Error(w, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, 400)
			return
		case turns < 2:
			say = fmt.Sprintf("<tool_call name=\"read\">\n{\"part\": %d}\n</tool_call>", turns)
		}
		reply, _ := json.Marshal(say)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, reply)
	}))
	t.Cleanup(s.Close)
	return s
}

// A model that knows no tools gets them in its text as soon as its server says so, and two long results fit
// a window of 4,096 tokens. The next run of the process asks no more. Who wants native tools gets the
// refusal.
//
// Covers: ENG-10
func TestModelThatKnowsNoTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		info    rein.ModelInfo
		refused int64
		end     rein.End
	}{
		"learnt":      {refused: 1, end: rein.EndDone},
		"known":       {info: rein.ModelInfo{TextOnly: true}, end: rein.EndDone},
		"native only": {info: rein.ModelInfo{NativeOnly: true}, refused: 2, end: rein.EndFailed},
	} {
		t.Run(name, func(t *testing.T) {
			var refused atomic.Int64
			c.info.Window = 4096
			model, err := openai.New(openai.Options{Model: "gemma:2b", BaseURL: toolless(t, &refused).URL, Info: c.info})
			if err != nil {
				t.Fatal(err)
			}
			e, ctx := toollessEngine(t, model)
			for _, id := range []rein.RunID{"r1", "r2"} {
				if _, err := e.Start(ctx, id, rein.Task{Flow: "operate", Tools: []string{"read"}, Messages: []rein.Message{{Role: rein.User, Text: "go"}}}); err != nil {
					t.Fatal(err)
				}
				if end, err := e.Wait(ctx, id); err != nil || end.End != c.end {
					t.Errorf("%s ended as %+v %+v, %v", id, end, end.Failure, err)
				}
			}
			if n := refused.Load(); n != c.refused {
				t.Errorf("%d requests had tools, want %d", n, c.refused)
			}
		})
	}
}

func toollessEngine(t *testing.T, model rein.Model) (*engine.Engine, context.Context) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := rein.Tool{
		Name: "read", Description: "Reads a part.", Effect: rein.Pure, Schema: json.RawMessage(`{"type":"object","properties":{"part":{"type":"integer"}}}`),
		Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: string(inv.Args) + strings.Repeat(" and much more", 10_000)}, nil
		},
	}
	e, err := engine.New(engine.Options{
		Store: s, Flows: flow.All(), Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: map[string]rein.Tool{"read": read}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, ctx
}

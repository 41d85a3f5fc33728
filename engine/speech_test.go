package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow/chat"
	"rein/flow/operate"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool"
)

// A parrot says what it is told to, a few bytes at a time, and then makes its calls.
type parrot struct {
	replies []rein.Message
	pause   func(said string) // called after each piece
	turn    *int
}

func (parrot) Info() rein.ModelInfo { return rein.ModelInfo{Name: "parrot", MaxOutput: 100} }

func (p parrot) Generate(ctx context.Context, _ rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	reply := p.replies[*p.turn]
	*p.turn++
	for at := 0; at < len(reply.Text); at += 3 {
		end := min(at+3, len(reply.Text))
		show(reply.Text[at:end])
		if p.pause != nil {
			p.pause(reply.Text[:end])
		}
		if ctx.Err() != nil {
			return rein.ModelReply{}, ctx.Err()
		}
	}
	return rein.ModelReply{Message: reply}, nil
}

// A scene is an engine with real parts and everything that it showed.
type scene struct {
	*engine.Engine
	dir   string
	mu    sync.Mutex
	shown strings.Builder
}

func listenTo(t *testing.T, model rein.Model, tools ...rein.Tool) *scene {
	t.Helper()
	sc := &scene{dir: t.TempDir()}
	ctx, stop := context.WithCancel(t.Context())
	s, err := sqlitetest.Open(t, filepath.Join(sc.dir, "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	worker := &work.Worker{Models: map[string]rein.Model{"": model}, Tools: map[string]rein.Tool{}}
	for _, tool := range tools {
		worker.Tools[tool.Name] = tool
	}
	sc.Engine, err = engine.New(engine.Options{
		Store: s, Dispatch: &local.Dispatcher{}, Worker: worker,
		Flows: map[string]rein.Flow{"chat": {Do: chat.Do}, "operate": {Do: operate.Do}},
		OnDelta: func(d rein.Delta) {
			sc.mu.Lock()
			defer sc.mu.Unlock()
			if d.Offset == 0 {
				sc.shown.Reset() // another step
			}
			if d.Offset != sc.shown.Len() {
				t.Errorf("a piece at %d comes after %d bytes", d.Offset, sc.shown.Len())
			}
			sc.shown.WriteString(d.Text)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- sc.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		<-served
		s.Close()
	})
	return sc
}

func (s *scene) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

// holds reports whether the files of the store hold a text.
func (s *scene) holds(t *testing.T, text string) bool {
	t.Helper()
	files, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(s.dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}

// A model that tells a secret tells it to nobody: it is not in the stream, the outcome or the store.
//
// Covers: HUM-42
func TestModelTextIsRedacted(t *testing.T) {
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"
	raw := &rein.Raw{API: "x", Data: json.RawMessage(`{"thinking":"it is ` + token + `"}`)}
	s := listenTo(t, parrot{turn: new(int), replies: []rein.Message{{Text: "Your token is " + token + ", keep it.", Raw: raw}}})
	if _, err := s.Start(t.Context(), "r1", rtask("chat", "what is my token?")); err != nil {
		t.Fatal(err)
	}
	end, err := s.Wait(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	want := "Your token is [redacted: github token], keep it."
	if end.Text != want || s.said() != want {
		t.Errorf("the outcome is %q, shown was %q, want %q", end.Text, s.said(), want)
	}
	if s.holds(t, token) {
		t.Error("the store holds the secret")
	}
}

// A model that is cut in the middle of a secret leaves no part of it: what is kept is what was shown.
//
// Covers: HUM-42
func TestPartialTextIsRedacted(t *testing.T) {
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"
	var s *scene
	s = listenTo(t, parrot{turn: new(int), replies: []rein.Message{{Text: "Your token is " + token}}, pause: func(said string) {
		if strings.HasSuffix(said, "hijk") || strings.HasSuffix(said, "ijkl") || strings.HasSuffix(said, "jklm") {
			_, _ = s.Command(t.Context(), rein.Command{Kind: rein.CommandCancel, Run: "r1", By: "ann"})
		}
	}})
	if _, err := s.Start(t.Context(), "r1", rtask("chat", "what is my token?")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	if got := s.said(); got != "Your token is " {
		t.Errorf("shown was %q", got)
	}
	if s.holds(t, token[:20]) {
		t.Error("the store holds a part of the secret")
	}
}

// A refuser fails with words of its provider.
type refuser struct{ text string }

func (refuser) Info() rein.ModelInfo { return rein.ModelInfo{Name: "refuser", MaxOutput: 100} }

func (r refuser) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{}, rein.Errorf(rein.CodeUnauthorized, "%s", r.text)
}

// Providers repeat in their errors what they were sent: what is kept of it, and returned, holds no secret,
// not even the part of one that is left where a long error is cut.
//
// Covers: HUM-42
func TestModelErrorIsRedacted(t *testing.T) {
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"
	for name, text := range map[string]string{
		"short": "the key " + token + " is not valid",
		"long":  strings.Repeat("story ", 16<<10/6-3) + " " + token + " and more",
	} {
		s := listenTo(t, refuser{text})
		if _, err := s.Start(t.Context(), "r1", rtask("chat", "hello")); err != nil {
			t.Fatal(err)
		}
		end, err := s.Wait(t.Context(), "r1")
		if err != nil {
			t.Fatal(err)
		}
		if end.End != rein.EndFailed || strings.Contains(end.Failure.Msg+end.Text, token[:12]) {
			t.Errorf("%s: the run ended as %+v, %+v", name, end.Outcome, end.Failure)
		}
		if s.holds(t, token[:12]) {
			t.Errorf("%s: the store holds the secret", name)
		}
	}
}

// Arguments reach their tool as the model wrote them, secrets too: calls are taken out of a reply
// before its text is cleaned.
func TestArgumentsAreDispatchedAsTheyAre(t *testing.T) {
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"
	var got string
	send := tool.Must(tool.New(tool.Spec{Name: "send", Text: "Sends a key.", Effect: rein.Pure}, func(_ context.Context, _ rein.Invocation, a struct {
		Key string `json:"key"`
	},
	) (rein.Done, error) {
		got = a.Key
		return rein.Done{Text: "sent"}, nil
	}))
	call := rein.ToolCall{ID: "c1", Name: "send", Args: json.RawMessage(`{"key":"` + token + `"}`)}
	s := listenTo(t, parrot{turn: new(int), replies: []rein.Message{{Text: "I send it.", Calls: []rein.ToolCall{call}}, {Text: "Done."}}}, send)
	if _, err := s.Start(t.Context(), "r1", rtask("operate", "send it", "send")); err != nil {
		t.Fatal(err)
	}
	if end, err := s.Wait(t.Context(), "r1"); err != nil || end.Text != "Done." {
		t.Fatal(end, err)
	}
	if got != token {
		t.Errorf("the tool was given %q", got)
	}
}

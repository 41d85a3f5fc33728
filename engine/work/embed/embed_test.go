package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/engine/work/embed"
	"rein/engine/work/pace"
	"rein/model/openai"
)

// A server makes vectors of two numbers, of which the first is the length of the text. Before that it
// answers as it is told to.
type server struct {
	first []func(http.ResponseWriter)

	mu    sync.Mutex
	sizes []int // texts in each request
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if json.NewDecoder(r.Body).Decode(&in) != nil || !strings.HasSuffix(r.URL.Path, "/embeddings") {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sizes = append(s.sizes, len(in.Input))
	if n := len(s.sizes); n <= len(s.first) {
		s.first[n-1](w)
		return
	}
	data := []string{}
	for i, text := range in.Input {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(text)))
	}
	fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, strings.Join(data, ","), len(data), len(data))
}

func serve(t *testing.T, first ...func(http.ResponseWriter)) (*server, *embed.Embedder) {
	s := &server{first: first}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	m, err := openai.New(openai.Options{
		Name: "vectors", Model: "text-embedding-3-small", BaseURL: web.URL + "/v1", HTTP: web.Client(),
		Info: rein.ModelInfo{InputMicros: 1_000_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, &embed.Embedder{Of: m, Pace: pace.New(pace.Limits{Tokens: 10_000_000}, nil)}
}

func refuse(status int, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"error":{"message":"not now"}}`)
	}
}

func say(body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { fmt.Fprint(w, body) }
}

func TestManyTextsAreSentInBatches(t *testing.T) {
	s, e := serve(t)
	var texts []string
	for i := range 200 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	texts = append(texts, strings.Repeat("y", 200<<10), strings.Repeat("z", 300<<10), "last")
	made, err := e.Embed(t.Context(), texts)
	if err != nil || len(made.Vectors) != len(texts) {
		t.Fatalf("%d vectors: %v", len(made.Vectors), err)
	}
	for i, v := range made.Vectors {
		if int(v[0]) != len(texts[i]) {
			t.Fatalf("vector %d is of another text", i)
		}
	}
	if got := fmt.Sprint(s.sizes); got != "[96 96 9 1 1]" {
		t.Errorf("the batches are %s", got)
	}
	if made.Usage == nil || made.Usage.Input != 203 || made.Usage.Micros != 203 {
		t.Errorf("the usage is %+v", made.Usage)
	}
	if got := e.Space(); got != (rein.Space{Model: "text-embedding-3-small", Dimension: 2}) {
		t.Errorf("the space is %+v", got)
	}
	if made, err := e.Embed(t.Context(), nil); err != nil || len(made.Vectors) != 0 {
		t.Errorf("of nothing: %+v %v", made, err)
	}
}

// Covers: SD-74
func TestWhatMayWorkLaterIsTriedAgain(t *testing.T) {
	s, e := serve(t, refuse(429, "retry-after-ms", "300"), refuse(503), say(`{"data":[{"index":0,"embe`))
	began := time.Now()
	made, err := e.Embed(t.Context(), []string{"abc"})
	if err != nil || len(made.Vectors) != 1 || len(s.sizes) != 4 {
		t.Fatalf("%+v after %d requests: %v", made, len(s.sizes), err)
	}
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("the provider wanted 300 ms, and was asked again after %v", took)
	}
}

func TestWhatWillNotWorkIsTriedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter)
		code   rein.Code
		says   string
	}{
		"key":              {refuse(401), rein.CodeUnauthorized, "key"},
		"no such model":    {refuse(404), rein.CodeProvider, "check the model's name"},
		"too long":         {refuse(413), rein.CodeTooLong, "shorter"},
		"a later year":     {refuse(429, "retry-after", "86400"), rein.CodeRateLimited, "429"},
		"too few":          {say(`{"data":[{"index":0,"embedding":[1,2]}]}`), rein.CodeProvider, "2 texts were sent and 1 vectors came back"},
		"two dimensions":   {say(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,2,3]}]}`), rein.CodeProvider, "3 numbers where others have 2"},
		"not a number":     {say(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[NaN,2]}]}`), rein.CodeProvider, "no list of vectors"},
		"nowhere":          {say(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[0,0]}]}`), rein.CodeProvider, "text 2 that points nowhere"},
		"a chat":           {say(`{"choices":[]}`), rein.CodeProvider, "0 vectors"},
		"something else":   {say(`<html>`), rein.CodeProvider, "not JSON"},
		"a model too many": {say(`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`), rein.CodeProvider, "there twice"},
	} {
		s, e := serve(t, c.answer)
		made, err := e.Embed(t.Context(), []string{"a", "b"})
		if rein.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) || made.Vectors != nil {
			t.Errorf("%s: %+v, %v", name, made, err)
		}
		if len(s.sizes) != 1 {
			t.Errorf("%s: it was tried %d times", name, len(s.sizes))
		}
	}
	_, e := serve(t)
	if _, err := e.Embed(t.Context(), []string{"a", ""}); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("an empty text: %v", err)
	}
}

// The dimension of the first vector holds for all that follow.
func TestAModelThatWasExchangedIsNoticed(t *testing.T) {
	_, e := serve(t, say(`{"data":[{"index":0,"embedding":[1,2,3]}]}`))
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"b"}); rein.CodeOf(err) != rein.CodeProvider {
		t.Errorf("a vector of another dimension: %v", err)
	}
}

// fixed is an embedder of an account, without a server.
type fixed struct {
	mu    sync.Mutex
	calls int
	err   error // of the first call
}

func (f *fixed) Info() rein.ModelInfo { return rein.ModelInfo{Name: "m", Account: "acme"} }
func (f *fixed) Space() rein.Space    { return rein.Space{Model: "m", Dimension: 1} }

func (f *fixed) Embed(_ context.Context, texts []string) (rein.Embedding, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls++; f.calls == 1 && f.err != nil {
		return rein.Embedding{}, f.err
	}
	made := rein.Embedding{}
	for range texts {
		made.Vectors = append(made.Vectors, []float32{1})
	}
	return made, nil
}

// Covers: SD-75
func TestVectorsShareTheLimitsOfRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := pace.New(pace.Limits{Requests: 2, Window: time.Minute}, nil)
		if _, wait := limiter.Take("acme", "m", pace.Want{Run: "r1"}); wait != 0 {
			t.Fatal("the first has to wait")
		}
		e := &embed.Embedder{Of: &fixed{}, Pace: limiter}
		began := time.Now()
		for range 2 {
			if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < time.Minute {
			t.Errorf("three requests went within %v, and two may in a minute", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _ = e.Embed(t.Context(), []string{"a"})
		if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who does not want to wait: %v", err)
		}
	})
}

// A member who asks for many vectors at once does not keep the owner from theirs: requests take the turns
// of whoever they are for, and a place among the calls under way.
//
// Attack: 73
func TestVectorsTakeTheTurnsOfTheirOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := pace.New(pace.Limits{Calls: 8}, nil)
		slow := &hanging{release: make(chan struct{})}
		ask := func(user string) {
			e := &embed.Embedder{Of: slow, Pace: limiter, Owner: func(context.Context) (string, string) { return "home", user }}
			_, _ = e.Embed(t.Context(), []string{user})
		}
		for range 20 {
			go ask("mallory")
		}
		synctest.Wait()
		if n, waiting := limiter.Calls("home", "mallory"); n == 0 || n >= 8 || n+waiting != 20 {
			t.Errorf("%d calls of a member are under way and %d wait", n, waiting)
		}
		go ask("owner")
		synctest.Wait()
		if n, _ := limiter.Calls("home", "owner"); n != 1 {
			t.Errorf("%d calls of the owner are under way", n)
		}
		close(slow.release)
		synctest.Wait()
		if n, waiting, _ := limiter.All(); n != 0 || waiting != 0 {
			t.Errorf("%d calls are under way and %d wait when all have ended", n, waiting)
		}
	})
}

// hanging makes vectors once it is let go.
type hanging struct {
	fixed
	release chan struct{}
}

func (h *hanging) Embed(_ context.Context, texts []string) (rein.Embedding, error) {
	<-h.release
	return rein.Embedding{Vectors: [][]float32{{1}}}, nil
}

func TestARefusalIsWaitedOutByAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := pace.New(pace.Limits{}, nil)
		e := &embed.Embedder{Of: &fixed{err: &rein.Error{Code: rein.CodeRateLimited, RetryAfter: 90 * time.Second}}, Pace: limiter}
		done := make(chan error, 1)
		go func() {
			_, err := e.Embed(t.Context(), []string{"a"})
			done <- err
		}()
		synctest.Wait()
		if _, wait := limiter.Take("acme", "m", pace.Want{ID: "r", Run: "r"}); wait < 89*time.Second {
			t.Errorf("a run waits %v for an account that wants 90 s", wait)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// What each request may use is asked for before it is sent, and settled with what the provider says; a
// refusal sends nothing, and what the provider refuses costs nothing.
func TestRequestsAreCharged(t *testing.T) {
	s, e := serve(t)
	left, used := int64(1000), rein.Amount{}
	e.Charge = func(_ context.Context, a rein.Amount, reserved time.Time) error {
		if reserved.IsZero() && used.Tokens+a.Tokens > left {
			return rein.Errorf(rein.CodeQuota, "the day's tokens do not reach")
		}
		if reserved.IsZero() != (a.Tokens > 0) || time.Since(reserved) > time.Minute && !reserved.IsZero() {
			t.Errorf("%+v was reserved at %s", a, reserved)
		}
		used = used.Plus(a)
		return nil
	}
	if _, err := e.Embed(t.Context(), []string{strings.Repeat("x", 400), "y"}); err != nil {
		t.Fatal(err)
	}
	if used.Tokens != 2 || used.Micros != 2 { // as the server says
		t.Errorf("it used %+v", used)
	}
	if _, err := e.Embed(t.Context(), []string{strings.Repeat("x", 1000)}); rein.CodeOf(err) != rein.CodeQuota {
		t.Errorf("beyond the limit: %v", err)
	}
	if len(s.sizes) != 1 || used.Tokens != 2 {
		t.Errorf("%d requests were sent, which used %+v", len(s.sizes), used)
	}
	refused, e2 := serve(t, refuse(http.StatusUnauthorized), refuse(http.StatusInternalServerError))
	e2.Charge, used = e.Charge, rein.Amount{}
	for _, want := range []int64{0, 17} { // of the second nobody knows
		if _, err := e2.Once(t.Context(), []string{"x"}); err == nil || used.Tokens != want {
			t.Errorf("after %d requests %+v is used: %v", len(refused.sizes), used, err)
		}
	}
}

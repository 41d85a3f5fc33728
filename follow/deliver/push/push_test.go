package push_test

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/follow/deliver"
	"rein/follow/deliver/push"
	"rein/household/post"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A box keeps the key in memory.
type box struct {
	mu    sync.Mutex
	value []byte
	puts  int
}

func (b *box) Get(context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.value == nil {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no key yet")
	}
	return b.value, nil
}

func (b *box) Put(_ context.Context, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.value, b.puts = value, b.puts+1
	return nil
}

// The keys of the example in RFC 8291, section 5.
const (
	browserKey  = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
	browserAuth = "BTBZMqHH6r4Tts7J_aSIgg"
)

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	check(t, err)
	return b
}

// The example of RFC 8291 comes out as it is written there.
func TestExampleOfTheRFC(t *testing.T) {
	t.Parallel()
	own, err := ecdh.P256().NewPrivateKey(bytesOf(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	check(t, err)
	browser, err := ecdh.P256().NewPublicKey(bytesOf(t, browserKey))
	check(t, err)
	shared, err := own.ECDH(browser)
	check(t, err)
	got, err := push.SealWith(shared, bytesOf(t, browserAuth), bytesOf(t, "DGv6ra1nlYgDCS1FRnbzlw"), browser.Bytes(), own.PublicKey().Bytes(), []byte("When I grow up, I want to be a watermelon"))
	check(t, err)
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if encoded := base64.RawURLEncoding.EncodeToString(got); encoded != want {
		t.Errorf("it is %s", encoded)
	}
}

// What a push service answers says what happens next. The endpoint, which is a secret, is in no error.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{201: "", 202: "", 404: "gone", 410: "gone", 401: "gone", 403: "gone", 400: "never", 413: "never", 429: "again", 500: "again", 307: "again"} {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(status)
		}))
		p := push.New(push.Options{Keys: &box{}})
		p.UseTransport(to(server))
		_, err := p.Send(t.Context(), target("https://push.example/SECRET"), deliver.Message{ID: "m", Kind: post.Reminder, Text: "x"})
		got := ""
		switch {
		case deliver.IsGone(err):
			got = "gone"
		case deliver.IsNever(err):
			got = "never"
		case err != nil:
			got = "again"
		}
		if got != want || err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%d: %q, %v", status, got, err)
		}
		server.Close()
	}
}

// to sends every request to one server.
func to(server *httptest.Server) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Host = strings.TrimPrefix(server.URL, "https://")
		return server.Client().Transport.RoundTrip(r)
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func target(endpoint string) deliver.To {
	data, err := json.Marshal(push.Subscription{P256DH: browserKey, Auth: browserAuth})
	if err != nil {
		panic(err)
	}
	return deliver.To{Channel: "c", Address: endpoint, Data: data, Language: "en", Zone: time.UTC}
}

// An endpoint is chosen by whoever subscribes: what is not of the internet is neither taken nor called.
//
// Attack: 33
func TestEndpoints(t *testing.T) {
	t.Parallel()
	p := push.New(push.Options{Keys: &box{}})
	good := push.Subscription{P256DH: browserKey, Auth: browserAuth}
	for _, endpoint := range []string{
		"http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/x", "https://169.254.169.254/latest", "https://user@push.example/x",
		"https://push.example/x#y", "ftp://push.example/x", "push.example/x", "", "javascript:alert(1)",
	} {
		if _, err := p.Channel("home", "ann", endpoint, "", good); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
	for _, s := range []push.Subscription{{}, {P256DH: browserKey}, {Auth: browserAuth, P256DH: "AAAA"}, {Auth: "AAAA", P256DH: browserKey}, {Auth: browserAuth, P256DH: "BAAA" + browserKey[4:]}} {
		if _, err := p.Channel("home", "ann", "https://push.example/x", "", s); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%+v: %v", s, err)
		}
	}
	_, err := p.Send(t.Context(), target("https://localhost:1/x"), deliver.Message{ID: "m", Kind: post.Reminder, Text: "x"})
	if !deliver.IsGone(err) || !strings.Contains(err.Error(), "is not an address of the internet") {
		t.Error(err)
	}
}

// The key pair is made once, however many ask for it at the same time, and read again by the next process.
func TestKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	kept := &box{}
	p := push.New(push.Options{Keys: kept})
	var wait sync.WaitGroup
	found := make([]string, 8)
	for i := range found {
		wait.Go(func() { found[i], _ = p.PublicKey(t.Context()) })
	}
	wait.Wait()
	again, err := push.New(push.Options{Keys: kept}).PublicKey(t.Context())
	check(t, err)
	for _, key := range found {
		if key != again || len(key) != 87 {
			t.Errorf("%q and %q", key, again)
		}
	}
	if kept.puts != 1 {
		t.Errorf("it was made %d times", kept.puts)
	}
	if _, err := push.New(push.Options{Keys: &box{value: []byte("x")}}).PublicKey(t.Context()); rein.CodeOf(err) != rein.CodeDamaged {
		t.Error(err)
	}
}

// However long a message is, it fits. A question that had to be cut cannot be answered without reading all of it.
func TestPayloadFits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"short", strings.Repeat("é", 4000), strings.Repeat("\x01\"<", 4000)} {
		m := deliver.Message{ID: "m", Kind: post.Asking, Text: text, Ask: &deliver.Question{ID: "r:1.ask", Shown: "v2-1", Choices: []string{"yes", "no"}}}
		data, err := push.Payload(m)
		if err != nil || len(data) > push.MaxPayload || strings.Contains(string(data), "v2-1") != (text == "short") {
			t.Errorf("%d bytes, %v", len(data), err)
		}
	}
	if _, err := push.Payload(deliver.Message{ID: "m", Link: "https://rein.example/" + strings.Repeat("x", 5000)}); !deliver.IsNever(err) {
		t.Error(err)
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// vendorKey is what the vendors of tests take.
const vendorKey = "sk-made-up-key-of-a-test"

// A vendor is a provider of models, with the paths and the shapes of the APIs of OpenAI and Anthropic, and of servers that
// are compatible. It has a list of models, refuses other keys and other models, and says hello.
type vendor struct {
	url    string
	models []string
	open   bool // it wants no key

	mu    sync.Mutex
	calls []string // paths and models, in order
}

// serve starts the vendor, which must not be changed any more: another test may ask at once, for a port that had been its own.
func (v *vendor) serve() *httptest.Server {
	server := httptest.NewUnstartedServer(v)
	v.url = "http://" + server.Listener.Addr().String()
	server.Start()
	return server
}

func startVendor(t *testing.T, models ...string) *vendor {
	t.Helper()
	return startedVendor(t, &vendor{models: models})
}

// startOpenVendor starts a vendor that wants no key.
func startOpenVendor(t *testing.T, models ...string) *vendor {
	t.Helper()
	return startedVendor(t, &vendor{models: models, open: true})
}

func startedVendor(t *testing.T, v *vendor) *vendor {
	t.Cleanup(v.serve().Close)
	return v
}

// cmdVendor is the command "vendor MODEL...": it starts a vendor at $VENDOR, and one at $OPEN_VENDOR that wants no key.
func cmdVendor(ts *testscript.TestScript, _ bool, models []string) {
	vendors := map[string]*vendor{"VENDOR": {models: models}, "OPEN_VENDOR": {models: []string{"qwen3:8b"}, open: true}}
	for name, v := range vendors {
		ts.Defer(v.serve().Close)
		ts.Setenv(name, v.url)
	}
	ts.Setenv("VENDOR_KEY", vendorKey)
}

// asked returns what the vendor was asked so far.
func (v *vendor) asked() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.calls)
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model  string
		Stream bool
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.NewDecoder(bytes.NewReader(body)).Decode(&in)
	v.mu.Lock()
	v.calls = append(v.calls, strings.TrimSpace(r.URL.Path+" "+in.Model))
	v.mu.Unlock()
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	isAnthropic := r.Header.Get("Anthropic-Version") != ""
	switch path := strings.TrimPrefix(r.URL.Path, "/v1/"); {
	case key != vendorKey && !v.open:
		refuse(w, isAnthropic, http.StatusUnauthorized, "authentication_error", "invalid_api_key", "Incorrect API key provided: "+key)
	case path == "models":
		v.list(w, isAnthropic)
	case strings.HasPrefix(path, "models/") && slices.Contains(v.models, strings.TrimPrefix(path, "models/")):
		fmt.Fprintf(w, `{"type":"model","object":"model","id":%q}`, strings.TrimPrefix(path, "models/"))
	case strings.HasPrefix(path, "models/"), !slices.Contains(v.models, in.Model):
		refuse(w, isAnthropic, http.StatusNotFound, "not_found_error", "model_not_found", "The model "+in.Model+" does not exist")
	case path == "messages":
		stream(w, in.Stream, anthropicWhole, anthropicEvents)
	case path == "responses":
		stream(w, in.Stream, responseWhole, responseEvents)
	case path == "chat/completions":
		stream(w, in.Stream, chatWhole, chatEvents)
	default:
		http.NotFound(w, r)
	}
}

func (v *vendor) list(w http.ResponseWriter, isAnthropic bool) {
	entries := []string{}
	for _, name := range v.models {
		if isAnthropic {
			entries = append(entries, fmt.Sprintf(`{"type":"model","id":%q,"display_name":%q,"created_at":"2026-02-01T00:00:00Z"}`, name, name))
		} else {
			entries = append(entries, fmt.Sprintf(`{"id":%q,"object":"model","created":1770000000,"owned_by":"vendor"}`, name))
		}
	}
	if isAnthropic {
		fmt.Fprintf(w, `{"data":[%s],"has_more":false}`, strings.Join(entries, ","))
		return
	}
	fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(entries, ","))
}

func refuse(w http.ResponseWriter, isAnthropic bool, status int, kind, code, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if isAnthropic {
		fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%q}}`, kind, text)
		return
	}
	fmt.Fprintf(w, `{"error":{"message":%q,"type":"invalid_request_error","param":null,"code":%q}}`, text, code)
}

// stream answers with the whole, or with its events.
func stream(w http.ResponseWriter, streamed bool, whole string, events []string) {
	if !streamed {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		var named struct{ Type string }
		if json.Unmarshal([]byte(e), &named) == nil && named.Type != "" {
			fmt.Fprintf(w, "event: %s\n", named.Type)
		}
		fmt.Fprintf(w, "data: %s\n\n", e)
	}
}

const (
	anthropicWhole = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello from a vendor."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":5}}`
	responseWhole  = `{"id":"resp_1","object":"response","status":"completed","model":"m","output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hello from a vendor.","annotations":[]}]}],"usage":{"input_tokens":12,"output_tokens":5,"total_tokens":17}}`
	chatWhole      = `{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello from a vendor."},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}`
)

var (
	anthropicEvents = []string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":12,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello from a vendor."}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
		`{"type":"message_stop"}`,
	}
	responseEvents = []string{
		`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello from a vendor."}`,
		`{"type":"response.completed","response":` + responseWhole + `}`,
	}
	chatEvents = []string{
		`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello from a vendor."}}]}`,
		`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}`,
		`[DONE]`,
	}
)

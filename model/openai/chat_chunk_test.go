package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein/internal/sse"
)

// sameChunk compares what the scan read with what the full decoder reads. A null is as good as nothing.
func sameChunk(scanned, decoded chatBody) string {
	set := cmp.Transformer("set", func(raw json.RawMessage) string {
		if !isSet(raw) {
			return ""
		}
		return string(raw)
	})
	lists := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type() != reflect.TypeFor[json.RawMessage]() }, cmpopts.EquateEmpty())
	return cmp.Diff(decoded, scanned, set, lists)
}

// checkChunk reports whether a chunk was scanned, and fails if it was and the decoder reads something else.
func checkChunk(t *testing.T, data []byte) bool {
	t.Helper()
	var scanned, decoded chatBody
	if !scanChunk(data, &scanned) {
		return false
	}
	if err := decode(data, &decoded); err != nil {
		t.Fatalf("%.300s is scanned, and is no JSON: %v", data, err)
	}
	if d := sameChunk(scanned, decoded); d != "" {
		t.Fatalf("%.300s is read otherwise than by the decoder:\n%s", data, d)
	}
	return true
}

// Every chunk that providers were recorded to send is read as the full decoder reads it, and most of them
// without it.
func TestScanOfRecordedChunks(t *testing.T) {
	all, scanned := 0, 0
	for _, e := range traffic(t) {
		if e.API != chatAPI || !e.Stream {
			continue
		}
		events := sse.NewReader(bufio.NewReader(strings.NewReader(e.Response)))
		for ev, err := events.Next(); err == nil; ev, err = events.Next() {
			if bytes.HasPrefix(ev.Data, []byte("[DONE]")) {
				continue
			}
			all++
			if checkChunk(t, bytes.TrimSpace(ev.Data)) {
				scanned++
			}
		}
	}
	t.Logf("%d of %d chunks were scanned", scanned, all)
	if scanned*10 < all*8 {
		t.Errorf("%d of %d chunks were scanned; want at least 8 of 10", scanned, all)
	}
}

func TestScanOfChunks(t *testing.T) {
	for _, c := range []struct {
		data string
		want bool
	}{
		{`{"id":"x","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a\nb é"},"logprobs":null,"finish_reason":null}],"usage":null}`, true},
		{`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`, true},
		{` { "choices" : [ { "index" : 0 , "delta" : { } } ] } `, true},
		{`{"choices":[]}`, true},
		{`{"choices":[{"index":0,"delta":{"content":"\u00e9"}}]}`, false},                     // an escaped code unit
		{`{"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}`, false},            // twice
		{`{"choices":[{"index":0,"delta":{"Content":"a"}}]}`, false},                          // another case
		{`{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"a"}]}}]}`, false}, // a list
		{`{"choices":[{"index":1.0,"delta":{}}]}`, false},
		{`{"choices":[{"index":01,"delta":{}}]}`, false},
		{`{"choices":[{"index":-1,"delta":{}}]}`, false},
		{`{"choices":[{"index":0,"delta":{"content":"a` + "\x01" + `"}}]}`, false},
		{`{"choices":[{"index":0,"delta":{"content":"a\x"}}]}`, false},
		{`{"choices":[{"index":0,"delta":{"content":"` + "\xff" + `"}}]}`, false},
		{`{"choices":[{"index":0,"delta":{"content":"a"}}]`, false},
		{`{"choices":[{"index":0,"delta":{"content":"a"}}]}}`, false},
		{`{"error":{"message":"no"}}`, false},
		{`{"choices":[],"usage":{"prompt_tokens":1}}`, false},
		{`null`, false},
		{``, false},
	} {
		if got := checkChunk(t, []byte(c.data)); got != c.want {
			t.Errorf("%s: scanned is %v, want %v", c.data, got, c.want)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"model":"m","choices":[{"index":0,"delta":{"content":"a\"\\\n","tool_calls":[{"index":1,"id":null}]},"finish_reason":"stop"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { checkChunk(t, data) })
}

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
	if _, ok := scanChunk(data, &scanned); !ok {
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

// checkShape reads the next chunk of a stream as a reader does, with what it learnt from the chunks before.
func checkShape(t *testing.T, r *chatReader, data []byte) (short bool) {
	t.Helper()
	short = r.shape.content(data) != nil
	before := r.choices
	var alone chatReader
	alone.show = func(string) {}
	gotLast, gotErr := r.event(data)
	wantLast, wantErr := alone.event(data)
	if gotLast != wantLast || (gotErr == nil) != (wantErr == nil) || r.choices-before != alone.choices {
		t.Fatalf("%.300s: %v, %v; by itself %v, %v", data, gotLast, gotErr, wantLast, wantErr)
	}
	if d := sameChunk(r.chunk, alone.chunk); d != "" && gotErr == nil {
		t.Fatalf("%.300s is read otherwise after the chunk before it:\n%s", data, d)
	}
	return short
}

// TestShapeOfChunks reads chunks that differ from the one before in their content, or seem to.
func TestShapeOfChunks(t *testing.T) {
	chunk := func(content, end string) string {
		return `{"id":"x","model":"m","choices":[{"index":0,"delta":{"content":` + content + `},"finish_reason":` + end + `}]}`
	}
	r := chatReader{show: func(string) {}}
	for _, c := range []struct {
		data  string
		short bool
	}{
		{chunk(`"a"`, `null`), false},
		{chunk(`"b é"`, `null`), true},
		{chunk(`""`, `null`), true},
		{chunk(`"\n"`, `null`), false},
		{chunk(`"c"`, `null`), true},
		{chunk("\"\xff\"", `null`), false},
		{chunk(`"d"`, `null`), false},
		{chunk("\"\x01\"", `null`), false},
		{chunk(`"e"`, `null`), false},
		{chunk(`"f","content":"g"`, `null`), false}, // the first and the last bytes are the same
		{chunk(`"h"`, `null`), false},
		{chunk(`"i"`, `"stop"`), false},
		{chunk(`"j"`, `"stop"`), true},
		{chunk(`null`, `null`), false},
		{chunk(`"k"`, `null`), false},
		{`{"id":"x","model":"m","choices":[{"index":0,"delta":{"content":"l","tool_calls":[{"index":0,"function":{"arguments":"1"}}]}}]}`, false},
		{`{"id":"x","model":"m","choices":[{"index":0,"delta":{"content":"m","tool_calls":[{"index":0,"function":{"arguments":"1"}}]}}]}`, false},
		{`"`, false},
		{``, false},
	} {
		if got := checkShape(t, &r, []byte(c.data)); got != c.short {
			t.Errorf("%s: the short way was taken: %v, want %v", c.data, got, c.short)
		}
	}
}

// Every chunk that providers were recorded to send is read as the full decoder reads it, and most of them
// without it.
//
// Plain: one goroutine reads chunks.
func TestScanOfRecordedChunks(t *testing.T) {
	all, scanned := 0, 0
	for _, e := range traffic(t) {
		if e.API != chatAPI || !e.Stream {
			continue
		}
		events, reader := sse.NewReader(bufio.NewReader(strings.NewReader(e.Response))), chatReader{show: func(string) {}}
		for ev, err := events.Next(); err == nil; ev, err = events.Next() {
			if bytes.HasPrefix(ev.Data, []byte("[DONE]")) {
				continue
			}
			all++
			if checkChunk(t, bytes.TrimSpace(ev.Data)) {
				scanned++
			}
			checkShape(t, &reader, bytes.TrimSpace(ev.Data))
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

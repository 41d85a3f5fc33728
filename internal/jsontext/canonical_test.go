package jsontext

import (
	"bytes"
	"testing"
)

var canonicalCases = []string{
	``, ` `, `{}`, `[]`, ` { } `, `{"q":"x"}`, `{"q": "x", "r" : [1, 2.50, -0, 1E5, true,false , null]}`,
	`{"b":1,"a":2}`, `{"c":{"z":1, "y":[{"n":1,"m":2}]},"a":2,"b":""}`, `{"b":1,"a":2,"b":3}`, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0,"k":1,"l":2,"m":3,"n":4,"o":5,"p":6,"1":7}`,
	`{"z":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0,"k":1,"l":2,"m":3,"n":4,"o":5,"p":6}`, `{"a":1,"a":2}`, `{"a":1,"A":2}`, `{"a":"<&>"}`, `{"a":"\u0041"}`, `{"a":"é"}`, "{\"a\":\"\u2028\"}", "{\"a\":\"\xff\"}",
	"{\"a\":\"\ufffd\"}", `{"a":"b`, `{"a"`, `{"a":}`, `{"a":1,}`, `[1,]`, `01`, `-`, `1.`, `1e`, `.5`, `nul`, `nulls`, `{"a":1} x`, `{"a":1}{}`,
	`12345678901234567890123`, `"\n"`, "\"\n\"", `{"":{"":{"":[[[]]]}}}`, `[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]`,
}

func checkCanonical(t *testing.T, raw []byte) {
	got, ok := AppendCanonical([]byte("x"), raw)
	want, wantOK := appendDecoded([]byte("x"), raw)
	if ok != wantOK || !bytes.Equal(got, want) {
		t.Errorf("%.80q is %.80q (%v), and decoded and encoded %.80q (%v)", raw, got, ok, want, wantOK)
	}
}

// TestAppendCanonical compares the short way with decoding and encoding.
func TestAppendCanonical(t *testing.T) {
	for _, raw := range canonicalCases {
		checkCanonical(t, []byte(raw))
	}
}

func FuzzAppendCanonical(f *testing.F) {
	for _, raw := range canonicalCases {
		f.Add([]byte(raw))
	}
	f.Fuzz(checkCanonical)
}

// TestAppendCanonicalAllocates holds that what models usually write is not decoded.
func TestAppendCanonicalAllocates(t *testing.T) {
	raw, buffer := []byte(`{"path": "a/b.txt", "line": 3, "tags": ["x", "y"]}`), make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { AppendCanonical(buffer, raw) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

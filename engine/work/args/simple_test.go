package args

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// TestSimpleSchemas holds that what fits a simple schema fits for the validator too.
func TestSimpleSchemas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fitted, simples := 0, 0
	for range 4000 {
		s, err := newSchema(json.RawMessage(anObject(r, 2)))
		if err != nil {
			t.Fatal(err)
		}
		if s.simple == nil {
			continue
		}
		simples++
		value, err := decodeStrict([]byte(aValue(r, 3)))
		if err != nil {
			t.Fatal(err)
		}
		if !s.simple.fits(value) {
			continue
		}
		fitted++
		checked, problem := plain(value, "")
		if problem != nil {
			t.Fatal(problem)
		}
		if err := s.judge(checked); err != nil {
			t.Fatalf("%v fits a simple schema, and for the validator it does not: %v", value, err)
		}
	}
	if simples < 500 || fitted < 100 {
		t.Errorf("%d schemas are simple and %d values fitted; this shows too little", simples, fitted)
	}
}

// TestReadyAsWritten compares the short way with the long one.
func TestReadyAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ready := 0
	for range 4000 {
		text := json.RawMessage(anObject(r, 2))
		s, err := newSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		tool, raw := rein.Tool{Name: "t", Schema: text}, aValue(r, 3)
		short, ok := s.readyAsWritten(tool, raw)
		if !ok {
			continue
		}
		ready++
		value, how, err := parse(raw, Tolerant, true)
		if err != nil {
			t.Fatal(err)
		}
		long, err := finish(tool, value.(map[string]any), rein.Task{}, how)
		if d := cmp.Diff(long, short); err != nil || d != "" {
			t.Fatalf("%s: %v %s", raw, err, d)
		}
	}
	if ready < 100 {
		t.Errorf("%d values were ready; this shows too little", ready)
	}
}

// anObject writes a schema of an object, mostly a simple one.
func anObject(r *rand.Rand, depth int) string {
	required := []string{"", `,"required":["a"]`, `,"required":["a","b"]`}[r.IntN(3)]
	closed := []string{"", `,"additionalProperties":false`, `,"additionalProperties":{"type":"string"}`, `,"maxProperties":1`}[r.IntN(20)%4]
	return fmt.Sprintf(`{"type":"object","description":"x","properties":{"a":%s,"b":%s}%s%s}`, aSchema(r, depth), aSchema(r, depth), required, closed)
}

func aSchema(r *rand.Rand, depth int) string {
	switch n := r.IntN(9); {
	case n == 0 && depth > 0:
		return anObject(r, depth-1)
	case n == 1 && depth > 0:
		return `{"type":"array","items":` + aSchema(r, depth-1) + `}`
	case n == 2:
		return `{"type":"integer"}`
	case n == 3:
		return `{"type":"number","default":1}`
	case n == 4:
		return `{"type":"boolean"}`
	case n == 5 && r.IntN(4) == 0:
		return `{"type":["string","null"]}`
	case n == 6 && r.IntN(4) == 0:
		return `{"type":"string","enum":["x"]}`
	}
	return `{"type":"string"}`
}

func aValue(r *rand.Rand, depth int) string {
	if depth == 3 || depth > 0 && r.IntN(8) == 0 {
		return []string{
			fmt.Sprintf(`{"a":%s}`, aValue(r, depth-1)),
			fmt.Sprintf(`{"a":%s,"b":%s}`, aValue(r, depth-1), aValue(r, depth-1)),
			`{}`, fmt.Sprintf(`{"c":%s}`, aValue(r, depth-1)),
		}[r.IntN(8)%4]
	}
	if depth > 0 && r.IntN(8) == 0 {
		return fmt.Sprintf(`[%s,%s]`, aValue(r, depth-1), aValue(r, depth-1))
	}
	return []string{`"x"`, `"y"`, `"z"`, `1`, `-12`, `1.5`, `1e3`, `123456789012345678`, `true`, `null`}[r.IntN(10)]
}

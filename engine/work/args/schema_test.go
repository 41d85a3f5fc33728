package args

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine/work/args/argstest"
)

func TestCheckSchema(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"none", ``, ""},
		{"null", `null`, ""},
		{"empty", `{}`, ""},
		{"file", fileSchema, ""},
		{"recursive", `{"type":"object","properties":{"child":{"$ref":"#"}}}`, ""},
		{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a"}}}`, ""},
		{"draft 7, spelled otherwise", `{"$schema":"https://json-schema.org/draft-07/schema","type":"object"}`, ""},
		{"2020-12, spelled otherwise", `{"$schema":"http://json-schema.org/draft/2020-12/schema#","type":"object"}`, ""},
		{"another draft", `{"$schema":"http://json-schema.org/draft-04/schema#"}`, "its $schema is"},
		{"by place", `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`, ""},
		{"not JSON", `{`, "not JSON"},
		{"not an object", `[]`, "must be a JSON object"},
		{"other type", `{"type":"array"}`, `must be "object"`},
		{"unknown type", `{"properties":{"a":{"type":"int"}}}`, `/properties/a has the type "int"`},
		{"type that is no text", `{"type":1}`, "type"},
		{"bad pattern", `{"properties":{"a":{"pattern":"("}}}`, "pattern"},
		{"remote", `{"properties":{"a":{"$ref":"https://example.com/x.json"}}}`, "it must be a place in the same schema"},
		{"file reference", `{"properties":{"a":{"$ref":"other.json#/a"}}}`, "it must be a place in the same schema"},
		{"nowhere", `{"properties":{"a":{"$ref":"#/$defs/x"}}}`, "it must be a place in the same schema"},
		{"endless", `{"$ref":"#"}`, "refers to itself without end"},
		{"endless by two", `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, "refers to itself without end"},
		{"dynamic", `{"properties":{"a":{"$dynamicRef":"#x"}}}`, "$dynamicRef"},
		{"inner id", `{"properties":{"a":{"$id":"https://example.com/a"}}}`, "$id"},
		{"null inside", `{"properties":{"a":null}}`, "nil"},
		{"null in a list", `{"anyOf":[null]}`, "nil"},
		{"deep", strings.Repeat(`{"not":`, 80) + `{}` + strings.Repeat(`}`, 80), "nested more than 64 deep"},
		{"long", `{"description":"` + strings.Repeat("x", maxSchema) + `"}`, "bytes"},
		{"multiple of nothing", `{"properties":{"a":{"multipleOf":0}}}`, "more than 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckSchema(json.RawMessage(tt.schema))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if _, perr := Prepare(tool(tt.schema), json.RawMessage(`{"path":"a"}`), rein.Task{}); err == nil && perr != nil {
				t.Errorf("it takes no arguments: %v", perr)
			}
			if err != nil && rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("the code is %s", rein.CodeOf(err))
			}
		})
	}
}

// TestHostileSchema holds that alternatives inside of alternatives are refused, not tried for ever.
func TestHostileSchema(t *testing.T) {
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	wide := `{"$defs":{` + strings.Join(defs, ",") + `,"d40":{"type":"null"}},"properties":{"x":{"$ref":"#/$defs/d0"}}}`
	deep := `{"properties":{"c":{"oneOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["n"]}`
	for _, tt := range []struct{ schema, raw string }{
		{wide, `{"x":1}`},
		{deep, strings.Repeat(`{"c":`, 60) + "{}" + strings.Repeat("}", 60)},
	} {
		_, err := Prepare(tool(tt.schema), json.RawMessage(tt.raw), rein.Task{})
		if err == nil || !strings.Contains(err.Error(), "so many alternatives") {
			t.Errorf("%v", err)
		}
	}
}

// TestSameProblemEachTime holds that the words do not depend on the order of a map.
func TestSameProblemEachTime(t *testing.T) {
	raw := json.RawMessage(`{"path":"a","z":1,"y":2,"x":3,"opts":{"b":1,"a":2},"line":"q","tags":[{}]}`)
	_, first := Prepare(tool(fileSchema), raw, rein.Task{})
	for range 50 {
		if _, err := Prepare(tool(fileSchema), raw, rein.Task{}); err.Error() != first.Error() {
			t.Fatalf("%v and %v", first, err)
		}
	}
}

// TestCompiledIsBounded holds that ever new schemas do not fill the memory.
func TestCompiledIsBounded(t *testing.T) {
	for i := range 2 * maxCompiled {
		if err := CheckSchema(json.RawMessage(fmt.Sprintf(`{"title":"%d"}`, i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(compiled.schemas); n > maxCompiled {
		t.Errorf("%d schemas are kept, want at most %d", n, maxCompiled)
	}
}

// TestParallel is for the race detector: schemas are shared.
func TestParallel(t *testing.T) {
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i, call := range argstest.Calls {
				if _, err := Prepare(tool(call.Schema), json.RawMessage(call.Args), rein.Task{}); err != nil {
					t.Errorf("call %d: %v", i, err)
				}
				_, _ = Prepare(tool(call.Schema), json.RawMessage(`{"path":1,"x":"y"}`), rein.Task{})
			}
		})
	}
	wait.Wait()
}

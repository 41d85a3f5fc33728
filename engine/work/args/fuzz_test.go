package args

import (
	"encoding/json"
	"testing"

	"rein"
	"rein/engine/work/args/argstest"
)

// FuzzPrepare takes any schema and any arguments: no panic, the same answer twice, and what is
// accepted fits and is accepted again as it is.
func FuzzPrepare(f *testing.F) {
	for _, call := range argstest.Calls {
		f.Add(call.Schema, call.Args)
		f.Add(call.Schema, call.Args[:len(call.Args)/2])
	}
	f.Add(`{"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"string"}]}},"if":{"required":["a"]},"then":{"minProperties":2}}`, `{"a":"1"}`)
	f.Add(`{"patternProperties":{"^x":{"type":"boolean"}},"unevaluatedProperties":false,"propertyNames":{"maxLength":3}}`, `{"x1":"true"}`)
	f.Add(`{"dependentSchemas":{"a":{"required":["b"]}},"dependentRequired":{"b":["c"]},"uniqueItems":true,"const":{}}`, `{"a":[null,null]}`)
	f.Fuzz(func(t *testing.T, schema, raw string) {
		tl := tool(schema)
		ready, err := Prepare(tl, json.RawMessage(raw), rein.Task{})
		again, againErr := Prepare(tl, json.RawMessage(raw), rein.Task{})
		if (err == nil) != (againErr == nil) || err != nil && CheckSchema(tl.Schema) == nil && err.Error() != againErr.Error() {
			t.Fatalf("%s %q: %v and %v", schema, raw, err, againErr)
		}
		if err != nil {
			return
		}
		if string(ready.Args) != string(again.Args) || ready.How != again.How {
			t.Fatalf("%s %q: %s %q and %s %q", schema, raw, ready.Args, ready.How, again.Args, again.How)
		}
		if err := Check(tl.Schema, ready.Args); err != nil {
			t.Fatalf("%s %q: %s does not fit: %v", schema, raw, ready.Args, err)
		}
		if ready.How == AsWritten && Check(tl.Schema, json.RawMessage(raw)) != nil && !asWritten(raw, ready.Args) && raw[0] != '`' {
			t.Fatalf("%s %q: %s is a guess and not marked", schema, raw, ready.Args)
		}
		same, err := Prepare(tl, ready.Args, rein.Task{})
		if err != nil || same.How != AsWritten || string(same.Args) != string(ready.Args) {
			t.Fatalf("%s %q: %s became %s %q %v", schema, raw, ready.Args, same.Args, same.How, err)
		}
	})
}

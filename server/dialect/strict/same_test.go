package strict

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a client read and wrote again is the same; what a person changed is not, however little it is.
//
// Attack: 57
func TestSameJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[true,null,"x"]}`, ` { "b":[true ,null,"x"],"a":1.0 }`, true},
		{`100`, `1e2`, true},
		{`100`, `1E+2`, true},
		{`0.01`, `1e-2`, true},
		{`1200e-2`, `12`, true},
		{`0`, `-0.000e7`, true},
		{`-5`, `5`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`0.1`, `0.1000000000000000055511151231257827`, false},
		{`1e400`, `1e401`, false},
		{`1e999999999999999999999`, `1e999999999999999999999`, true},
		{`1e999999999999999999999`, `2e999999999999999999999`, false},
		{`"1"`, `1`, false},
		{`"a\u0062"`, `"ab"`, true},
		{`{"a":1}`, `{"A":1}`, false},
		{`{"a":null}`, `{}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`{"a":1}`, `{"a":1`, false},
		{``, `{}`, false},
	} {
		if got := sameJSON(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
	huge := strings.Repeat("9", 1<<20)
	if !sameJSON(json.RawMessage(huge), json.RawMessage(huge+".0")) || sameJSON(json.RawMessage(huge), json.RawMessage(huge+"1")) {
		t.Error("a number of a million digits is not compared")
	}
}

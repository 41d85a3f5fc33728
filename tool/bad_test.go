package tool_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/tool"
)

type loop struct {
	Next *loop `json:"next"`
}

type nested struct {
	User string `json:"user" trusted:"user"`
}

// made returns the error of a tool whose arguments have the type.
func made[Args any]() error {
	_, err := tool.New(spec, func(context.Context, rein.Invocation, Args) (rein.Done, error) { return rein.Done{}, nil })
	return err
}

// Each mistake in a tool's source is found when it is made, and the error says what would be right.
func TestBadArguments(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{made[string](), "must be a struct, not string"},
		{made[*struct{}](), "must be a struct"},
		{made[any](), "must be a struct"},
		{made[loop](), "cycle"},
		{made[struct{ F func() }](), "unsupported"},
		{made[struct{ place }](), "is embedded"},
		{made[struct{ B []byte }](), "use string"},
		{made[struct{ E rein.Hash }](), "reads its own JSON"},
		{made[struct {
			N int `json:"n,string"`
		}](), "leave it out"},
		{made[struct {
			A string `json:"a"`
			B string `json:"A"`
		}](), "fields A and B"},
		{made[struct {
			A string `jsonschema:""`
		}](), "empty jsonschema tag"},
		{made[struct {
			X string `json:"x" trusted:"usr"`
		}](), "knows no \"usr\"; it knows [household language session user zone]"},
		{made[struct {
			User string `trusted:"user"`
		}](), `write json:"user"`},
		{made[struct {
			User int `json:"user" trusted:"user"`
		}](), "exported string, not int"},
		{made[struct {
			P string `json:"p" pinned:"yes"`
		}](), `write pinned:"true", not "yes"`},
		{made[struct {
			User string `json:"user" trusted:"user" pinned:"true"`
		}](), "either trusted or pinned"},
		{made[struct {
			P string `pinned:"true"`
		}](), "with a name in JSON"},
		{made[struct {
			P int `json:"p" pinned:"true"`
		}](), "what is pinned is an exported string"},
		{made[struct {
			N struct {
				P string `json:"p" pinned:"true"`
			}
		}](), "only an argument itself"},
		{made[struct{ N nested }](), "only an argument itself"},
		{made[struct{ N []nested }](), "only an argument itself"},
		{made[struct {
			N struct {
				D int `json:"d,omitempty" default:"1"`
			}
		}](), "only an argument itself"},
		{made[struct {
			B bool `enum:"true"`
		}](), "only texts and numbers"},
		{made[struct {
			S string `enum:"a,,b"`
		}](), "empty or given twice"},
		{made[struct {
			S string `enum:"a,a"`
		}](), "empty or given twice"},
		{made[struct {
			N int `enum:"1,x"`
		}](), "invalid syntax"},
		{made[struct {
			N int `min:"x"`
		}](), "must be a number"},
		{made[struct {
			N int `min:"1.5"`
		}](), "must be a number"},
		{made[struct {
			N float64 `max:"NaN"`
		}](), "must be a number"},
		{made[struct {
			N int `min:"5" max:"4"`
		}](), "beyond the other bound"},
		{made[struct {
			N uint `min:"-1"`
		}](), "beyond what the field's type can hold"},
		{made[struct {
			S string `min:"-1"`
		}](), "whole number from 0"},
		{made[struct {
			S string `min:"3" max:"2"`
		}](), "min 3 is above max 2"},
		{made[struct {
			L []int `min:"3" max:"2"`
		}](), "min 3 is above max 2"},
		{made[struct {
			B bool `max:"1"`
		}](), "only numbers, texts and lists"},
		{made[struct {
			N int `json:"n" default:"1"`
		}](), "add omitempty"},
		{made[struct {
			N int `json:"n,omitempty" default:"x"`
		}](), "no JSON integer"},
		{made[struct {
			N int `json:"n,omitempty" default:"9" max:"3"`
		}](), "9"},
		{made[struct {
			S string `json:"s,omitempty" default:"c" enum:"a,b"`
		}](), "enum"},
		{made[struct {
			L []int `json:"l,omitempty" default:"[]"`
		}](), "only texts, numbers and booleans"},
		{made[struct {
			N int `json:"n,omitempty" default:"1e30"`
		}](), "does not fit"},
	} {
		if rein.CodeOf(c.err) != rein.CodeInvalid || !strings.Contains(c.err.Error(), c.want) || !strings.Contains(c.err.Error(), "say") {
			t.Errorf("got %v\nwant %q", c.err, c.want)
		}
	}
}

func TestBadSpecs(t *testing.T) {
	do := func(context.Context, rein.Invocation, struct{}) (rein.Done, error) { return rein.Done{}, nil }
	for want, s := range map[string]tool.Spec{
		`tool name ""`:        {Text: "t"},
		`tool name "a b"`:     {Name: "a b", Text: "t"},
		"no Text":             {Name: "a", Text: " \n"},
		`Effect "harmless"`:   {Name: "a", Text: "t", Effect: "harmless"},
		"no Effect is stated": {Name: "a", Text: "t"},
		"timeout -1s is neg":  {Name: "a", Text: "t", Effect: rein.Pure, Timeout: -time.Second},
	} {
		if _, err := tool.New(s, do); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := tool.New[struct{}](spec, nil); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

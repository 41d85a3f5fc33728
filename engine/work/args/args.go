// Package args turns what a model wrote into the arguments of a tool call. It parses, repairs and
// coerces where needed, checks them against the tool's schema, and fills in the trusted fields of
// the task. It reports how much of the result is a guess, or what is wrong and where.
package args

import (
	"encoding/json"
	"strings"

	"rein"
	"rein/internal/lenient"
)

// How says what had to be done to the arguments. Anything but AsWritten is a guess.
type How string

const (
	AsWritten How = ""
	Tolerant  How = "tolerant" // they were not strict JSON
	Coerced   How = "coerced"  // they were made to fit the schema
	ByModel   How = "model"    // a model wrote them again
)

// Ready are arguments that a tool can be given: a canonical JSON object that fits the schema, with
// the trusted fields.
type Ready struct {
	Args  json.RawMessage
	Plain json.RawMessage // the same without the trusted fields: what people and models are shown
	How   How
}

const (
	maxArgs  = 1 << 20 // bytes of arguments
	maxDepth = 64      // of arguments and of schemas
)

// Prepare brings the arguments of a call into the shape of the tool's schema. No text at all means
// no arguments. Arguments that fit as they are written are not touched. The error is a *Problem, or
// says that the tool itself is wrong.
func Prepare(t rein.Tool, raw json.RawMessage, task rein.Task) (Ready, error) {
	return prepare(t, string(raw), task, Tolerant, Coerced)
}

// prepare does the work of Prepare; mended and coerced are what it calls its two kinds of guess.
func prepare(t rein.Tool, text string, task rein.Task, mended, coerced How) (Ready, error) {
	schema, err := compile(t.Schema)
	if err != nil {
		return Ready{}, rein.Errorf(rein.CodeInvalid, "tool %q: %w", t.Name, err)
	}
	if ready, ok := schema.readyAsWritten(t, text); ok {
		return ready, nil
	}
	value, how, err := parse(text, mended, t.Effect != "" && t.Effect != rein.Pure)
	if err != nil {
		return Ready{}, about(t, err)
	}
	object, _ := value.(map[string]any)
	strip(t, object)
	first := schema.check(value)
	if first == nil {
		return finish(t, object, task, how)
	}
	if first == errTangled {
		return Ready{}, about(t, first)
	}
	value = schema.coerce(t.Name, value)
	object, _ = value.(map[string]any)
	strip(t, object)
	if second := schema.check(value); second != nil {
		return Ready{}, about(t, second)
	}
	return finish(t, object, task, coerced)
}

// parse reads the text that a model wrote. If it must be whole, a text that was cut off is
// refused: half a file or half a command is worse than none. One that was cut off before it said
// anything always is: it does not mean that there are no arguments.
func parse(text string, mended How, whole bool) (any, How, error) {
	if strings.TrimSpace(text) == "" {
		return map[string]any{}, AsWritten, nil
	}
	if len(text) > maxArgs {
		return nil, "", &Problem{Msg: "they are too long; at most 1 MB is taken", Offset: -1}
	}
	found, err := lenient.Value(text)
	if err != nil {
		return nil, "", syntaxProblem(err)
	}
	if found.Cut && (whole || string(found.JSON) == "{}") {
		return nil, "", &Problem{Msg: "they are cut off; write them again, shorter if need be", Offset: len(text), Cut: true}
	}
	value, err := decode(found.JSON)
	if err != nil {
		return nil, "", err
	}
	if found.Repaired {
		return value, mended, nil
	}
	return value, AsWritten, nil
}

// Edited takes the arguments that a person wrote in place of a model's: nothing is mended, and the
// trusted fields are the task's again.
func Edited(t rein.Tool, args json.RawMessage, task rein.Task) (Ready, error) {
	schema, err := compile(t.Schema)
	if err != nil {
		return Ready{}, rein.Errorf(rein.CodeInvalid, "tool %q: %w", t.Name, err)
	}
	value, err := parseStrict(args)
	if err != nil {
		return Ready{}, about(t, err)
	}
	object, _ := value.(map[string]any)
	strip(t, object)
	if problem := schema.check(value); problem != nil {
		return Ready{}, about(t, problem)
	}
	return finish(t, object, task, AsWritten)
}

// Check says what is wrong with arguments that a person wrote, if anything. It mends nothing.
// Trusted fields are not part of a schema, so arguments are checked without them.
func Check(schema, args json.RawMessage) error {
	compiled, err := compile(schema)
	if err != nil {
		return err
	}
	value, err := parseStrict(args)
	if err != nil {
		return about(rein.Tool{Schema: schema}, err)
	}
	if problem := compiled.check(value); problem != nil {
		return about(rein.Tool{Schema: schema}, problem)
	}
	return nil
}

func parseStrict(args json.RawMessage) (any, error) {
	if len(args) > maxArgs {
		return nil, &Problem{Msg: "they are too long; at most 1 MB is taken", Offset: -1}
	}
	if !json.Valid(args) {
		_, err := decodeStrict(args)
		return nil, err
	}
	found, err := lenient.Value(string(args))
	if err != nil {
		return nil, syntaxProblem(err)
	}
	if found.Repaired {
		return nil, &Problem{Msg: "they hold characters that are not valid Unicode", Offset: -1}
	}
	return decode(found.JSON)
}

package eventjson_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"rein"
	"rein/internal/eventjson"
)

// standard is what encoding/json writes.
func standard(value any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}

// compare writes a payload in both ways.
func compare(t *testing.T, payload any) {
	t.Helper()
	want, wantErr := standard(payload)
	got, err := eventjson.Append([]byte("before "), payload)
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("%T: error %v, want %v", payload, err, wantErr)
	}
	if err == nil && string(got) != "before "+want {
		t.Fatalf("%T is written as\n%s\nwant\n%s", payload, got, "before "+want)
	}
}

// TestRandom fills payloads of every type with values that are hard to write.
func TestRandom(t *testing.T) {
	t.Parallel()
	types := []any{
		rein.StepStart{},
		rein.StepEnd{},
		rein.RunEnd{},
		rein.RunStart{},
		rein.Task{},
		rein.Attempt{},
		rein.Renewed{},
		rein.Waiting{},
		rein.Intent{},
		rein.Checked{},
		rein.Parked{},
		rein.Blocked{},
		rein.Ask{},
		rein.Command{},
	}
	for seed := range uint64(4000) {
		f := &filler{rand.New(rand.NewPCG(seed, 15))}
		for _, of := range types {
			payload := reflect.New(reflect.TypeOf(of))
			f.fill(payload.Elem(), 0)
			compare(t, payload.Interface())
			compare(t, payload.Elem().Interface())
		}
	}
}

// TestEmpty writes values that say nothing.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, payload := range []any{
		nil, &rein.StepStart{}, &rein.StepEnd{}, &rein.RunEnd{}, &rein.RunStart{},
		(*rein.StepStart)(nil), (*rein.StepEnd)(nil), (*rein.RunEnd)(nil), (*rein.RunStart)(nil),
		&rein.Task{}, (*rein.Task)(nil),
		&rein.StepEnd{Message: &rein.Message{}, Result: &rein.ToolResult{}, Usage: &rein.Usage{}},
		&rein.StepStart{Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Compact: &rein.Compact{}}}, Call: &rein.ToolCall{}},
	} {
		compare(t, payload)
	}
}

// A filler fills values at random.
type filler struct{ *rand.Rand }

var (
	texts = []string{"", "", "a", "plain text", "a\"b\\c\n\t\x00\x7f", "<b>&amp;</b>", "line\u2028end\u2029", "\xff\xfe", "größer 日本 \U0001F600", "{", "null"}
	raws  = []string{"", "", `{}`, `{"q":"step 1"}`, " { \"a\" : [ 1 , 2.50 ] } ", `"<&>"`, "\"\u2028\"", `null`, `{"a":"\u003c"}`, `{"cut":`, `not JSON`}
)

// fill fills a value. Deeper values are more often left empty, so that it ends.
func (f *filler) fill(v reflect.Value, depth int) {
	if f.IntN(10) < 3+depth {
		return
	}
	switch v.Interface().(type) {
	case json.RawMessage:
		n := len(raws)
		if f.IntN(8) > 0 {
			n -= 2 // mostly JSON
		}
		v.SetBytes([]byte(raws[f.IntN(n)]))
		return
	case time.Time:
		at := time.Unix(f.Int64N(1e10), f.Int64N(1e9)).UTC()
		if f.IntN(3) == 0 {
			at = at.In(time.FixedZone("", f.IntN(12)*1800))
		}
		v.Set(reflect.ValueOf(at))
		return
	}
	f.fillKind(v, depth)
}

func (f *filler) fillKind(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[f.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64N(1<<62) - 1<<61)
	case reflect.Float64:
		v.SetFloat(f.Float64())
	case reflect.Uint8:
		v.SetUint(uint64(f.IntN(256)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 4))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"b": texts[f.IntN(len(texts))], "a": ""}))
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), depth)
		}
	default:
		panic("cannot fill " + v.Type().String())
	}
}

package mask_test

import (
	"context"
	"encoding/json"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/server/mask"
	"rein/store"
)

const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"

// full is a store whose rows have a secret in every text.
type full struct{ store.Reader }

func (full) Run(context.Context, rein.RunID) (rein.RunInfo, error) {
	var info rein.RunInfo
	fill(reflect.ValueOf(&info).Elem())
	return info, nil
}

func (f full) Runs(ctx context.Context, _ store.Filter) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) { yield(f.Run(ctx, "")) }
}

func (full) Sessions(context.Context, store.SessionFilter) iter.Seq2[rein.SessionInfo, error] {
	var info rein.SessionInfo
	fill(reflect.ValueOf(&info).Elem())
	return func(yield func(rein.SessionInfo, error) bool) { yield(info, nil) }
}

func (full) Ask(context.Context, rein.AskID) (rein.Ask, error) {
	var ask rein.Ask
	fill(reflect.ValueOf(&ask).Elem())
	return ask, nil
}

func (f full) Asks(ctx context.Context, _ store.AskFilter) ([]rein.Ask, error) {
	ask, err := f.Ask(ctx, "")
	return []rein.Ask{ask}, err
}

func (full) Receipts(context.Context, rein.RunID) ([]rein.Receipt, error) {
	var receipt rein.Receipt
	fill(reflect.ValueOf(&receipt).Elem())
	return []rein.Receipt{receipt}, nil
}

// fill puts a secret into every text.
func fill(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"in":"` + token + `"}`))
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case v.Kind() == reflect.String:
		v.SetString(token)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// names are what rows are found by, and words that rein chose: they stay as they are.
var names = map[string]bool{
	"id": true, "run": true, "step": true, "kind": true, "household": true, "user": true, "session": true, "flow": true, "status": true,
	"ending": true, "mode": true, "modes": true, "end": true, "state": true, "effect": true, "guessed": true, "shown": true, "scope": true, "for": true, "by": true, "on_expiry": true,
	"code": true, "dim": true, "schema": true, "command": true, "commands": true, "started": true, "key": true, "name": true, "phase": true, "role": true, "touched": true, "part": true, "earlier": true,
	"active": true, "workspace": true, "family": true, "asker": true, "asked": true,
}

// Every text of what people see of a store is cleaned, also one that is added to it later.
//
// Covers: HUM-42
func TestEveryTextIsMasked(t *testing.T) {
	r := mask.New(full{}, (*guard.Redactor)(nil))
	seen := map[string]any{}
	seen["run"], _ = r.Run(t.Context(), "")
	for info := range r.Runs(t.Context(), store.Filter{}) {
		seen["runs"] = info
	}
	for info := range r.Sessions(t.Context(), store.SessionFilter{}) {
		seen["sessions"] = info
	}
	seen["ask"], _ = r.Ask(t.Context(), "")
	seen["asks"], _ = r.Asks(t.Context(), store.AskFilter{})
	seen["receipts"], _ = r.Receipts(t.Context(), "")
	for what, v := range seen {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var read any
		if err := json.Unmarshal(raw, &read); err != nil {
			t.Fatal(err)
		}
		look(t, what, "", read)
	}
}

// look looks for the secret in the texts of a JSON value.
func look(t *testing.T, path, key string, v any) {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, token) && !names[key] {
			t.Errorf("%s shows the secret", path)
		}
	case []any:
		for _, one := range v {
			look(t, path, key, one)
		}
	case map[string]any:
		for k, one := range v {
			if k != "schema" {
				look(t, path+"."+k, k, one)
			}
		}
	}
}

// Watch gives an event with a secret in its payload to whoever watches.
func (full) Watch(f func([]store.Mark)) (stop func()) {
	f([]store.Mark{{Run: "r", Seq: 1}, {Run: "r", Seq: 2, Read: func() rein.Event {
		return rein.Event{Run: "r", Seq: 2, Data: json.RawMessage(`{"in":"` + token + `"}`)}
	}}})
	return func() {}
}

// TestWatchIsMasked shows those who are told of events what readers of the log are shown.
func TestWatchIsMasked(t *testing.T) {
	read := 0
	mask.New(full{}, (*guard.Redactor)(nil)).Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Read == nil {
				continue
			}
			read++
			if e := m.Read(); strings.Contains(string(e.Data), token) || len(e.Data) == 0 || e.Seq != 2 {
				t.Errorf("the event is shown as %+v with %s", e, e.Data)
			}
		}
	})()
	if read != 1 {
		t.Errorf("%d events can be read, want 1", read)
	}
}

package server

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/household/erase"
	"rein/vault"
	"rein/vault/stage"
)

// Every field that another package names in JSON reaches the API, under the same key and with the same
// value: a field that a conversion forgets, or swaps with another, makes the two JSONs differ.
func TestEveryFieldMakesTheTrip(t *testing.T) {
	trip(t, apiErasure)
	trip(t, apiThing)
	trip(t, func(v erase.Target) api.Target { return api.Target(v) })
	trip(t, apiVaultStatus)
	trip(t, apiEntry)
	trip(t, apiHit)
	trip(t, apiTerm)
	trip(t, apiAbout)
	trip(t, apiLinks)
	trip(t, func(v vault.Text) api.NotePart { return api.NotePart(v) })
	trip(t, apiChange)
	trip(t, apiWritten)
	trip(t, func(r vault.Results) map[string]any { return without(t, apiFound(r), "took_ms") })
	trip(t, func(c stage.Commit) map[string]any { return without(t, apiCommit(c), "by", "run", "session") })
}

// What the API adds to a search and to a commit.
func TestWhatConversionsAdd(t *testing.T) {
	if found := apiFound(vault.Results{Took: 7 * time.Millisecond}); found.TookMS != 7 || found.Hits == nil {
		t.Errorf("a search without hits: %+v", found)
	}
	of := stage.Commit{ID: "r1:2", Place: rein.Place{User: "ann", Session: "s"}}
	if c := apiCommit(of); c.By != "ann" || c.Session != "s" || c.Run != "r1" || c.Notes == nil {
		t.Errorf("a commit: %+v", c)
	}
}

// trip fills a value, converts it and compares the JSON of both.
func trip[From, To any](t *testing.T, convert func(From) To) {
	t.Helper()
	for start := range 2 {
		var from From
		fill(reflect.ValueOf(&from).Elem(), &start)
		if want, got := jsonOf(t, from), jsonOf(t, convert(from)); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: got %v, want %v", from, got, want)
		}
	}
}

func without(t *testing.T, value any, keys ...string) map[string]any {
	m := jsonOf(t, value).(map[string]any)
	for _, key := range keys {
		delete(m, key)
	}
	return m
}

func jsonOf(t *testing.T, value any) (out any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fill gives every exported field a value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(*n), 0).UTC()))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), n)
			}
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case v.Kind() == reflect.String:
		v.SetString("text " + strconv.Itoa(*n))
	case v.Kind() == reflect.Bool:
		v.SetBool(*n%2 == 0) // the other way round from the other start
	case v.CanInt():
		v.SetInt(int64(*n))
	case v.CanFloat():
		v.SetFloat(float64(*n))
	case v.CanUint():
		v.SetUint(uint64(*n % 200))
	default:
		panic("fill: " + v.Type().String())
	}
}

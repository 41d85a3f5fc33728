package eventjson_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"rein"
	"rein/internal/eventjson"
)

// TestRecorded compares starts with what is read after they were written.
func TestRecorded(t *testing.T) {
	t.Parallel()
	copied := 0
	for seed := range uint64(40000) {
		f := &filler{rand.New(rand.NewPCG(seed, 16))}
		var start, want rein.RunStart
		f.fill(reflect.ValueOf(&start).Elem(), 0)
		f.common(&start)
		got, ok := eventjson.Recorded(&start)
		if !ok {
			continue
		}
		copied++
		data, err := json.Marshal(start)
		if err != nil {
			t.Fatalf("seed %d: a start that cannot be written passes: %v", seed, err)
		}
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d:\n%+v\nwant what is read:\n%+v", seed, got, want)
		}
		spoil(&start)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: the copy shares something with the original", seed)
		}
	}
	if copied < 1000 {
		t.Errorf("only %d of 40000 starts were copied", copied)
	}
}

// common takes most of what is rare out of a start.
func (f *filler) common(s *rein.RunStart) {
	if f.IntN(10) > 0 {
		s.Task.Fork, s.Task.Branch = nil, nil
	}
	for i := range s.Task.Messages {
		if f.IntN(10) > 0 {
			m := &s.Task.Messages[i]
			m.Calls, m.Images, m.Past, m.Raw = m.Calls[:0], m.Images[:0], nil, nil
		}
	}
}

// spoil changes what a copy could share.
func spoil(s *rein.RunStart) {
	t := &s.Task
	for _, list := range [][]string{t.Tools, t.CodeTools, t.Notices, t.Policy.Allow, t.Policy.Ask, t.Policy.Deny, t.Policy.Usual} {
		clear(list)
	}
	clear(t.Messages)
	clear(t.Settings)
	clear(t.Metadata)
	clear(t.Texts)
	if t.Budget != nil {
		*t.Budget = rein.Budget{Depth: -1}
	}
}

// A new field of a task must be copied too: whoever adds one looks at Recorded.
func TestRecordedKnowsAllFields(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]int{
		reflect.TypeFor[rein.RunStart](): 3, reflect.TypeFor[rein.Task](): 26, reflect.TypeFor[rein.Message](): 13,
		reflect.TypeFor[rein.Policy](): 6, reflect.TypeFor[rein.Budget](): 2,
	} {
		if of := value.(reflect.Type); of.NumField() != want {
			t.Errorf("%s has %d fields, not %d: see to it that Recorded copies them, and correct this number", of, of.NumField(), want)
		}
	}
}

func BenchmarkRecorded(b *testing.B) {
	budget := rein.DefaultBudget()
	start := &rein.RunStart{Task: rein.Task{
		Flow: "answer", Messages: []rein.Message{{Role: rein.User, Text: "What is in my notes?"}}, Tools: []string{"notes.search", "notes.read"},
		Settings: json.RawMessage(`{"rounds":5}`), Budget: &budget, Household: "home", User: "owner", Session: "s", Start: time.Now().UTC(),
	}}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := eventjson.Recorded(start); !ok {
			b.Fatal("not copied")
		}
	}
}

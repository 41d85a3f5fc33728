package main

import (
	"reflect"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/server/openapi"
)

type (
	mood string
	pet  struct{}
)

// TestReadVocabulary reads comments and constants of the types that are asked for, and no others.
func TestReadVocabulary(t *testing.T) {
	tree := fstest.MapFS{
		"internal/apidoc/a.go": {Data: []byte(`package main

// A pet is kept.
// It has a name.
type pet struct {
	// Name is what it hears to.
	Name string
	Age, Weight int // in years and pounds
	None bool
}

// other is not asked for.
type other struct{ X int } // x
`)},
		"internal/apidoc/b.go": {Data: []byte(`package main

// mood is how it is.
type mood string

const (
	happy mood = "happy" // mostly
	angry mood = "an\"gry"
	size       = "size"
	odd  other = "odd"
)

var not mood = "not"
`)},
		"internal/apidoc/b_test.go": {Data: []byte(`package main

const sad mood = "sad"
`)},
	}
	got, err := readVocabulary(tree, []reflect.Type{reflect.TypeFor[mood](), reflect.TypeFor[pet](), reflect.TypeFor[time.Time]()})
	if err != nil {
		t.Fatal(err)
	}
	want := openapi.Vocabulary{
		Comments: map[string]string{
			"apidoc.pet": "A pet is kept. It has a name.", "apidoc.pet.Name": "Name is what it hears to.",
			"apidoc.pet.Age": "in years and pounds", "apidoc.pet.Weight": "in years and pounds", "apidoc.mood": "mood is how it is.",
			"apidoc.mood=happy": "mostly",
		},
		Words: map[string][]string{"apidoc.mood": {"happy", `an"gry`}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	tree["internal/apidoc/c.go"] = &fstest.MapFile{Data: []byte("package")}
	if _, err := readVocabulary(tree, []reflect.Type{reflect.TypeFor[pet]()}); err == nil {
		t.Error("what cannot be read is not told")
	}
}

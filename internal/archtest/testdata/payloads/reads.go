// Package payloads reads logs as nobody should.
package payloads

import (
	"bytes"
	"encoding/json"

	"rein"
	"rein/store"
)

func decoded(e rein.Event) (end rein.StepEnd, err error) {
	return end, json.Unmarshal(e.Data, &end)
}

type row struct{ rein.Event }

func streamed(r row) (end rein.StepEnd, err error) {
	return end, json.NewDecoder(bytes.NewReader(r.Data)).Decode(&end)
}

func length(e rein.Event) int { return len(e.Data) }

// Of an outcome, Data is another thing.
func other(end rein.RunEnd) bool { return json.Valid(end.Data) }

func verb(s rein.StepStart) string { return s.Sig }

func step() rein.StepEnd {
	return rein.StepEnd{Sig: "tool"}
}

var _ = []any{decoded, streamed, length, other, verb, step, written}

func written(w store.Writer) store.Batch { panic(w) }

// Lonely is for nobody.
func Lonely() {}

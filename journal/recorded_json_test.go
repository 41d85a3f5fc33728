package journal_test

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"testing"

	"rein"
	"rein/internal/eventjson"
	"rein/store"
	"rein/store/sqlite"
)

// The payloads of all recorded logs are written by package eventjson as encoding/json writes them.
func TestRecordedPayloads(t *testing.T) {
	logs, err := filepath.Glob("../flow/testdata/logs/*.db.gz")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs were found: %v", err)
	}
	payloads := 0
	for _, file := range logs {
		payloads += comparePayloads(t, unzipped(t, file, func(r io.Reader) (io.Reader, error) { return r, nil }))
	}
	payloads += comparePayloads(t, unzipped(t, "../internal/oldstore/testdata/b0535ce.tar.gz", database))
	if payloads < 1000 {
		t.Errorf("only %d payloads were compared", payloads)
	}
}

func comparePayloads(t *testing.T, s *sqlite.Store) (payloads int) {
	t.Helper()
	for run, err := range s.Runs(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range s.Events(t.Context(), run.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Erased || e.Data == nil {
				continue
			}
			value, err := rein.Decode(e)
			if err != nil {
				t.Fatal(err)
			}
			payloads++
			comparePayload(t, e, value)
		}
	}
	return payloads
}

func comparePayload(t *testing.T, e rein.Event, value any) {
	t.Helper()
	var want bytes.Buffer
	standard := json.NewEncoder(&want)
	standard.SetEscapeHTML(false)
	if err := standard.Encode(value); err != nil {
		t.Fatal(err)
	}
	got, err := eventjson.Append(nil, value)
	if err != nil || string(got)+"\n" != want.String() {
		t.Errorf("event %d of run %s is written as\n%s\nwant\n%s%v", e.Seq, e.Run, got, &want, err)
	}
}

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

func shelf(texts []Text) func(rein.Hash) ([]byte, bool) {
	kept := map[rein.Hash][]byte{}
	for _, text := range texts {
		kept[text.Hash] = text.Data
	}
	return func(h rein.Hash) ([]byte, bool) {
		text, ok := kept[h]
		return text, ok
	}
}

func TestPackRoundTrip(t *testing.T) {
	long := strings.Repeat("a long text ", 40)
	tests := []struct {
		name  string
		data  string
		texts int
	}{
		{"nothing", "", 0},
		{"short", `{"text":"short"}`, 0},
		{"long", `{"text":"` + long + `","n":1}`, 1},
		{"twice", `["` + long + `","` + long + `"]`, 2},
		{"long key", `{"` + long + `":1}`, 1},
		{"escapes", `{"text":"\"` + long + `\\","b":"\\"}`, 1},
		{"one short of long", `"` + strings.Repeat("x", minText-1) + `"`, 0},
		{"just long", `"` + strings.Repeat("x", minText) + `"`, 1},
		{"not JSON, begins like a packed one", "\x00\x01", 0},
		{"an open literal", `{"text":"` + long, 0},
		{"ends in an escape", `"` + long + `\`, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			blob, texts := Pack([]byte(test.data))
			if len(texts) != test.texts {
				t.Errorf("took out %d texts, want %d", len(texts), test.texts)
			}
			if test.texts > 0 && json.Valid(blob) {
				t.Errorf("a packed blob looks like JSON: %q", blob)
			}
			got, err := Unpack(blob, shelf(texts))
			if err != nil || string(got) != test.data {
				t.Errorf("came back as %q, %v", got, err)
			}
		})
	}
}

func TestUnpackRefuses(t *testing.T) {
	text := []byte(strings.Repeat("x", minText))
	blob, texts := Pack([]byte(`{"text":"` + string(text) + `"}`))
	if _, err := Unpack(blob, shelf(nil)); rein.CodeOf(err) != rein.CodeDamaged {
		t.Errorf("a missing text: %v", err)
	}
	for n := 1; n < len(blob); n++ {
		if _, err := Unpack(blob[:n], shelf(texts)); rein.CodeOf(err) != rein.CodeDamaged {
			t.Errorf("cut at %d of %d: %v", n, len(blob), err)
		}
	}
	hash := rein.Hash(sha256.Sum256(text))
	bomb := []byte{packed, 0xe8, 0x07, 0}
	for range 1000 {
		bomb = append(append(bomb, hash[:]...), 0)
	}
	big := bytes.Repeat(text, 1000)
	_, err := Unpack(bomb, func(rein.Hash) ([]byte, bool) { return big, true })
	if rein.CodeOf(err) != rein.CodeDamaged {
		t.Errorf("a blob that grows without end: %v", err)
	}
}

func FuzzPack(f *testing.F) {
	f.Add([]byte(`{"a":"` + strings.Repeat(`\"`, 200) + `"}`))
	f.Add([]byte("\x00\x03abc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		blob, texts := Pack(data)
		got, err := Unpack(blob, shelf(texts))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%q came back as %q, %v", data, got, err)
		}
		// The same bytes as a blob: anything but a panic.
		Unpack(data, shelf(texts))
	})
}

package lenient

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzValue(f *testing.F) { fuzz(f, Value) }

func FuzzFirst(f *testing.F) {
	fuzz(f, func(text string) (Found, error) { return First(text, "") })
}

func FuzzLast(f *testing.F) { fuzz(f, Last) }

func fuzz(f *testing.F, find func(string) (Found, error)) {
	for _, c := range builtIn {
		f.Add(c.Input)
	}
	for _, start := range starts {
		for _, unit := range damage {
			f.Add(start + strings.Repeat(unit, 3))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := find(text)
		plain, plainErr := strict(text)
		if err != nil {
			if object, ok := plain.value.(map[string]any); plainErr == nil && ok {
				t.Fatalf("%q is the object %v, but: %v", text, object, err)
			}
			return
		}
		if !json.Valid(found.JSON) || !utf8.Valid(found.JSON) {
			t.Fatalf("%q gave invalid JSON: %s", text, found.JSON)
		}
		if found.Start < 0 || found.Start >= found.End || found.End > len(text) {
			t.Fatalf("%q: found in %d to %d", text, found.Start, found.End)
		}
		if plainErr == nil && plain.exact && (found.Repaired || string(found.JSON) != string(plain.json)) {
			t.Fatalf("%q is strict, but gave %s, repaired %t", text, found.JSON, found.Repaired)
		}
		if !found.Repaired && !strings.Contains(text, "\\") {
			inner := strings.Trim(text[found.Start:found.End], "` \r\n\t")
			for _, tag := range []string{"json5", "jsonc", "json"} {
				if len(inner) >= len(tag) && strings.EqualFold(inner[:len(tag)], tag) {
					inner = inner[len(tag):]
					break
				}
			}
			if !json.Valid([]byte(inner)) {
				t.Fatalf("%q: %q is not strict and not marked as repaired", text, inner)
			}
		}
		again, err := find(string(found.JSON))
		if err != nil || again.Repaired || string(again.JSON) != string(found.JSON) {
			t.Fatalf("%q gave %s, which gave %s, repaired %t, %v", text, found.JSON, again.JSON, again.Repaired, err)
		}
	})
}

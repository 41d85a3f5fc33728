package engine

import (
	"testing"

	"rein"
	"rein/engine/work"
)

// A name in the model's own spelling is guessed only if one tool can be meant, and never across families.
func TestMatchName(t *testing.T) {
	usable := []string{"read_file", "codebase.read_file", "a.b", "a_b", "notes.find", "time"}
	known := &work.Worker{Tools: map[string]rein.Tool{"vault.delete": {}, "time": {}}, Families: []string{"skill"}}
	for _, name := range usable {
		known.Tools[name] = rein.Tool{}
	}
	for name, want := range map[string]string{
		"a.b": "a.b", "a_b": "a_b", "codebase.read_file": "codebase.read_file",
		"functions.Read-File": "read_file", " `Time()` ": "time", "default_api:time": "time",
		"codebase_read_file": "codebase.read_file", "codebase-read_file": "codebase.read_file", "functions.codebase.read_file": "codebase.read_file",
		"Codebase/Read_File": "codebase.read_file",
		"a-b":                "", // a.b or a_b
		"find":               "", // somebody else's find
		"other.find":         "",
		"codebase.time":      "", // codebase has no time
		"vault.time":         "", // nor has a family that is not usable here
		"delete":             "",
		"skill.x.read_file":  "", // of a skill that is not there
		"Skill.time":         "",
		"":                   "",
	} {
		match, guessed := matchName(name, usable, known)
		if match != want || guessed != (want != "" && want != name) {
			t.Errorf("%q is %q (guessed: %t), want %q", name, match, guessed, want)
		}
	}
}

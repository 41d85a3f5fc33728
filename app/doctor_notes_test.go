package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein/app/config"
	"rein/vault"
)

// rein doctor warns of a rule that hides nothing.
func TestDoctorNamesRulesWithoutFolder(t *testing.T) {
	notes := t.TempDir()
	if err := os.Mkdir(filepath.Join(notes, "Diary"), 0o700); err != nil {
		t.Fatal(err)
	}
	settings := &config.Config{}
	settings.Notes.Vault, settings.Notes.Exclude = notes, []string{"Diary", "Dairy"}
	d := &doctor{Place: Place{Folder: t.TempDir()}, tip: func(s string) string { return s }}
	d.checkNotes(settings)
	last := d.findings[len(d.findings)-1]
	if len(d.findings) != 2 || last.State != Warn || !strings.Contains(last.Says, `"Dairy"`) {
		t.Errorf("the doctor says %+v", d.findings)
	}
}

// rein doctor names the notes that are too large to be searched in full.
//
// Attack: 42
func TestDoctorNamesLargeNotes(t *testing.T) {
	notes, data := t.TempDir(), t.TempDir()
	path, err := RealPath(notes)
	if err != nil {
		t.Fatal(err)
	}
	settings := &config.Config{}
	settings.Notes.Vault = notes
	examine := func() Finding {
		root, err := os.OpenRoot(notes)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		v, err := vault.Open(t.Context(), vault.Options{Root: root, Index: indexFolder(data, path), Still: true})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if err := v.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		d := &doctor{Place: Place{Folder: data}, tip: func(s string) string { return "`rein " + s + "`" }}
		d.checkNotes(settings)
		return d.findings[0]
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.md", "# A\nhello\n")
	if f := examine(); f.State != Fine {
		t.Errorf("%+v", f)
	}
	write("many.md", strings.Repeat("# a\n", 1000))
	if f := examine(); f.State != Warn || !strings.Contains(f.Says, "many.md") || !strings.Contains(f.Do, "split them") {
		t.Errorf("%+v", f)
	}
}

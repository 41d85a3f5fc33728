package notes_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/engine/work/args"
	"rein/tool/notes"
	"rein/vault"
)

// openVault makes a vault of these notes, all of them indexed.
func openVault(t *testing.T, files map[string]string) *vault.Vault {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(file), 0o755))
		check(t, os.WriteFile(file, []byte(text), 0o600))
	}
	root, err := os.OpenRoot(dir)
	check(t, err)
	v, err := vault.Open(t.Context(), vault.Options{Root: root, Index: t.TempDir(), Exclude: []string{"Private"}, Still: true})
	check(t, err)
	t.Cleanup(func() {
		v.Close()
		root.Close()
	})
	check(t, v.Sync(context.Background()))
	return v
}

// use calls a reading tool as a run would, after its arguments were checked.
func use(t *testing.T, v *vault.Vault, name, arguments, settings string) (string, error) {
	t.Helper()
	tools, err := notes.Reading(v, func(task *rein.Task) notes.Limits { return notes.DefaultLimits().Frozen(*task) })
	check(t, err)
	task := rein.Task{Flow: "answer", Settings: json.RawMessage(settings), Household: "home", User: "owner", Session: "s"}
	for _, tool := range tools {
		if tool.Name != name {
			continue
		}
		ready, err := args.Prepare(tool, json.RawMessage(arguments), task)
		if err != nil {
			return "", err
		}
		done, err := tool.Do(t.Context(), rein.Invocation{Run: "r", Step: "1", Args: ready.Args, Task: &task, Reach: reachOf(t, v.Locate("."))(&task)})
		return done.Text, err
	}
	t.Fatalf("there is no tool %s", name)
	return "", nil
}

var garden = map[string]string{
	"Garden/Beans.md":  "---\ntags: [food/beans]\n---\n# Beans\n\nBeans want warm soil.\n\n## Harvest\n\nIn August, when the pods are dry.\n",
	"Gardens.md":       "# Gardens\n\nBeans are in another folder.\n",
	"Private/Diary.md": "# Diary\n\nBeans are my secret.\n",
}

// find_similar has the shape and the bounds that the flow answer relies on.
//
// Covers: HUM-20 HUM-21 HUM-22 HUM-23 HUM-24 HUM-25 HUM-41/notes
func TestFindSimilar(t *testing.T) {
	v := openVault(t, garden)
	for name, c := range map[string]struct {
		args, settings string
		has, hasNot    []string
		wrong          string // what the error says
	}{
		"a hit":             {args: `{"queries":["warm soil"]}`, has: []string{`"ok":true`, `"path":"Garden/Beans.md"`, `"section":"Beans"`, `"score":`, `"snippet":`, `"took_ms":`, `"start":`, `"hash":`}},
		"an excluded note":  {args: `{"queries":["beans"]}`, hasNot: []string{"Diary", "secret"}},
		"a folder":          {args: `{"queries":["beans"],"filter":{"folder":"/Garden/"}}`, has: []string{"Garden/Beans.md"}, hasNot: []string{"Gardens.md"}},
		"a tag above":       {args: `{"queries":["beans"],"filter":{"tag":"#food"}}`, has: []string{"Garden/Beans.md"}, hasNot: []string{"Gardens.md"}},
		"nothing":           {args: `{"queries":["zebra"]}`, has: []string{`"ok":true,"data":[]`}},
		"k of the settings": {args: `{"queries":["beans"]}`, settings: `{"k":1}`, has: []string{`"data":[{`}, hasNot: []string{`},{"path"`}},
		"too large a k":     {args: `{"queries":["beans"],"k":5000}`, has: []string{`"notices":["k 5000 is above the limit in the settings: 20 was used`}},
		"no query":          {args: `{"queries":[]}`, wrong: "queries"},
		"blank queries":     {args: `{"queries":[" ",""]}`, wrong: "not blank"},
		"k of zero":         {args: `{"queries":["x"],"k":0}`, wrong: "k"},
	} {
		text, err := use(t, v, "find_similar", c.args, c.settings)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: error %v does not say %q", name, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range c.has {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in %s", name, part, text)
			}
		}
		for _, part := range c.hasNot {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q is in %s", name, part, text)
			}
		}
	}
}

// read_note reads notes, sections and ranges, and nothing else.
//
// Covers: HUM-30 HUM-31 HUM-32 HUM-33 HUM-41/notes
func TestReadNote(t *testing.T) {
	v := openVault(t, garden)
	long := openVault(t, map[string]string{"Long.md": "# One\n\n" + strings.Repeat("word ", 2000) + "\n# Two\n\nend\n"})
	for name, c := range map[string]struct {
		vault          *vault.Vault
		args, settings string
		has            string
		wrong          string
	}{
		"a note":               {v, `{"path":"Garden/Beans.md"}`, "", `# Beans`, ""},
		"without its ending":   {v, `{"path":"Garden/Beans"}`, "", `"path":"Garden/Beans.md"`, ""},
		"a section":            {v, `{"path":"Garden/Beans.md","section":"harvest"}`, "", `"text":"## Harvest`, ""},
		"a range of a section": {v, `{"path":"Garden/Beans.md","section":"Harvest","start":0,"end":10}`, "", `"text":"## Harvest"`, ""},
		"an end too far":       {v, `{"path":"Gardens.md","start":2,"end":9999}`, "", `Gardens\n\nBeans are in another folder.`, ""},
		"clipped":              {long, `{"path":"Long.md","max_chars":200}`, "", `"suggest":"Two"`, ""},
		"clipped by settings":  {long, `{"path":"Long.md"}`, `{"read_max_chars":300}`, `clipped to 300 of`, ""},
		"unknown":              {v, `{"path":"None.md"}`, "", "", "there is no note"},
		"unknown section":      {v, `{"path":"Garden/Beans.md","section":"Sowing"}`, "", "", "Harvest"},
		"outside":              {v, `{"path":"../../etc/passwd"}`, "", "", "leads out of the vault"},
		"excluded":             {v, `{"path":"Private/Diary.md"}`, "", "", "excluded"},
		"backwards":            {v, `{"path":"Gardens.md","start":9,"end":2}`, "", "", "start"},
		"negative":             {v, `{"path":"Gardens.md","start":-1}`, "", "", "start"},
	} {
		text, err := use(t, c.vault, "read_note", c.args, c.settings)
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: error %v does not say %q", name, err, c.wrong)
		case c.wrong == "" && (err != nil || !strings.Contains(text, c.has)):
			t.Errorf("%s: %q is not in %s, %v", name, c.has, text, err)
		}
	}
}

// Hits that are not plain passages come with what can be done with them.
//
// Covers: HUM-91 HUM-92
func TestNoticesAboutHits(t *testing.T) {
	for _, tt := range []struct {
		hits []vault.Hit
		want string
	}{
		{[]vault.Hit{{Path: "a.md"}}, ""},
		{[]vault.Hit{{Path: "a.md", Block: "^x"}}, "a block (^id) can be cited"},
		{[]vault.Hit{{Path: "a.pdf", File: true}}, "tell the person"},
	} {
		if got := strings.Join(notes.AboutHits(tt.hits), "\n"); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %q, want %q", tt.hits, got, tt.want)
		}
	}
}

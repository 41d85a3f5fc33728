package texts_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"rein"
	"rein/app/texts"
	"rein/flow"
)

// folder writes the files of an archive.
func folder(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		put(t, dir, f.Name, string(f.Data))
	}
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, dir string) (map[string]string, []string) {
	t.Helper()
	own, err := texts.Load(dir, nil, flow.Kinds().CheckText)
	if err != nil {
		t.Fatal(err)
	}
	return own.Texts, own.Notices
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every kind of text is found, with its line ends mended; other files are left alone.
func TestLoad(t *testing.T) {
	dir := folder(t, `
-- README.md --
not a text
-- SOUL.md --
You are Rosie.
-- prompts/closing.md --
Stop now.
-- prompts/notes.txt --
not a prompt
-- rules/b.md --
Be brief.
-- rules/a.md --
Be kind.
-- rules/.hidden.md --
no
-- skills/README.md --
not a skill
-- skills/tea/SKILL.md --
---
name: make-tea
description: "How to make tea"
license: none
---
Boil water.
-- skills/tea/more.txt --
more
`)
	put(t, dir, "rules/c.md", "\uFEFFOne.\r\nTwo.\r\n")
	found, notices := load(t, dir)
	same(t, notices, []string(nil))
	same(t, found, map[string]string{
		"SOUL": "You are Rosie.", "closing": "Stop now.", "rule/a": "Be kind.", "rule/b": "Be brief.", "rule/c": "One.\nTwo.",
		"skill/make-tea": "---\nname: make-tea\ndescription: \"How to make tea\"\nlicense: none\n---\nBoil water.",
	})
	put(t, dir, "SOUL.md", "You are Max.")
	if found, _ := load(t, dir); found["SOUL"] != "You are Max." {
		t.Error("an edit takes no effect")
	}
}

func TestNoFolder(t *testing.T) {
	found, notices := load(t, filepath.Join(t.TempDir(), "none"))
	if len(found)+len(notices) > 0 {
		t.Error(found, notices)
	}
	file := filepath.Join(folder(t, "-- file --\nx"), "file")
	if _, err := texts.Load(file, nil, flow.Kinds().CheckText); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a file instead of a folder: %v", err)
	}
}

// What cannot be used is reported and stops nothing else.
//
// Covers: NEU-52
func TestBroken(t *testing.T) {
	dir := folder(t, `
-- SOUL.md --

-- prompts/closing.md --
Stop, {{nonsense}}.
-- prompts/closng.md --
Stop.
-- prompts/operate.md --
Work.
-- skills/a/SKILL.md --
---
name: tea
description: How to make tea
---
-- skills/b/SKILL.md --
---
name: tea
description: How to drink tea
---
-- skills/c/SKILL.md --
Just text.
-- skills/d/SKILL.md --
---
name: coffee
---
-- skills/e/SKILL.md --
---
description: of nothing
---
-- skills/f/SKILL.md --
---
name: "rm -rf"
description: bad
---
-- skills/g/SKILL.md --
---
name: folded
description: >
  Over two
  lines.
---
-- skills/h/README.md --
no skill here
-- skills/i/SKILL.md --
---
name: water
description: How to drink water
---
`)
	put(t, dir, "rules/binary.md", "a\xffb")
	put(t, dir, "rules/long.md", strings.Repeat("x", 64<<10+1))
	found, notices := load(t, dir)
	same(t, slices.Sorted(maps.Keys(found)), []string{"operate", "skill/tea", "skill/water"})
	if !strings.Contains(found["skill/tea"], "How to make tea") {
		t.Error("of two skills with one name the second is used")
	}
	for i, want := range []string{
		"SOUL.md is not used: it is empty",
		`prompts/closing.md is not used: prompt "closing" has the placeholder {{nonsense}}, which it has no value for; available: none`,
		`prompts/closng.md is not used: there is no prompt "closng"`,
		"rules/binary.md is not used: it is not text in UTF-8",
		"rules/long.md is not used: it has more than 65536 bytes",
		`skills/b/SKILL.md is not used: its name "tea" is taken by skills/a/SKILL.md`,
		"skills/c/SKILL.md is not used: it must begin with front matter",
		"skills/d/SKILL.md is not used: its description must be one line",
		`skills/e/SKILL.md is not used: its name "" must be`,
		`skills/f/SKILL.md is not used: its name "rm -rf" must be`,
		"skills/g/SKILL.md is not used: its description must be written on one line",
		"skills/h/SKILL.md is not used: there is no such file",
	} {
		if i >= len(notices) || !strings.HasPrefix(notices[i], want) {
			t.Fatalf("notice %d must begin with %q; there is:\n%s", i, want, strings.Join(notices, "\n"))
		}
	}
	if len(notices) != 12 {
		t.Errorf("%d notices:\n%s", len(notices), strings.Join(notices, "\n"))
	}
}

// No link leads out of the folder, and nothing is waited for.
func TestLinks(t *testing.T) {
	secret := folder(t, "-- secret.md --\nsecret\n-- skill/SKILL.md --\n---\nname: out\ndescription: d\n---\n")
	dir := folder(t, "-- rules/a.md --\nBe kind.\n-- skills/none --\n")
	for name, target := range map[string]string{
		"SOUL.md": filepath.Join(secret, "secret.md"), "rules/out.md": "../../../../../../../../etc/passwd", "rules/in.md": "a.md",
		"skills/out": filepath.Join(secret, "skill"), "prompts": secret,
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "rules/pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, notices := load(t, dir)
	same(t, found, map[string]string{"rule/a": "Be kind.", "rule/in": "Be kind."})
	if len(notices) != 5 || strings.Contains(strings.Join(notices, ""), "secret") {
		t.Errorf("%d notices:\n%s", len(notices), strings.Join(notices, "\n"))
	}
}

// There can be only so much.
func TestTooMuch(t *testing.T) {
	dir := t.TempDir()
	for i := range 205 {
		put(t, dir, fmt.Sprintf("rules/%03d.md", i), "x")
	}
	put(t, dir, "skills/late/SKILL.md", "---\nname: late\ndescription: d\n---\n")
	found, notices := load(t, dir)
	if len(found) != 200 || len(notices) != 1 || !strings.Contains(notices[0], "more than 200 files") {
		t.Errorf("%d texts, %q", len(found), notices)
	}
	dir = t.TempDir()
	for i := range 10 {
		put(t, dir, fmt.Sprintf("rules/%d.md", i), strings.Repeat("x", 60<<10))
	}
	found, notices = load(t, dir)
	if len(found) != 8 || len(notices) != 2 || !strings.Contains(notices[0], "all texts together") {
		t.Errorf("%d texts, %q", len(found), notices)
	}
}

// A prompt can be in a file of another name: in one that several share, and in one that is there or not.
//
// Covers: RAO-20/seams
func TestNamedFiles(t *testing.T) {
	dir := folder(t, `
-- prompts/own.md --
Think.
-- prompts/agent_reason_prompt.md --
Not this.
-- prompts/closing.md --
Stop now.
`)
	for _, c := range []struct {
		files   map[string]string
		want    map[string]string
		notices []string
	}{
		{map[string]string{"agent_reason_prompt": "own.md", "agent_observe_prompt": "own.md"}, map[string]string{"agent_reason_prompt": "Think.", "agent_observe_prompt": "Think.", "closing": "Stop now."}, []string{
			"prompts/agent_reason_prompt.md is not used: the settings name own.md in its place",
		}},
		{map[string]string{"agent_reason_prompt": "gone.md", "agent_observe_prompt": "agent_observe_prompt.md"}, map[string]string{"closing": "Stop now."}, []string{
			"prompts/agent_reason_prompt.md is not used: the settings name gone.md in its place",
			`prompts/own.md is not used: there is no prompt "own"; available: ` + strings.Join(flow.Kinds().TextNames(), ", "),
			"prompts/gone.md is not used: it does not exist; the built-in agent_reason_prompt is used",
		}},
	} {
		own, err := texts.Load(dir, c.files, flow.Kinds().CheckText)
		if err != nil {
			t.Fatal(err)
		}
		same(t, own.Texts, c.want)
		same(t, own.Notices, c.notices)
	}
}

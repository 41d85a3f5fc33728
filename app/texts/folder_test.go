package texts_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/app/texts"
)

const repository = `
-- AGENTS.md --
Root.
-- CLAUDE.md --
Not this.
-- sub/CLAUDE.md --
Sub.
-- sub/deep/AGENTS.md --
Deep.
-- sub/.hidden/AGENTS.md --
Hidden.
-- other/AGENTS.md --
Other.
-- .rein/rules/brief.md --
Be brief.
-- .rein/skills/tea/SKILL.md --
---
name: tea
description: How to make tea
---
Boil water.
-- .rein/skills/tea/more/leaves.md --
Green.
-- .claude/skills/again/SKILL.md --
---
name: Tea
description: The same name
---
-- .claude/skills/coffee/SKILL.md --
---
name: coffee
description: How to make coffee
---
-- .claude/commands/review.md --
---
description: Reviews
argument-hint: FILE
---
Review $1.
-- .claude/commands/Bad Name.md --
no
-- .claude/settings.json --
{"hooks":{}}
-- skills/not/SKILL.md --
---
name: not
description: In a folder of the project
---
-- .mcp.json --
{"mcpServers":{"b":{"url":"https://example.org/mcp","headers":{"X":"y"}},"a":{"command":"npx","args":["-y","x"],"env":{"K":"v"}},"bad":{"command":"x","url":"y"}}}
`

func read(t *testing.T, dir, below string, taken ...string) *texts.Folder {
	t.Helper()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return texts.Read(texts.Place{Root: real, Folder: below, Taken: taken})
}

func paths(f *texts.Folder) (all []string) {
	for _, file := range f.Files {
		all = append(all, file.Kind+" "+file.Path)
	}
	return all
}

// What a folder brings is found where it may lie, and nowhere else; the nearest instructions come last.
func TestFolder(t *testing.T) {
	dir := folder(t, repository)
	f := read(t, dir, "sub/deep", "coffee")
	same(t, paths(f), []string{
		"command .claude/commands/Bad Name.md", "command .claude/commands/review.md", "mcp servers .mcp.json", "rule .rein/rules/brief.md",
		"skill .rein/skills/tea/SKILL.md", "skill .rein/skills/tea/more/leaves.md", "instructions AGENTS.md", "instructions sub/CLAUDE.md", "instructions sub/deep/AGENTS.md",
	})
	var levels []string
	for _, i := range f.Instructions {
		name, text := i.Rule()
		levels = append(levels, name+": "+text[strings.LastIndex(text, "\n")+1:])
	}
	same(t, levels, []string{"rule/AGENTS: Root.", "rule/AGENTS/sub: Sub.", "rule/AGENTS/sub/deep: Deep."})
	same(t, f.Rules, map[string]string{"rule/workspace/brief": "Be brief."})
	if len(f.Skills) != 1 || f.Skills[0].Name != "tea" || string(f.Skills[0].Data["more/leaves.md"]) != "Green.\n" {
		t.Errorf("%+v", f.Skills)
	}
	same(t, f.Commands, []texts.Command{{Name: "review", About: "Reviews", Hint: "FILE", Text: "Review $1.", From: "workspace"}})
	same(t, f.Servers, []texts.Server{
		{Name: "a", Command: []string{"npx", "-y", "x"}, Env: map[string]string{"K": "v"}},
		{Name: "b", URL: "https://example.org/mcp", Headers: map[string]string{"X": "y"}},
	})
	same(t, f.Problems, []string{
		`.claude/skills/again/SKILL.md is not used: its name "Tea" is taken by .rein/skills/tea/SKILL.md`,
		`.claude/skills/coffee/SKILL.md is not used: its name "coffee" is taken by another skill or tool`,
		".claude/commands/Bad Name.md is not used: the name of a command must be 1 to 64 lower-case letters, digits, '_' or '-'",
		`.mcp.json is not used: server "bad" needs either a command or a url`,
	})
	for below, want := range map[string]int{"": 1, ".": 1, "sub": 2, "sub/.hidden": 2, "../other": 1, "/": 1, "none/at/all": 1, "other": 2} {
		if got := len(read(t, dir, below).Instructions); got != want {
			t.Errorf("in %q there are %d instructions, not %d", below, got, want)
		}
	}
}

// The files of the folder that the command of a server names belong to what it brings; a server whose program lies outside
// behind a link is not used. What starts is shown whole.
func TestProgramsOfServers(t *testing.T) {
	long := strings.Repeat(" ", 500)
	dir := folder(t, `-- .mcp.json --
{`+long+`"mcpServers":{"a":{"command":"node","args":["./tools/serve.js","--x","/etc/hostname"]},"b":{"command":"run.sh"},"c":{"command":"venv/python"},"d":{"url":"https://example.org/mcp"}}}
-- tools/serve.js --
one
-- run.sh --
two
-- venv/lib --
`)
	if err := os.Symlink("/bin/sh", filepath.Join(dir, "venv/python")); err != nil {
		t.Fatal(err)
	}
	f := read(t, dir, "")
	same(t, paths(f), []string{"mcp servers .mcp.json", "mcp server run.sh", "mcp server tools/serve.js"})
	same(t, f.Problems, []string{`server "c" of .mcp.json is not used: venv/python leads out of the folder: add the server with rein mcp add`})
	if head := f.Files[0].Head(); !strings.Contains(head, "https://example.org/mcp") {
		t.Errorf("a person is shown only %q", head)
	}
	before := f.Hash()
	if err := os.WriteFile(filepath.Join(dir, "tools/serve.js"), []byte("three"), 0o600); err != nil {
		t.Fatal(err)
	}
	if read(t, dir, "").Hash() == before {
		t.Error("a changed program has the same hash")
	}
}

// Whatever is changed gives another hash; a folder that brings nothing has none.
func TestHash(t *testing.T) {
	dir := folder(t, repository)
	before := read(t, dir, "").Hash()
	if again := read(t, folder(t, repository), "").Hash(); again != before || before == "" {
		t.Errorf("the same content is %q and %q", before, again)
	}
	leaves := filepath.Join(dir, ".rein/skills/tea/more/leaves.md")
	commands := filepath.Join(dir, ".claude/commands")
	for i, change := range []func() error{
		func() error { return os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("root"), 0o644) },
		func() error { return os.WriteFile(leaves, []byte("Black.\n"), 0o644) },
		func() error { return os.Chmod(leaves, 0o755) },
		func() error { return os.WriteFile(leaves+"2", nil, 0o644) },
		func() error { return os.Remove(leaves) },
		func() error {
			return os.Rename(filepath.Join(commands, "review.md"), filepath.Join(commands, "look.md"))
		},
		func() error { return os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte("{}"), 0o644) },
	} {
		last := read(t, dir, "").Hash()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if read(t, dir, "").Hash() == last {
			t.Errorf("change %d: the hash is the same", i)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	last := read(t, dir, "").Hash()
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("y"), 0o644); err != nil || read(t, dir, "").Hash() != last {
		t.Error("what nobody obeys counts", err)
	}
	if hash := read(t, t.TempDir(), "").Hash(); hash != "" {
		t.Error(hash)
	}
}

// No link makes a text of what nobody who works in the folder can see.
func TestLinksOfAFolder(t *testing.T) {
	home := folder(t, "-- .ssh/id_rsa --\nKEY\n-- outside.md --\nOUTSIDE\n-- ws/.env --\nKEY\n-- ws/notes/private.md --\nPRIVATE\n-- ws/docs/agents.md --\nFine.\n-- ws/.rein/skills/x/SKILL.md --\n---\nname: x\ndescription: d\n---\n-- ws/sub/x --\n")
	dir := filepath.Join(home, "ws")
	place := texts.Place{Root: dir, Folder: "sub", Shows: func(path string) error {
		if strings.Contains(path, "private") {
			return errors.New("it is excluded")
		}
		return nil
	}}
	link := func(name, target string) {
		t.Helper()
		file := filepath.Join(dir, name)
		_ = os.Remove(file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.Symlink(target, file)); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]string{
		"../.ssh/id_rsa": "path escapes", filepath.Join(home, "outside.md"): "path escapes", ".env": "hidden", "notes/private.md": "excluded", "/dev/zero": "path escapes", ".": "not a plain file",
	} {
		link("AGENTS.md", target)
		f := texts.Read(place)
		if len(f.Instructions) != 0 || len(f.Problems) != 1 || !strings.Contains(f.Problems[0], want) {
			t.Errorf("%s: %+v, %q", target, f.Instructions, f.Problems)
		}
	}
	link("AGENTS.md", "docs/agents.md")
	if f := texts.Read(place); len(f.Instructions) != 1 || len(f.Problems) > 0 {
		t.Errorf("a link inside: %+v %q", f.Instructions, f.Problems)
	}
	link(".rein/skills/x/key", "../../../../.ssh/id_rsa")
	link(".rein/skills/out", home)
	link(".rein/rules", home)
	link(".claude/skills", "../.rein/skills")
	f := texts.Read(place)
	if len(f.Skills)+len(f.Rules) != 0 || len(f.Problems) < 3 || slices.ContainsFunc(f.Files, func(f texts.File) bool { return strings.Contains(f.Head(), "KEY") }) {
		t.Errorf("%+v %q", f.Skills, f.Problems)
	}
	if err := os.Remove(filepath.Join(dir, ".rein/skills/x/key")); err != nil {
		t.Fatal(err)
	}
	if f := texts.Read(place); len(f.Skills) != 1 {
		t.Errorf("a folder that is linked twice: %q", f.Problems)
	}
}

// Too much is left out, and stops nothing else.
func TestTooMuchOfAFolder(t *testing.T) {
	dir := folder(t, "-- .rein/skills/ok/SKILL.md --\n---\nname: ok\ndescription: d\n---\n-- .rein/skills/big/SKILL.md --\n---\nname: big\ndescription: d\n---\n-- .rein/skills/deep/SKILL.md --\n---\nname: deep\ndescription: d\n---\n")
	put(t, dir, "AGENTS.md", strings.Repeat("x", 64<<10+1))
	put(t, dir, ".rein/skills/big/file", strings.Repeat("x", 4<<20+1))
	put(t, dir, ".rein/skills/deep/1/2/3/4/5/6/7/file", "x")
	f := read(t, dir, "")
	if len(f.Skills) != 1 || len(f.Instructions) != 0 || len(f.Problems) != 3 {
		t.Errorf("%d skills, %q", len(f.Skills), f.Problems)
	}
	dir = t.TempDir()
	for _, level := range []string{"", "a/", "a/b/"} {
		put(t, dir, level+"AGENTS.md", strings.Repeat("x", 60<<10))
	}
	if f := read(t, dir, "a/b"); len(f.Instructions) != 2 || !strings.Contains(f.Problems[0], "together") {
		t.Errorf("%d instructions, %q", len(f.Instructions), f.Problems)
	}
}

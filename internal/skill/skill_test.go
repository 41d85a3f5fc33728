package skill_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/internal/skill"
)

const head = "---\nname: disk-care\ndescription: How to care for disks\n---\nBe careful."

func program(text string) skill.Content { return skill.Content{Data: []byte(text), Exec: true} }
func plain(text string) skill.Content   { return skill.Content{Data: []byte(text)} }

const usage = `{"description":"Measures.","schema":{"type":"object"},"run":"bin/usage"}`

// A skill may bring tools; what a file does not say of them is the careful choice.
//
// Covers: NEU-91
func TestSkillBringsTools(t *testing.T) {
	files := map[string]skill.Content{"tools/use-age.json": plain(usage), "bin/usage": program("#!/bin/sh\n"), "more.md": plain("More.")}
	s, err := skill.Read(head, files)
	if err != nil {
		t.Fatal(err)
	}
	tool := s.Parts.Tools[0]
	if tool.Name != "skill.disk_care.use_age" || tool.Effect != rein.Unsafe || tool.Run != "bin/usage" || tool.Seconds != 60 {
		t.Errorf("%+v", tool)
	}
	text, err := s.Parts.Text()
	if err != nil {
		t.Fatal(err)
	}
	task := &rein.Task{Texts: map[string]string{"skill/disk-care": s.Text, "skill-parts/disk-care": text}}
	found, parts, ok := skill.FindTool(task, tool.Name)
	if file, there := parts.File("bin/usage"); !ok || found.Run != tool.Run || !there || file.Sum != skill.Sum([]byte("#!/bin/sh\n")) || !file.Exec {
		t.Errorf("%+v %+v %t", found, file, ok)
	}
	for _, name := range []string{"use_age", "disk_care.use_age", "skill.disk_care", "skill.other.use_age", "skill.disk_care.other", ""} {
		if _, _, ok := skill.FindTool(task, name); ok {
			t.Errorf("%q is found", name)
		}
	}
	if _, _, ok := skill.FindTool(&rein.Task{Texts: skill.Strip(task.Texts)}, tool.Name); ok {
		t.Error("a task that somebody sent brings tools")
	}
}

// A broken tool makes its skill unusable, and says why.
//
// Covers: NEU-91
func TestBrokenTools(t *testing.T) {
	for want, files := range map[string]map[string]skill.Content{
		"it must be an object":           {"tools/a.json": plain("[1]")},
		"something after the object":     {"tools/a.json": plain(usage + "{}"), "bin/usage": program("x")},
		"unknown field":                  {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"},"approval":"never"}`)},
		"description must have":          {"tools/a.json": plain(`{"schema":{"type":"object"}}`), "tools/a": program("x")},
		"schema must be":                 {"tools/a.json": plain(`{"description":"d","schema":"x"}`), "tools/a": program("x")},
		`effect "checkable" must be`:     {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"},"effect":"checkable"}`), "tools/a": program("x")},
		"timeout must be 1 to 600":       {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"},"timeout":9999}`), "tools/a": program("x")},
		`no program "tools/a"`:           {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"}}`)},
		`no program "../../bin/sh"`:      {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"},"run":"../../bin/sh"}`)},
		"chmod +x":                       {"tools/a.json": plain(`{"description":"d","schema":{"type":"object"}}`), "tools/a": plain("x")},
		"two tools named":                {"tools/a-b.json": plain(usage), "tools/a_b.json": plain(usage), "bin/usage": program("x")},
		"which must be 1 to 64":          {"tools/é.json": plain(usage), "bin/usage": program("x")},
		"description must be one line":   {"": plain("")},
		"its name \"rm -rf\" must be":    {" ": plain("")},
		"it must begin with front":       {"  ": plain("")},
		"must be written on one line":    {"   ": plain("")},
		"its allowed-tools has more tha": {"    ": plain("")},
	} {
		text := head
		switch slices.Collect(maps.Keys(files))[0] {
		case "":
			text = "---\nname: x\n---\n"
		case " ":
			text = "---\nname: rm -rf\ndescription: d\n---\n"
		case "  ":
			text = "Just text."
		case "   ":
			text = "---\nname: x\ndescription: >\n  d\n---\n"
		case "    ":
			text = "---\nname: x\ndescription: d\nallowed-tools: " + strings.Repeat("a, ", 101) + "\n---\n"
		}
		if _, err := skill.Read(text, files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// allowed-tools is read in the forms that people write it in. Without the key nothing is narrowed, and an empty one leaves
// nothing.
//
// Covers: NEU-55
func TestAllowedTools(t *testing.T) {
	for line, want := range map[string][]string{
		"allowed-tools: read_file, grep":            {"grep", "read_file"},
		"allowed-tools: [read_file, \"grep\"]":      {"grep", "read_file"},
		"allowed-tools:\n  - read_file\n  - 'grep'": {"grep", "read_file"},
		"allowed-tools: Bash(git log:*), Read":      {"Bash", "Read", "bash", "execute_command", "monitor_log", "read", "read_file", "read_session_file", "stop_command"},
		"allowed-tools:":                            {},
		"license: none":                             nil,
	} {
		s, err := skill.Read("---\nname: x\ndescription: d\n"+line+"\n---\nbody", nil)
		if err != nil || !slices.Equal(s.Parts.Allowed, want) || (s.Parts.Allowed == nil) != (want == nil) {
			t.Errorf("%q: %q, %v", line, s.Parts.Allowed, err)
		}
		if text, err := s.Parts.Text(); err == nil && want != nil {
			p, ok := skill.PartsOf(&rein.Task{Texts: map[string]string{"skill-parts/x": text}}, "x")
			if !ok || p.Allowed == nil || len(p.Allowed) != len(want) {
				t.Errorf("%q: the task has %v", line, p.Allowed)
			}
		}
	}
}

// Front matter is optional for other texts.
func TestFront(t *testing.T) {
	value, body, err := skill.Front("---\ndescription: Reviews\nargument-hint: FILE\n---\n\nReview it.")
	if err != nil || body != "Review it." || value("description") != "Reviews" || value("argument-hint") != "FILE" || value("none") != "" {
		t.Errorf("%q %v", body, err)
	}
	if _, body, err := skill.Front("Just text."); err != nil || body != "Just text." {
		t.Errorf("%q %v", body, err)
	}
	if _, _, err := skill.Front("---\nnever: closed\n"); err == nil {
		t.Error("front matter without an end is read")
	}
}

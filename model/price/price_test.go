package price

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

func load(t *testing.T, text string) (Table, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prices.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(file)
}

func TestTheBuiltInTableIsSound(t *testing.T) {
	table, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if len(table.entries) < 40 {
		t.Errorf("it has %d entries", len(table.entries))
	}
	for name, e := range table.entries {
		switch embeds := strings.HasPrefix(name, "text-embedding"); {
		case e.Input <= 0 || e.Output < e.Input && !embeds:
			t.Errorf("%s: input %d and output %d are not prices", name, e.Input, e.Output)
		case e.Cached > e.Input || e.CacheWrite != 0 && e.CacheWrite < e.Input:
			t.Errorf("%s: reading from the cache costs %d and writing %d, with input at %d", name, e.Cached, e.CacheWrite, e.Input)
		case e.Window < 4096 || e.MaxOutput > e.Window:
			t.Errorf("%s: window %d, at most %d out", name, e.Window, e.MaxOutput)
		}
	}
	got, _ := table.Find("claude-sonnet-4-6")
	want := Entry{
		Name: "claude-sonnet-4-6", Input: 3_000_000, Output: 15_000_000, Cached: 300_000, CacheWrite: 3_750_000,
		Window: 1_000_000, MaxOutput: 64_000, Sees: true, BuiltIn: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claude-sonnet-4-6 (-want +got):\n%s", diff)
	}
}

func TestFindKnowsAModelByItsNames(t *testing.T) {
	table, err := load(t, "[models]\n\"house/special\" = { input = 1 }\nhome = {}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		model, want string
		guess       bool
	}{
		{"gpt-4o", "gpt-4o", false},
		{" GPT-4o ", "gpt-4o", false},
		{"gpt-4o-2024-08-06", "gpt-4o", false},
		{"gpt-4o-mini-2024-07-18", "gpt-4o-mini", false},
		{"gpt-3.5-turbo-0613", "gpt-3.5-turbo", false},
		{"gpt-4o-audio", "gpt-4o", true},
		{"gpt-5.9", "", false},
		{"gpt-50", "", false},
		{"gpt", "", false},
		{"claude-haiku-4-5-20251001", "claude-haiku-4-5", false},
		{"claude-3-5-haiku-latest", "claude-3-5-haiku", false},
		{"claude-sonnet-4-0", "claude-sonnet-4", false},
		{"claude-sonnet-4-9", "claude-sonnet-4", true},
		{"anthropic/claude-sonnet-4.6", "claude-sonnet-4-6", false},
		{"openrouter/anthropic/claude-haiku-4.5:beta", "claude-haiku-4-5", true},
		{"openai/gpt-oss-120b", "gpt-oss-120b", false},
		{"gemini-3-pro-preview", "gemini-3-pro", false},
		{"mistral-small-latest", "mistral-small", false},
		{"house/special", "house/special", false},
		{"special", "", false},
		{"home", "home", false},
		{"qwen3", "", false},
		{"", "", false},
		{"/", "", false},
		{"///-:@", "", false},
		{"-", "", false},
	} {
		e, ok := table.Find(tc.model)
		if e.Name != tc.want || ok != (tc.want != "") || e.Guess != tc.guess {
			t.Errorf("Find(%q) = %q, guess %t, %t; want %q, guess %t", tc.model, e.Name, e.Guess, ok, tc.want, tc.guess)
		}
	}
}

func TestAFileGoesBeforeTheTable(t *testing.T) {
	table, err := load(t, "[models]\n\"GPT-4o\" = { input = 0.075, output = 7 }\n\"mine\" = { window = 5000 }\n")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := table.Find("gpt-4o")
	if diff := cmp.Diff(Entry{Name: "GPT-4o", Input: 75_000, Output: 7_000_000}, got); diff != "" {
		t.Errorf("gpt-4o (-want +got):\n%s", diff)
	}
	if e, ok := table.Find("mine"); !ok || e.Window != 5000 {
		t.Errorf("mine = %+v, %t", e, ok)
	}
	if _, ok := table.Find("gpt-4o-mini"); !ok {
		t.Error("the other entries are gone")
	}
}

func TestAWrongFileIsExplained(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"no toml":        {"models = [", "1|"},
		"unknown key":    {"[models]\nx = { inptu = 1 }", "inptu"},
		"unknown table":  {"[costs]\nx = { input = 1 }", "costs"},
		"below zero":     {"[models]\nx = { input = -1 }", `model "x": input is -1`},
		"too large":      {"[models]\nx = { output = 1e9 }", "from 0 to 1000000"},
		"no number":      {"[models]\nx = { cached = nan }", "cached is NaN"},
		"endless":        {"[models]\nx = { cache_write = inf }", "cache_write is +Inf"},
		"text":           {"[models]\nx = { input = \"1\" }", "input"},
		"negative sizes": {"[models]\nx = { window = -1 }", "below zero"},
		"no name":        {"[models]\n\"\" = { input = 1 }", "must have a name"},
		"too long":       {strings.Repeat("#", maxFile+1), "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, tc.text)
			if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "price file ") {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); rein.CodeOf(err) != rein.CodeInvalid {
		t.Errorf("a file that is not there: %v", err)
	}
}

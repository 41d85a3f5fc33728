package config_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"rein/app/config"
)

var update = flag.Bool("update", false, "write what is found into the cases")

// Each case is a file, variables and flags, and what comes of them: the values that are not
// defaults, the warnings and the problems.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testCase(t, file) })
	}
}

func testCase(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	options := config.Options{Env: config.Environment{"HOME=" + folder, "TZ=UTC"}, Flags: map[string]string{}}
	for _, f := range archive.Files {
		switch lines := strings.Fields(string(f.Data)); f.Name {
		case "env":
			options.Env = append(options.Env, lines...)
		case "flags":
			for _, line := range lines {
				key, value, _ := strings.Cut(line, "=")
				options.Flags[key] = value
			}
		case "want":
		default:
			if err := os.MkdirAll(filepath.Dir(f.Name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			options.File = "rein.toml"
		}
	}
	got := strings.ReplaceAll(found(options), folder, "$HOME")
	for i, f := range archive.Files {
		if f.Name != "want" {
			continue
		}
		if *update {
			archive.Files[i].Data = []byte(got)
			defer save(t, file, archive)
		} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
			t.Error(diff)
		}
	}
}

// found loads and says what came of it.
func found(o config.Options) string {
	var b strings.Builder
	c, err := config.Load(o)
	if err != nil {
		fmt.Fprintln(&b, err)
	} else if err := c.Check(config.Known{Flows: []string{"chat", "operate"}, Tools: []string{"list_directory", "read_file", "rm"}}); err != nil {
		fmt.Fprintln(&b, err)
	}
	for _, w := range c.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	for _, v := range c.Values() {
		if v.Source != "default" {
			fmt.Fprintf(&b, "%s = %s (%s)\n", v.Key, v.Value, v.Source)
		}
	}
	return b.String()
}

var here, _ = os.Getwd()

func save(t *testing.T, file string, archive *txtar.Archive) {
	if err := os.WriteFile(filepath.Join(here, file), txtar.Format(archive), 0o600); err != nil {
		t.Error(err)
	}
}

// A named file must be there; the usual one need not be.
func TestMissing(t *testing.T) {
	home := config.Environment{"HOME=" + t.TempDir()}
	if _, err := config.Load(config.Options{Env: home}); err != nil {
		t.Errorf("no file: %v", err)
	}
	for _, o := range []config.Options{
		{File: "nowhere.toml", Env: home},
		{Env: append(home, "REIN_CONFIG=nowhere.toml")},
	} {
		_, err := config.Load(o)
		if err == nil || err.Error() != "nowhere.toml:1:1: there is no such file" {
			t.Errorf("%v", err)
		}
	}
	if c, err := config.Load(config.Options{}); err != nil || c.Data != "" {
		t.Errorf("without a home: %q, %v", c.Data, err)
	}
}

// The example is a valid file, commented out or not, and says what the defaults are.
func TestExample(t *testing.T) {
	lines := strings.Split(config.Example(), "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "# "); ok && strings.Contains(rest, " = ") && !strings.Contains(rest, "{name") {
			lines[i] = rest
		} else if strings.HasPrefix(line, "# [") {
			lines[i] = strings.TrimPrefix(line, "# ")
		}
	}
	home := t.TempDir()
	file := filepath.Join(home, "rein.toml")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	env := config.Environment{"HOME=" + home, "TZ=UTC"}
	set, err := config.Load(config.Options{File: file, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := config.Load(config.Options{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]string{}
	for _, v := range plain.Values() {
		byKey[v.Key] = v.Value
	}
	for _, v := range set.Values() {
		switch v.Key {
		case "models", "webhooks", "presets", "workspaces", "mcp.servers", "tools.root", "prices", "vault", "secret_key_file", "server.tls_cert", "server.tls_key":
			continue // relative to the file, or no default
		}
		if v.Value != byKey[v.Key] || v.Key != "redact.patterns" && v.Source == "default" {
			t.Errorf("%s is %s (%s), and %s by default", v.Key, v.Value, v.Source, byKey[v.Key])
		}
	}
}

// Secrets are found by the names of their variables and shown nowhere.
//
// Attack: 68
func TestSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rein.toml")
	text := "[redact]\nenv = [\"TOKEN\", \"NONE\"]\npatterns = [{name = \"badge\", regexp = \"hunter[0-9]\"}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := config.Environment{"TOKEN=hunter2"}
	c, err := config.Load(config.Options{File: file, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"TOKEN": "hunter2"}, c.Secrets(env)); diff != "" {
		t.Error(diff)
	}
	for _, v := range c.Values() {
		if strings.Contains(v.Value, "hunter") {
			t.Errorf("%s shows a secret: %s", v.Key, v.Value)
		}
	}
}

// Whatever the file holds, Load returns.
func FuzzLoad(f *testing.F) {
	f.Add("[models.x]\nkind = 'script'\n[[redact.patterns]]\nname = 1\n[budget]\nmoney = 5.00\n")
	f.Add("a.b.c = {d = [1, {e = 2}]}\n[tools]\nallow = [['x']]\n")
	f.Add(config.Example())
	file := filepath.Join(f.TempDir(), "rein.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(config.Options{File: file, Env: config.Environment{"HOME=/"}})
		if c == nil {
			t.Fatal(err)
		}
		c.Values()
	})
}

//go:build linux

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newBareDesk is a desk without settings.
func newBareDesk(t *testing.T, env ...string) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir(), env: append([]string{"REIN_FLOW=chat", "REIN_MODEL="}, env...)}
	t.Cleanup(d.clear)
	return d
}

// A key in the environment is enough: the provider answers, through a background owner too, and the terminal says which one,
// with which model, and how to change it. Nothing shows or keeps the key.
func TestKeyIsEnough(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ model, path string }{
		"ANTHROPIC": {"claude-sonnet-5", "/v1/messages"},
		"OPENAI":    {"gpt-5.4", "/v1/responses"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := startVendor(t, c.model)
			d := newBareDesk(t, name+"_API_KEY="+vendorKey, name+"_BASE_URL="+v.url+map[string]string{"OPENAI": "/v1"}[name])
			x := d.open("run", "Hello?")
			x.sees("rein: " + strings.ToLower(name) + " (" + c.model + ") answers, because $" + name + "_API_KEY is set; --model NAME, or model in rein.toml, chooses another")
			x.sees("Hello from a vendor.")
			x.ends(exitOK)
			if log := readText(t, d.data("owner.log")); !strings.Contains(log, " owns ") || strings.Contains(log, vendorKey) {
				t.Errorf("the log of the background owner:\n%s", log)
			}
			if got := v.asked(); !slices.Equal(got, []string{c.path + " " + c.model}) {
				t.Errorf("the provider was asked %q", got)
			}
			if strings.Contains(x.text(), vendorKey) || strings.Contains(d.rein("show", "--full", d.newest()), vendorKey) {
				t.Error("the key is shown")
			}
		})
	}
}

// newest is the ID of the newest run.
func (d *desk) newest() string {
	d.t.Helper()
	lines := strings.Split(d.rein("runs"), "\n")
	if len(lines) < 2 {
		d.t.Fatal("there are no runs")
	}
	return strings.Fields(lines[1])[0]
}

// rein serve uses a key in its environment as rein run does, and says so when it starts. A terminal with another key says
// that the server decides.
func TestKeyOfServe(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4")
	d := newBareDesk(t, "OPENAI_API_KEY="+vendorKey, "OPENAI_BASE_URL="+v.url+"/v1")
	x := d.open("serve", "--listen", "127.0.0.1:0")
	x.sees("  model    openai (gpt-5.4) answers, because $OPENAI_API_KEY is set; --model NAME, or model in rein.toml, chooses another\n")
	x.sees("runs in progress are kept")
	d.env = append(d.env, "OPENAI_API_KEY=", "ANTHROPIC_API_KEY=another-made-up-key")
	y := d.open("run", "Hello?")
	y.sees("rein: $ANTHROPIC_API_KEY is not used: process ")
	y.sees(" drives the run, and its model is openai; --model chooses another")
	y.sees("Hello from a vendor.")
	y.ends(exitOK)
	x.types("\x03")
	x.ends(exitOK)
}

// A setting wins over a key: nothing is sent, and nothing is said.
func TestSettingBeatsKey(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4")
	d := newBareDesk(t, "OPENAI_API_KEY="+vendorKey, "OPENAI_BASE_URL="+v.url+"/v1")
	file := filepath.Join(d.home, ".config", "rein", "rein.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("model = \"offline\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := d.open("run", "Hello?")
	x.sees("offline model")
	x.ends(exitOK)
	if got := v.asked(); len(got) > 0 || strings.Contains(x.text(), "OPENAI_API_KEY") {
		t.Errorf("asked %q; the screen:\n%s", got, x.text())
	}
}

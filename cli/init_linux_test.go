//go:build linux

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An exchange is a question on the screen and what a person types.
type exchange struct{ question, answer string }

// answers waits for each question after the ones before it, and types its answer.
func (x *console) answers(all ...exchange) {
	x.t.Helper()
	for _, e := range all {
		deadline := time.After(30 * time.Second)
		for !strings.Contains(x.text()[x.answered:], e.question) {
			select {
			case <-x.grown:
			case <-deadline:
				x.t.Fatalf("the screen never showed %q, but:\n%s", e.question, x.text())
			}
		}
		x.answered += strings.Index(x.text()[x.answered:], e.question) + len(e.question)
		for e.question == askKey && x.echoes() {
			runtime.Gosched() // a person would not be as quick
		}
		x.types(e.answer)
	}
}

// echoes reports whether the terminal shows what is typed.
func (x *console) echoes() bool {
	x.t.Helper()
	now, err := unix.IoctlGetTermios(int(x.tty.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	return now.Lflag&unix.ECHO != 0
}

// left returns what is below the home folder, but for the program itself.
func (d *desk) left() (names []string) {
	d.t.Helper()
	err := filepath.WalkDir(d.home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && path != d.home && path != filepath.Join(d.home, "rein") {
			names = append(names, strings.TrimPrefix(path, d.home+"/"))
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return names
}

var (
	askProvider = "Provider, by number or name"
	askKey      = "Key, which is not shown; Enter alone: you set $OPENAI_API_KEY yourself: "
	askAgain    = "Try again, type another key, or end? [t/k/e]: "
	askModel    = "Model, by number, name or a part of it"
	askWrite    = "/.config/rein/rein.toml, and keep the key, sealed, as a secret of the household? [Y/n]: "
)

// A person chooses a provider, types a key that is not shown, tries again after a wrong one, chooses a model that is not
// there and then one that is, and can use it. The key is in no file but sealed.
func TestInit(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4", "gpt-5.4-mini", "text-embedding-9")
	d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1")
	x := d.open("init")
	x.answers(
		exchange{askProvider, "nobody\n"},
		exchange{"there is no provider \"nobody\"", ""},
		exchange{askProvider, "openai\n"},
		exchange{askKey, "sk-wrong-key-of-a-test\n"},
		exchange{"refuses the key: look at it again", ""},
		exchange{askAgain, "k\n"},
		exchange{askKey, vendorKey + "\n"},
		exchange{"Models of openai: 3", ""},
		exchange{askModel + " [gpt-5.4]: ", "claude\n"},
		exchange{"openai has no model whose name has \"claude\" in it", ""},
		exchange{askModel, "MINI\n"},
		exchange{"gpt-5.4-mini of openai replies", ""},
		exchange{askWrite, "\n"},
		exchange{"kept the key, sealed, as the secret OPENAI_API_KEY", ""},
		exchange{"wrote " + d.home + "/.config/rein/rein.toml", ""},
	)
	x.ends(exitOK)
	if n := strings.Count(x.text(), "any server with OpenAI's API"); n != 1 {
		t.Errorf("the providers are listed %d times", n)
	}
	if strings.Contains(x.text(), "sk-") {
		t.Errorf("a key is on the screen:\n%s", x.text())
	}
	text := readText(t, filepath.Join(d.home, ".config/rein/rein.toml"))
	if !strings.Contains(text, "model = \"gpt-5.4-mini\"") || !strings.Contains(text, "key_env = \"secret:OPENAI_API_KEY\"") {
		t.Errorf("the settings are\n%s", text)
	}
	for _, name := range d.left() {
		if data, err := os.ReadFile(filepath.Join(d.home, name)); err == nil && strings.Contains(string(data), vendorKey) {
			t.Errorf("%s has the key", name)
		}
	}
	y := d.open("run", "Hello?")
	y.sees("Hello from a vendor.")
	y.ends(exitOK)
}

// A file that exists stays as it is: what to add is shown. The key of a variable is used, and not kept.
func TestInitBesideAFile(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4")
	d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1", "OPENAI_API_KEY="+vendorKey)
	file := filepath.Join(d.home, "rein.toml")
	if err := os.WriteFile(file, []byte("language = \"nl\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.env = append(d.env, "REIN_CONFIG="+file)
	x := d.open("init")
	x.answers(
		exchange{"   1  openai      $OPENAI_API_KEY is set", ""},
		exchange{askProvider + " [openai]: ", "\n"},
		exchange{"The key comes from $OPENAI_API_KEY.", ""},
		exchange{askModel + " [gpt-5.4]: ", "1\n"},
		exchange{file + " exists and stays as it is", ""},
		exchange{"model = \"openai\"", ""},
		exchange{"[models.openai]", ""},
		exchange{"key_env = \"OPENAI_API_KEY\"", ""},
	)
	x.ends(exitOK)
	if text := readText(t, file); text != "language = \"nl\"\n" || len(d.left()) != 1 {
		t.Errorf("it has %q, and there is %q", text, d.left())
	}
}

// A server on this machine is found by asking it, and one that has no models says how to get one.
func TestInitFindsOllama(t *testing.T) {
	t.Parallel()
	v := startOpenVendor(t, "qwen3:8b")
	d := newBareDesk(t, "OLLAMA_HOST="+v.url)
	x := d.open("init")
	x.answers(
		exchange{"ollama      on this machine, models: 1", ""},
		exchange{askProvider, "ollama\n"},
		exchange{askModel + " [qwen3:8b]: ", "\n"},
		exchange{"qwen3:8b of ollama replies", ""},
		exchange{"Write " + d.home + "/.config/rein/rein.toml? [Y/n]: ", "y\n"},
		exchange{"wrote ", ""},
	)
	x.ends(exitOK)
	empty := startOpenVendor(t)
	e := newBareDesk(t, "OLLAMA_HOST="+empty.url)
	y := e.open("init")
	y.answers(exchange{askProvider, "ollama\n"}, exchange{"ollama has no models yet: get one, as in `ollama pull qwen3:8b`", ""})
	y.ends(exitWrong)
	if left := e.left(); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}

// Ctrl-C at any question, the end of the input, and a no leave nothing behind.
func TestInitLeavesNothing(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4", "gpt-5.4-mini")
	way := []exchange{
		{askProvider, "openai\n"},
		{askKey, "sk-wrong-key-of-a-test\n"},
		{askAgain, "k\n"},
		{askKey, vendorKey + "\n"},
		{askModel, "\n"},
		{askWrite, ""},
	}
	for i := range way {
		d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1")
		x := d.open("init")
		x.answers(way[:i]...)
		x.answers(exchange{way[i].question, "\x03"}, exchange{"nothing was written", ""})
		x.ends(exitLeft)
		if left := d.left(); len(left) > 0 {
			t.Errorf("Ctrl-C at %q leaves %q", way[i].question, left)
		}
	}
	for ending, at := range map[string]exchange{"the end": {askProvider, "\x04"}, "no": {askWrite, "n\n"}, "enough": {askAgain, "e\n"}} {
		d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1")
		x := d.open("init")
		for _, e := range way {
			if e.question == at.question {
				x.answers(at, exchange{"rein: nothing was written", ""})
				break
			}
			x.answers(e)
		}
		x.ends(exitWrong)
		if left := d.left(); len(left) > 0 {
			t.Errorf("%s leaves %q", ending, left)
		}
	}
}

// A folder that cannot be written to leaves neither a file nor a key behind.
func TestInitCannotWrite(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4")
	d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1", "XDG_CONFIG_HOME=/proc")
	x := d.open("init")
	x.answers(
		exchange{askProvider, "openai\n"}, exchange{askKey, vendorKey + "\n"}, exchange{askModel, "\n"},
		exchange{"as a secret of the household? [Y/n]: ", "\n"}, exchange{"make the folder of the settings", ""},
	)
	x.ends(exitWrong)
	if left := d.left(); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}

// Where the key cannot be kept, the settings that would name it are not left behind.
func TestInitCannotKeep(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "gpt-5.4")
	d := newBareDesk(t, "OPENAI_BASE_URL="+v.url+"/v1", "REIN_DATA=/proc/rein")
	x := d.open("init")
	x.answers(
		exchange{askProvider, "openai\n"}, exchange{askKey, vendorKey + "\n"}, exchange{askModel, "\n"}, exchange{askWrite, "\n"},
		exchange{"rein: ", ""},
	)
	x.ends(exitWrong)
	if left := d.left(); len(left) > 0 {
		t.Errorf("it left %q:\n%s", left, x.text())
	}
}

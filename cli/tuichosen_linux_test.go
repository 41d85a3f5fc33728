//go:build linux

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The theme is kept for the next screen, and the empty screen says which provider a key chose.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenRemembersItsTheme(t *testing.T) {
	r := newRoom(t, "when\nsay Well.\n")
	p := r.sits(80, 24)
	p.opens()
	p.types("/theme dark", "Enter")
	p.sees("theme dark: for a dark background")
	p.presses("C-d")
	p.until("the shell", atShell)
	if kept := readText(t, filepath.Join(r.home, ".local/state/rein/screen.json")); !strings.Contains(kept, `"theme":"dark"`) {
		t.Errorf("kept: %s", kept)
	}
	p.opens()
	p.types("/theme", "Enter")
	p.sees("dark  for a dark background")
}

// A key in the environment chooses the model: the screen says so as the lines of rein run do.
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenSaysWhatAKeyChose(t *testing.T) {
	r := newRoom(t, "when\nsay Well.\n")
	r.file(".config/rein/rein.toml", "")
	v := startVendor(t, "gpt-5.4")
	p := r.sits(80, 24, "OPENAI_API_KEY="+vendorKey, "OPENAI_BASE_URL="+v.url+"/v1")
	p.opens()
	screen := p.sees("openai (gpt-5.4) answers, because $OPENAI_API_KEY is set", "Say what you want done")
	if strings.Contains(screen, vendorKey) {
		t.Error("the key is shown")
	}
	p.types("Hello?", "Enter")
	p.sees("Hello from a vendor.")
}

// What /compact stands for is sent no more, and stays on the screen, also after coming back.
//
// Covers: SD-94
//
// Plain: programs at terminals, which wait for each other; what races is tested where it is.
func TestScreenCompact(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			r := newRoom(t, `
when phase=compact user~"the whole story"
say A story was told.

when system~"A story was told." user~"And then?"
say I know the summary only.

when
say `+strings.Repeat("It is the whole story. ", 20)+`
`)
			p := r.sits(size[0], size[1])
			p.opens()
			p.types("tell me", "Enter")
			p.sees("✓ done ·")
			p.types("/compact", "Enter")
			p.sees("› /compact", "│ A story was told.", "read this summary", "✓ done ·")
			p.leaves()
			p.opens("--continue")
			p.sees("› /compact")
			p.types("And then?", "Enter")
			p.sees("I know the summary only.")
			p.clean()
		})
	}
}

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"

	"rein"
	"rein/terminal/tui"
)

// A taste is what a person chose for the screen. It is kept with their other state and not with the data of rein, which
// may be on another machine.
type taste struct {
	Theme tui.Colours `json:"theme"`
}

// tasteFile is where it is kept; empty: nowhere.
func (c *call) tasteFile() string {
	folder := c.env.Get("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		home := c.env.Get("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "rein", "screen.json")
}

// theme is what was chosen last. A file that cannot be read chooses nothing.
func (c *call) theme() tui.Colours {
	data, err := os.ReadFile(c.tasteFile())
	var kept taste
	if err != nil || json.Unmarshal(data, &kept) != nil {
		return ""
	}
	return kept.Theme
}

// keepTheme keeps it for the next screens.
func (c *call) keepTheme(theme tui.Colours) error {
	file := c.tasteFile()
	if file == "" {
		return rein.Errorf(rein.CodeInvalid, "the theme holds for this screen only: set HOME or XDG_STATE_HOME to have it kept")
	}
	data, err := json.Marshal(taste{theme})
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		err = os.WriteFile(file, append(data, '\n'), 0o600)
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the theme holds for this screen only, because it cannot be kept: %w", err)
	}
	return nil
}

package app

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"rein/app/config"
	"rein/household/secrets"
)

// A Setup is what a program was told, by its options, by variables and in the settings file. It is read
// when it is first needed.
type Setup struct {
	o       Options
	env     config.Environment
	config  *config.Config // once it is read
	files   Files          // once they are decided
	service bool           // it is one: what it was told is for all runs
	box     *secrets.Store // of the data that this process owns; nil: it owns none

	described registry
}

// New makes a Setup. It reads nothing yet.
func New(o Options) *Setup {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	return &Setup{o: o, env: o.Env}
}

// A SettingError says that something that was chosen, by a setting, a variable or an option, cannot be
// used, and what could.
type SettingError struct{ msg string }

func (e *SettingError) Error() string { return e.msg }

func wrongSetting(format string, args ...any) error {
	return &SettingError{fmt.Sprintf(format, args...)}
}

// load reads the settings, with those for this program if here is set.
func (s *Setup) load(here bool) (*config.Config, error) {
	set := maps.Clone(s.o.Set)
	if set == nil {
		set = map[string]string{}
	}
	if here {
		maps.Copy(set, s.o.SetHere)
	}
	if s.o.Data != "" {
		set["data"] = s.o.Data
	}
	return config.Load(config.Options{File: s.o.Config, Env: s.env, Flags: set, Models: slices.Sorted(maps.Keys(s.o.Models)), Flows: s.o.Flows})
}

// Load reads the settings and says what is wrong with them, as far as that can be told without asking
// anybody. They are returned as far as they could be read.
func (s *Setup) Load() (*config.Config, error) {
	settings, err := s.load(true)
	if err == nil {
		err = settings.Check(s.known())
	}
	if err == nil {
		err = s.checkParts(settings)
	}
	return settings, err
}

// Settings reads the settings, once.
func (s *Setup) Settings() (*config.Config, error) {
	if s.config != nil {
		return s.config, nil
	}
	settings, err := s.load(true)
	if err != nil {
		return nil, err
	}
	for _, w := range settings.Warnings {
		s.o.Warn(w)
	}
	s.config = settings
	return settings, nil
}

// Checked reads the settings, wants every name in them to mean something, and decides which folder the
// file tools may see.
func (s *Setup) Checked() (*config.Config, error) {
	settings, err := s.Settings()
	if err != nil {
		return nil, err
	}
	if err := settings.Check(s.known()); err != nil {
		return nil, err
	}
	if s.files, err = s.chooseFiles(settings, s.service); err != nil {
		return nil, err
	}
	return inFolder(settings, s.files.Dir), nil
}

// again reads the settings of a process that owns data, as they are now. Those of one run are not its
// own: others may start runs through it too.
func (s *Setup) again() (*config.Config, error) {
	settings, err := s.load(false)
	if err == nil {
		err = settings.Check(s.known())
	}
	if err != nil {
		return nil, err
	}
	files, err := s.chooseFiles(settings, true)
	if err != nil {
		return nil, err
	}
	return inFolder(settings, files.Dir), nil
}

// inFolder returns the settings with the folder of the file tools.
func inFolder(settings *config.Config, dir string) *config.Config {
	copied := *settings
	copied.Tools.Root = dir
	return &copied
}

// known is what settings can name.
func (s *Setup) known() config.Known {
	return config.Known{Flows: s.kinds().Names(), Tools: s.Tools()}
}

// RealPath is where a folder is, links followed.
func RealPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

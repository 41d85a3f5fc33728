// Package workspace keeps workspaces: named folders of files, vaults of notes, and the rules for
// both. A task has the name of its workspace and the hash of its rules, so a run stays bound by the
// rules it started under, whatever is configured later.
package workspace

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/digest"
)

// Default names the workspace of runs that name none: what the settings say outside of any other.
const Default = "default"

// Rules are what a run of a workspace is bound by.
type Rules struct {
	Household string   `json:"household"`
	Root      string   `json:"root,omitempty"`
	Vault     string   `json:"vault,omitempty"`
	Include   []string `json:"include,omitempty"`
	Exclude   []string `json:"exclude,omitempty"`
	// Allow lists the tools that need no approval because the settings say so, not the run's task.
	Allow []string `json:"allow,omitempty"`
}

// RulesOf returns the rules of a workspace.
func RulesOf(w rein.Workspace) Rules {
	return Rules{Household: w.Household, Root: w.Root, Vault: w.Vault, Include: sorted(w.Include), Exclude: sorted(w.Exclude)}
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

// Hash names the rules: the same rules have the same hash.
func (r Rules) Hash() string {
	r.Include, r.Exclude, r.Allow = sorted(r.Include), sorted(r.Exclude), sorted(r.Allow)
	data, err := json.Marshal(r)
	if err != nil {
		return "" // texts can always be written
	}
	return digest.Joined(digest.Size, string(data))
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckName says what is wrong with the name of a new workspace, if anything.
func CheckName(name string) error {
	switch {
	case !plain.MatchString(name):
		return rein.Errorf(rein.CodeInvalid, "workspace %.80q: a name has 1 to 64 letters, digits, '_' and '-'", name)
	case name == Default:
		return rein.Errorf(rein.CodeInvalid, "workspace %q is what the settings say outside of [workspaces]: choose another name", name)
	}
	return nil
}

// Check says what is wrong with a workspace that somebody wants to add, if anything.
func Check(w rein.Workspace) error {
	if err := CheckName(w.Name); err != nil {
		return err
	}
	if w.Root == "" && w.Vault == "" {
		return rein.Errorf(rein.CodeInvalid, "workspace %q has neither a folder of files nor a vault: name at least one", w.Name)
	}
	for _, path := range []string{w.Root, w.Vault} {
		if path != "" && !filepath.IsAbs(path) {
			return rein.Errorf(rein.CodeInvalid, "workspace %q: path %.200q is not absolute", w.Name, path)
		}
	}
	return nil
}

// NameOf makes the name of the workspace of a folder: how the folder is called, and what tells it from
// others of that name.
func NameOf(root, vault string) string {
	base := strings.Map(func(c rune) rune {
		if plain.MatchString(string(c)) {
			return c
		}
		return '-'
	}, filepath.Base(root))
	if len(base) > 40 {
		base = base[:40]
	}
	return strings.TrimLeft(base, "-") + "-" + digest.Joined(5, root, vault)
}

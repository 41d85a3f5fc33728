package reach

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Around is what a folder must not be, or hold, without somebody saying so.
type Around struct {
	Homes []string // home folders, beside those that the system knows; empty ones do not count
	Data  string   // the data folder; empty: it is not known
}

// Broad says why a folder is too much to hand to models by mistake, or "": the root of the file
// system, somebody's home, or a folder that holds the data.
func Broad(dir string, a Around) string {
	dir, err := real(dir)
	if err != nil || dir == "" {
		return ""
	}
	switch {
	case filepath.Dir(dir) == dir:
		return "the root of the file system"
	case slices.ContainsFunc(homeParents, func(name string) bool { return same(dir, name) }):
		return "the folder of all homes"
	case slices.ContainsFunc(homes(a.Homes), func(home string) bool { return same(dir, home) }),
		slices.ContainsFunc(homeParents, func(name string) bool { return same(filepath.Dir(dir), name) }):
		return "a home folder"
	case slices.ContainsFunc(a.Homes, func(home string) bool { return Holds(dir, home) }):
		return "a folder that holds your home"
	case Holds(dir, a.Data):
		return "a folder that holds the data folder"
	}
	return ""
}

// Holds reports whether a path lies in a folder, or is it, links followed.
func Holds(folder, path string) bool {
	folder, err := real(folder)
	if err != nil || path == "" {
		return false
	}
	if path, err = real(path); err != nil {
		return false
	}
	_, ok := below(lineage(path), folder)
	return ok
}

// homeParents are where systems put the homes of people.
var homeParents = []string{"/home", "/Users"}

// homes lists the home folders that are known, links followed: the given ones and those of all users.
func homes(given []string) []string {
	var all []string
	for _, home := range slices.Concat(given, []string{"/root"}, passwdHomes("/etc/passwd")) {
		if home, err := real(home); err == nil && home != "" {
			all = append(all, home)
		}
	}
	return all
}

// passwdHomes reads the home folders of the users of this machine; none where there is no such file.
func passwdHomes(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) >= 6 && filepath.IsAbs(fields[5]) {
			all = append(all, fields[5])
		}
	}
	return all
}

// same reports whether two paths are one folder.
func same(a, b string) bool {
	_, ok := below(lineage(a)[:1], b)
	return ok
}

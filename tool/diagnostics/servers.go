package diagnostics

import (
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"rein"
)

//go:embed servers.json
var serversJSON []byte

// A server is how a language server is started. A new one is a new entry of servers.json.
type server struct {
	Name      string
	Argv      []string
	Install   string              // how people get it
	Languages map[string]string   // as the protocol names them, by the ends of file names
	Project   []string            // files that are at the top of a project
	Uses      []string            // programs that it calls
	First     map[string][]string // variables, each set to the first of these folders that exists, which it can read
	Parts     map[string][]string // what it can read of such a folder, if it has keys too; none: all of it
	Env       []string
	Settings  json.RawMessage
}

var servers = sync.OnceValues(func() (all []server, err error) {
	return all, json.Unmarshal(serversJSON, &all)
})

// serverOf returns the server for a file, by the end of its name.
func serverOf(name string) (server, bool) {
	all, _ := servers() // a test reads the table
	for _, s := range all {
		if s.Languages[filepath.Ext(name)] != "" {
			return s, true
		}
	}
	return server{}, false
}

// languages lists the ends of file names that can be checked.
func languages() string {
	all, _ := servers()
	var ends []string
	for _, s := range all {
		ends = append(ends, slices.Collect(maps.Keys(s.Languages))...)
	}
	slices.Sort(ends)
	return strings.Join(ends, ", ")
}

// An install is a server as it is on this machine.
type install struct {
	argv []string
	env  []string
	read []string // what it needs to see beside the system
}

// find looks for a server and for what it calls.
func (s server) find(getenv func(string) string) (found install, err error) {
	var dirs []string
	for i, name := range append([]string{s.Argv[0]}, s.Uses...) {
		path, err := lookPath(name, getenv("PATH"))
		if err != nil && i == 0 {
			return found, rein.Errorf(rein.CodeUnavailable, "%s is not installed, so these files cannot be checked (to install it: %s)", s.Name, s.Install)
		}
		if err != nil {
			return found, rein.Errorf(rein.CodeUnavailable, "%s needs %s, which is not installed", s.Name, name)
		}
		if i == 0 {
			found.argv = append([]string{path}, s.Argv[1:]...)
		}
		dirs, found.read = append(dirs, filepath.Dir(path)), append(found.read, around(path)...)
	}
	found.env = append(slices.Clone(s.Env), "PATH="+strings.Join(append(dirs, "/usr/local/bin", "/usr/bin", "/bin"), string(filepath.ListSeparator)))
	for name, places := range s.First {
		for _, place := range places {
			if dir := expand(place, getenv); dir != "" && isFolder(dir) {
				found.env, found.read = append(found.env, name+"="+dir), append(found.read, s.partsOf(name, dir)...)
				break
			}
		}
	}
	found.read = tops(found.read)
	return found, nil
}

// partsOf is what a server can read of the folder that a variable names.
func (s server) partsOf(name, dir string) (read []string) {
	if s.Parts[name] == nil {
		return []string{dir}
	}
	for _, part := range s.Parts[name] {
		if path := filepath.Join(dir, part); isFolder(path) {
			read = append(read, path)
		}
	}
	return read
}

// tops leaves out what lies in another of the paths.
func tops(paths []string) (kept []string) {
	slices.Sort(paths)
	for _, path := range paths {
		if len(kept) == 0 || path != kept[len(kept)-1] && !strings.HasPrefix(path, kept[len(kept)-1]+"/") {
			kept = append(kept, path)
		}
	}
	return kept
}

// lookPath finds a program in absolute folders of a search path, never in the folder that is checked.
func lookPath(name, path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

// around is what a program is made of: itself where its links lead, and the folder that it was installed into.
func around(path string) []string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return []string{path}
	}
	read := []string{path, real}
	if top, _, ok := strings.Cut(real, "/node_modules/"); ok {
		return append(read, top+"/node_modules")
	}
	if dir := filepath.Dir(real); filepath.Base(dir) == "bin" && filepath.Base(real) == "go" {
		return append(read, filepath.Dir(dir))
	}
	return read
}

// expand replaces variables; a path with one that is not set is nothing.
func expand(path string, getenv func(string) string) string {
	known := true
	path = os.Expand(path, func(name string) string {
		value := getenv(name)
		known = known && value != ""
		return value
	})
	if !known || !filepath.IsAbs(path) {
		return ""
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

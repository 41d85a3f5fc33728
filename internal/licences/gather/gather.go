package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rein/internal/licences"
)

// systems are those whose binaries the notices are for. What is linked differs a little between them;
// one file for all is the same wherever it is made.
var systems = []string{"linux", "darwin", "windows", "freebsd"}

// data is what is in the binary and no Go module by others: folders of ours that have a licence.
var data = map[string]string{"rein": ".", "all-MiniLM-L6-v2": "vault/minilm/data"}

// zones has no file of its own: the package time/tzdata holds the database and not its notice.
const zones = "The IANA time zone database, which the Go package time/tzdata holds, is in the public domain:\nhttps://data.iana.org/time-zones/tz-link.html\n"

// legal are the names of files with licences and notices.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense)([-._].*)?$`)

// A work is something by others, and the folders below its root that are in the binary.
type work struct {
	name, version, root string
	folders             map[string]bool
}

// gather makes the notices of what is linked into cmd/rein. The module is in the folder root.
func gather(root string) ([]byte, error) {
	works, err := linked(root)
	if err != nil {
		return nil, err
	}
	for name, dir := range data {
		works[name] = &work{name: name, root: filepath.Join(root, dir), folders: map[string]bool{".": true}}
	}
	book := licences.Book{Texts: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(works)) {
		notice, err := works[name].notice()
		if err != nil {
			return nil, err
		}
		add(&book, notice)
	}
	add(&book, licences.Notice{Name: "IANA time zone database", Kind: "public domain", Files: []licences.File{{Name: "NOTICE", Text: zones}}})
	slices.SortFunc(book.Notices, func(a, b licences.Notice) int { return strings.Compare(a.Name, b.Name) })
	return written(book)
}

const library = "Go standard library"

// ask runs the go command for a system.
func ask(root, system string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s for %q: %w: %s", args[0], system, err, wrong.String())
	}
	return out, nil
}

// linked asks Go what cmd/rein is made of.
func linked(root string) (map[string]*work, error) {
	goroot, err := ask(root, "", "env", "GOROOT") // runtime.GOROOT is empty in a binary that was built with -trimpath
	if err != nil {
		return nil, err
	}
	works := map[string]*work{library: {name: library, root: strings.TrimSpace(string(goroot)), folders: map[string]bool{".": true}}}
	for _, system := range systems {
		out, err := ask(root, system, "list", "-deps", "-json=Dir,Module", "./cmd/rein")
		if err != nil {
			return nil, err
		}
		if err := read(works, json.NewDecoder(bytes.NewReader(out))); err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
	}
	return works, nil
}

// read adds the packages that go list tells.
func read(works map[string]*work, packages *json.Decoder) error {
	for {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		w := works[p.Module.Path]
		if w == nil {
			w = &work{name: p.Module.Path, version: p.Module.Version, root: p.Module.Dir, folders: map[string]bool{}}
			works[w.name] = w
		}
		if err := w.hold(p.Dir); err != nil {
			return err
		}
	}
}

// hold adds a folder and those above it: a licence is for what is below it.
func (w *work) hold(dir string) error {
	rel, err := filepath.Rel(w.root, dir)
	if err != nil {
		return err
	}
	for rel = filepath.ToSlash(rel); rel != "."; rel = path.Dir(rel) {
		w.folders[rel] = true
	}
	w.folders["."] = true
	return nil
}

// notice reads the texts of a work. One without any, or with a licence that nobody has looked at, is an
// error: somebody has to decide about it.
func (w *work) notice() (licences.Notice, error) {
	n := licences.Notice{Name: w.name, Version: w.version}
	var texts []string
	for _, folder := range slices.Sorted(maps.Keys(w.folders)) {
		entries, err := fs.ReadDir(os.DirFS(w.root), folder)
		if err != nil {
			return n, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !legal.MatchString(entry.Name()) || path.Ext(entry.Name()) == ".go" {
				continue
			}
			name := path.Join(folder, entry.Name())
			text, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(name)))
			if err != nil {
				return n, err
			}
			even := strings.ToValidUTF8(strings.ReplaceAll(string(text), "\r\n", "\n"), "\uFFFD")
			n.Files, texts = append(n.Files, licences.File{Name: name, Text: even}), append(texts, even)
		}
	}
	if n.Kind = kindOf(texts); n.Kind == "" {
		return n, fmt.Errorf("%s: no licence that is known in %d files of %s: add its kind to kind.go, or do without it", w.name, len(n.Files), w.root)
	}
	return n, nil
}

// add writes a notice down, its texts by their digests.
func add(book *licences.Book, n licences.Notice) {
	for i, file := range n.Files {
		sum := sha256.Sum256([]byte(file.Text))
		key := hex.EncodeToString(sum[:8])
		book.Texts[key], n.Files[i].Text = file.Text, key
	}
	book.Notices = append(book.Notices, n)
}

func written(book licences.Book) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	err := enc.Encode(book)
	return out.Bytes(), err
}

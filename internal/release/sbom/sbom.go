// Package sbom lists what a Go binary is built from, as the Go toolchain recorded it in the binary: a bill of
// materials in the form of CycloneDX 1.6. It reads nothing else, so it cannot say more than what is linked.
package sbom

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
)

// A BOM is the document. Only the fields that we write are here.
type BOM struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     Metadata     `json:"metadata"`
	Components   []Component  `json:"components"`
	Dependencies []Dependency `json:"dependencies"`
}

// Metadata says what the document is about.
type Metadata struct {
	Timestamp string    `json:"timestamp,omitempty"` // of the commit, so that the same binary gives the same document
	Component Component `json:"component"`
}

// A Component is the program, a module in it, or the standard library.
type Component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []Hash     `json:"hashes,omitempty"`
	Properties []Property `json:"properties,omitempty"`
}

// A Hash is that of a module's files, as go.sum has it. CycloneDX has no name for that sum, but it is one of SHA-256.
type Hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

// A Property is something that CycloneDX has no field for.
type Property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Dependency says what a component needs. A binary does not record which module needs which, so only the program
// has an entry.
type Dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// Read makes the document for a binary.
func Read(path string) ([]byte, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the build information of %s: %w", path, err)
	}
	text, err := json.MarshalIndent(Make(info), "", "  ")
	return append(text, '\n'), err
}

// Make makes the document from build information.
func Make(info *debug.BuildInfo) BOM {
	main := module("application", &info.Main)
	std := Component{Type: "library", Name: "std", Version: info.GoVersion}
	std.PURL = "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")
	std.Ref = std.PURL
	bom := BOM{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []Component{std}}
	for _, s := range info.Settings {
		if s.Value == "" {
			continue
		}
		main.Properties = append(main.Properties, Property{"go:" + s.Key, s.Value})
		if s.Key == "vcs.time" {
			bom.Metadata.Timestamp = s.Value
		}
	}
	bom.Metadata.Component = main
	for _, dep := range info.Deps {
		bom.Components = append(bom.Components, module("library", dep))
	}
	needs := Dependency{Ref: main.Ref}
	for _, c := range bom.Components {
		needs.On = append(needs.On, c.Ref)
	}
	bom.Dependencies = []Dependency{needs}
	return bom
}

// module is a module as it was linked: what replaces it, if something does.
func module(kind string, m *debug.Module) Component {
	c := Component{Type: kind}
	if m.Replace != nil {
		c.Properties = append(c.Properties, Property{"go:replaces", m.Path + "@" + m.Version})
		m = m.Replace
	}
	c.Name, c.Version = m.Path, m.Version
	c.PURL = "pkg:golang/" + (&url.URL{Path: m.Path}).EscapedPath() + "@" + url.QueryEscape(cmp.Or(m.Version, "(devel)"))
	c.Ref = c.PURL
	if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
		if raw, err := base64.StdEncoding.DecodeString(sum); err == nil {
			c.Hashes = []Hash{{"SHA-256", hex.EncodeToString(raw)}}
			c.Properties = append(c.Properties, Property{"go:sum", m.Sum})
		}
	}
	return c
}

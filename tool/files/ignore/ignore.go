// Package ignore decides which files git leaves out: by the .gitignore files of a folder and of the
// folders above it, and by .git/info/exclude. It gets the texts and reads no files itself. It follows
// git where ripgrep differs (docs/tools-and-approvals.md lists where).
package ignore

import (
	"bytes"
	"strings"

	"rein/tool/files/match"
)

// Parse reads the text of an ignore file. As in git, a line that cannot be understood matches nothing.
func Parse(text []byte) match.Rules {
	var rules match.Rules
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if r, err := match.ParseRule(trimSpaces(line), match.Syntax{}); err == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

// trimSpaces removes the spaces at the end that no backslash protects.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return line[:min(end, len(line))]
}

// A Folder is the rules that hold for the entries of a folder.
type Folder struct {
	above   *Folder // nil: rules above do not count
	path    string  // from the topmost folder, with slashes; empty: it is that folder
	rules   match.Rules
	exclude match.Rules
}

// Files are the rules that a folder brings.
type Files struct {
	Rules   match.Rules // of its .gitignore
	Repo    bool        // it is the top of a repository: it has a .git
	Exclude match.Rules // of its .git/info/exclude
}

// Top makes the topmost folder.
func Top(own Files) *Folder {
	return &Folder{rules: own.Rules, exclude: own.Exclude}
}

// Below makes a folder in this one. For a repository in a repository only its own rules count.
func (f *Folder) Below(name string, own Files) *Folder {
	b := &Folder{above: f, path: f.join(name), rules: own.Rules, exclude: own.Exclude}
	if own.Repo {
		b.above = nil
	}
	return b
}

func (f *Folder) join(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "/" + name
}

// Judge says of an entry of the folder whether git ignores it (Yes), whether a rule takes it back (No),
// or that no rule names it. It does not look at the folders above: whoever asks does not go into an
// ignored one.
func (f *Folder) Judge(name string, folder bool) match.Verdict {
	path := f.join(name)
	for at := f; at != nil; at = at.above {
		if v := at.rules.Judge(at.from(path), folder); v != match.None {
			return v
		}
	}
	for at := f; at != nil; at = at.above {
		if v := at.exclude.Judge(at.from(path), folder); v != match.None {
			return v
		}
	}
	return match.None
}

// from is a path below the folder as seen from it.
func (f *Folder) from(path string) string {
	if f.path == "" {
		return path
	}
	return path[len(f.path)+1:]
}

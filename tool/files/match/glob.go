// Package match compares paths with the globs that git and ripgrep use: "*" and "?" stop at a slash,
// "**" between slashes does not, "[a-z]" is one character. It touches no files, and the time of a
// comparison grows with the lengths of the glob and the path, however many stars there are.
package match

import (
	"errors"
	"slices"
	"unicode/utf8"
)

// Syntax is how a glob is read. The zero value is git's.
type Syntax struct {
	// Braces makes {a,b} stand for a or b, as ripgrep does. For git they are plain characters.
	Braces bool
	// Runes makes "?" and "[…]" stand for one character, as ripgrep does. For git it is one byte.
	Runes bool
}

// A Glob is a compiled glob. It is safe for use by many at once.
type Glob struct {
	syntax Syntax
	either [][]token // what the braces stand for
}

type kind uint8

const (
	literal kind = iota
	anyOne       // ?
	oneOf        // [a-z]
	star         // *
	folders      // **/: no folder or any number of them
	rest         // ** at the end: everything
)

type token struct {
	kind  kind
	text  string // of a literal
	class class  // of oneOf
}

var (
	errClass  = errors.New(`a "[" has no "]" (\[ is the character itself)`)
	errEscape = errors.New(`it ends with a single "\" (\\ is the character itself)`)
	errBrace  = errors.New(`a "{" has no "}" (\{ is the character itself)`)
	errMany   = errors.New(`its braces stand for more than 256 globs`)
)

// Compile reads a glob.
func Compile(glob string, s Syntax) (Glob, error) {
	globs := []string{glob}
	if s.Braces {
		var err error
		if globs, err = expand(glob); err != nil {
			return Glob{}, err
		}
	}
	g := Glob{syntax: s}
	for _, one := range globs {
		tokens, err := (&parser{text: one, syntax: s}).run()
		if err != nil {
			return Glob{}, err
		}
		g.either = append(g.either, tokens)
	}
	return g, nil
}

// Match reports whether a path, with slashes and without one at its ends, is what the glob describes.
func (g Glob) Match(path string) bool {
	return slices.ContainsFunc(g.either, func(tokens []token) bool { return g.syntax.match(tokens, path) })
}

// A place is where a comparison can go on with more taken by a star.
type place struct {
	at   int // in the tokens, after the star; 0: there was none
	from int // in the path, where that star may take more
}

// match looks for the first way that fits. It remembers the last "*" and the last "**/" only: what an
// earlier one could take more, a later one can take too.
func (s Syntax) match(tokens []token, path string) bool {
	var single, deep place
	at, pos := 0, 0
	for {
		switch n, ok := s.step(tokens, at, path[pos:]); {
		case at == len(tokens) && pos == len(path):
			return true
		case at < len(tokens) && tokens[at].kind == rest:
			return true
		case at < len(tokens) && tokens[at].kind == star:
			at++
			single = place{at, pos}
			continue
		case at < len(tokens) && tokens[at].kind == folders:
			at++
			single, deep = place{}, place{at, pos}
			continue
		case ok:
			at, pos = at+1, pos+n
			continue
		}
		if !single.more(s, path) {
			single = place{}
			if !deep.moreFolders(path) {
				return false
			}
			at, pos = deep.at, deep.from
			continue
		}
		at, pos = single.at, single.from
	}
}

// step compares the beginning of a path with one token, and returns how much of it that token is.
func (s Syntax) step(tokens []token, at int, path string) (int, bool) {
	if at == len(tokens) {
		return 0, false
	}
	t := tokens[at]
	if t.kind == literal {
		n := len(t.text)
		return n, len(path) >= n && path[:n] == t.text
	}
	if path == "" || path[0] == '/' {
		return 0, false
	}
	c, n := s.first(path)
	return n, t.kind == anyOne || t.kind == oneOf && t.class.has(c)
}

// first is the first character of a text, or its first byte.
func (s Syntax) first(text string) (rune, int) {
	if s.Runes {
		return utf8.DecodeRuneInString(text)
	}
	return rune(text[0]), 1
}

// more lets a star take one character more, within its folder.
func (p *place) more(s Syntax, path string) bool {
	if p.at == 0 || p.from == len(path) || path[p.from] == '/' {
		return false
	}
	_, n := s.first(path[p.from:])
	p.from += n
	return true
}

// moreFolders lets a "**/" take one folder more.
func (p *place) moreFolders(path string) bool {
	if p.at == 0 {
		return false
	}
	for ; p.from < len(path); p.from++ {
		if path[p.from] == '/' {
			p.from++
			return true
		}
	}
	return false
}

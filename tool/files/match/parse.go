package match

import "strings"

// A parser reads a glob without braces.
type parser struct {
	text   string
	syntax Syntax
	at     int
	plain  strings.Builder // characters that stand for themselves and were not yet made a token
	tokens []token
}

func (p *parser) run() ([]token, error) {
	for p.at < len(p.text) {
		var err error
		switch p.text[p.at] {
		case '*':
			p.stars()
		case '?':
			p.add(token{kind: anyOne})
			p.at++
		case '[':
			err = p.class()
		case '\\':
			err = p.escape()
		default:
			p.plain.WriteByte(p.text[p.at])
			p.at++
		}
		if err != nil {
			return nil, err
		}
	}
	p.flush()
	return p.tokens, nil
}

func (p *parser) add(t token) {
	p.flush()
	p.tokens = append(p.tokens, t)
}

func (p *parser) flush() {
	if p.plain.Len() > 0 {
		p.tokens = append(p.tokens, token{kind: literal, text: p.plain.String()})
		p.plain.Reset()
	}
}

// stars reads one or more. Two are special only if they are all there is between slashes.
func (p *parser) stars() {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] == '*' {
		p.at++
	}
	alone := from == 0 || p.text[from-1] == '/'
	switch {
	case p.at-from < 2 || !alone:
		p.add(token{kind: star})
	case p.at == len(p.text):
		p.add(token{kind: rest})
	case p.text[p.at] == '/':
		p.at++
		p.add(token{kind: folders})
	default:
		p.add(token{kind: star})
	}
}

func (p *parser) escape() error {
	if p.at+1 == len(p.text) {
		return errEscape
	}
	p.plain.WriteByte(p.text[p.at+1])
	p.at += 2
	return nil
}

// A class is what stands between brackets.
type class struct {
	not    bool
	ranges [][2]rune
	named  []func(rune) bool
}

func (c class) has(r rune) bool {
	for _, pair := range c.ranges {
		if pair[0] <= r && r <= pair[1] {
			return !c.not
		}
	}
	for _, in := range c.named {
		if in(r) {
			return !c.not
		}
	}
	return c.not
}

// class reads "[…]". A "]" that comes first, and a "-" at an end, stand for themselves.
func (p *parser) class() error {
	var c class
	p.at++
	if p.at < len(p.text) && (p.text[p.at] == '!' || p.text[p.at] == '^') {
		c.not = true
		p.at++
	}
	for first := true; ; first = false {
		switch rest := p.text[p.at:]; {
		case rest == "":
			return errClass
		case rest[0] == ']' && !first:
			p.at++
			p.add(token{kind: oneOf, class: c})
			return nil
		case strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"):
			if err := p.named(&c); err != nil {
				return err
			}
			continue
		}
		from, err := p.member()
		if err != nil {
			return err
		}
		to := from
		if rest := p.text[p.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			p.at++
			if to, err = p.member(); err != nil {
				return err
			}
		}
		c.ranges = append(c.ranges, [2]rune{from, to})
	}
}

// member reads one character of a class.
func (p *parser) member() (rune, error) {
	if p.text[p.at] == '\\' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0, errClass
	}
	c, n := p.syntax.first(p.text[p.at:])
	p.at += n
	return c, nil
}

// named reads a class such as [:alpha:].
func (p *parser) named(c *class) error {
	name, _, _ := strings.Cut(p.text[p.at+2:], ":]")
	in, ok := names[name]
	if !ok {
		return errClass
	}
	c.named = append(c.named, in)
	p.at += len("[:") + len(name) + len(":]")
	return nil
}

func between(pairs string) func(rune) bool {
	return func(r rune) bool {
		for i := 0; i < len(pairs); i += 2 {
			if rune(pairs[i]) <= r && r <= rune(pairs[i+1]) {
				return true
			}
		}
		return false
	}
}

// names are the classes that POSIX names; they know ASCII only, as git's do.
var names = map[string]func(rune) bool{
	"alnum": between("azAZ09"), "alpha": between("azAZ"), "blank": between("  \t\t"), "cntrl": between("\x00\x1f\x7f\x7f"),
	"digit": between("09"), "graph": between("!~"), "lower": between("az"), "print": between(" ~"), "punct": between("!/:@[`{~"),
	"space": between("  \t\r"), "upper": between("AZ"), "xdigit": between("afAF09"),
}

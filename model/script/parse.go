package script

import (
	"strings"

	"rein"
)

// A parser reads a script line by line.
type parser struct {
	name  string
	lines []string
	at    int // lines that were read

	info    rein.ModelInfo
	header  map[string]bool // the header lines that were read
	entries []*entry
}

func (p *parser) next() (string, bool) {
	if p.at == len(p.lines) {
		return "", false
	}
	p.at++
	return p.lines[p.at-1], true
}

func (p *parser) parse() error {
	p.header = map[string]bool{}
	for {
		text, ok := p.next()
		if !ok {
			break
		}
		text = strings.TrimSpace(text)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if err := p.line(newLine(p, p.at, text)); err != nil {
			return err
		}
	}
	if len(p.entries) == 0 {
		return newLine(p, p.at, "").errorf("the script answers nothing; want an entry such as: turn 1, and below it: say Hello.")
	}
	return p.closeEntry()
}

func (p *parser) line(l *line) error {
	if l.word == "when" || l.word == "turn" {
		return p.openEntry(l)
	}
	if read, ok := headers[l.word]; ok {
		return p.headerLine(l, read)
	}
	read, ok := directives[l.word]
	if !ok {
		return l.errorf("no directive %q%s", clip(l.word), suggest(l.word, allDirectives()))
	}
	if len(p.entries) == 0 {
		return l.errorf("%s belongs to an entry; begin one with: turn 1, or: when phase=NAME", l.word)
	}
	e := p.entries[len(p.entries)-1]
	if err := read(e, l); err != nil {
		return err
	}
	if err := l.end(); err != nil {
		return err
	}
	return e.reachable(l)
}

func (p *parser) headerLine(l *line, read func(*rein.ModelInfo, *line) error) error {
	if len(p.entries) > 0 {
		return l.errorf("%s describes the model and belongs above the first entry (line %d)", l.word, p.entries[0].line)
	}
	if p.header[l.word] {
		return l.errorf("a second %s; want one", l.word)
	}
	p.header[l.word] = true
	if err := read(&p.info, l); err != nil {
		return err
	}
	return l.end()
}

func (p *parser) openEntry(l *line) error {
	if err := p.closeEntry(); err != nil {
		return err
	}
	e := &entry{line: l.no, text: strings.TrimSpace(l.word + " " + l.rest)}
	if l.word == "turn" {
		n, err := l.value("the number of the turn, as in: turn 1")
		if err != nil {
			return err
		}
		if err := e.addCond(l, keys["turn"], "turn", "=", n); err != nil {
			return err
		}
	}
	if err := e.addConds(l); err != nil {
		return err
	}
	for _, earlier := range p.entries {
		if earlier.hides(e) {
			return l.errorf("never reached: line %d answers every call that this entry would; make that one narrower or put it below", earlier.line)
		}
	}
	p.entries = append(p.entries, e)
	return nil
}

// closeEntry checks the entry that the next one, or the end of the file, closes.
func (p *parser) closeEntry() error {
	if len(p.entries) == 0 {
		return nil
	}
	e := p.entries[len(p.entries)-1]
	if !e.replies && len(e.faults) == 0 {
		l := &line{p: p, no: e.line}
		return l.errorf("%s: the entry does nothing; add say, call, fail or the like below it", e.text)
	}
	return nil
}

package config

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"rein/internal/near"
)

// errOnlyFile says that a value has too much shape for a flag or a variable.
var errOnlyFile = errors.New("it can only be set in a file")

// names is a list of words.
type names func(*Config) *[]string

func (field names) read(l *loading, n *node) error {
	if n.kind != isList {
		return fmt.Errorf("it is %s and must be a list of strings, such as [\"one\", \"two\"]", n.kind)
	}
	list := []string{}
	for _, item := range n.list {
		switch {
		case item.kind != isString:
			l.report(item, "%s is a list of strings; this is %s", l.key, item.kind)
		case strings.TrimSpace(item.text) == "":
			l.report(item, "%s: a name is empty", l.key)
		case slices.Contains(list, item.text):
			l.report(item, "%s names %q twice", l.key, item.text)
		default:
			list = append(list, item.text)
			l.places[l.key+" "+item.text] = l.source(item)
		}
	}
	*field(l.config) = list
	return nil
}

func (field names) parse(l *loading, value string) error {
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(*field(l.config), name) {
			*field(l.config) = append(*field(l.config), name)
		}
	}
	return nil
}

func (field names) show(c *Config) string {
	list := []string{}
	for _, name := range *field(c) {
		list = append(list, quoted(name))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// patterns is redact.patterns: a list of tables.
type patterns struct{}

var patternKeys = []string{"name", "regexp", "block"}

func (patterns) read(l *loading, n *node) error {
	if n.kind != isList {
		return fmt.Errorf("it is %s and must be a list of tables, such as [{name = \"badge\", regexp = \"B-[0-9]+\"}]", n.kind)
	}
	for _, item := range n.list {
		if item.kind != isTable {
			l.report(item, "%s is a list of tables; this is %s", l.key, item.kind)
			continue
		}
		if p, ok := readPattern(l, item); ok {
			l.config.Redact.Patterns = append(l.config.Redact.Patterns, p)
		}
	}
	return nil
}

func readPattern(l *loading, table *node) (p Pattern, ok bool) {
	before := len(*l.problems)
	p.Name = l.member(table, "name", isString, true)
	if source := l.member(table, "regexp", isString, true); source != "" {
		var err error
		if p.Regexp, err = regexp.Compile(source); err != nil {
			l.report(table.table["regexp"], "%s: the regexp of %q cannot be used: %v", l.key, p.Name, err)
		} else if p.Regexp.MatchString("") {
			l.report(table.table["regexp"], "%s: the regexp of %q matches the empty text, and so everything", l.key, p.Name)
		}
	}
	p.Block = l.member(table, "block", isBool, false) == "true"
	l.strangers(table, patternKeys)
	return p, len(*l.problems) == before
}

func (patterns) parse(*loading, string) error { return errOnlyFile }

// show tells names only: a pattern can give away what it looks for.
func (patterns) show(c *Config) string {
	list := []string{}
	for _, p := range c.Redact.Patterns {
		list = append(list, "{name = "+quoted(p.Name)+"}")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// models is the table of tables [models.NAME].
type models struct{}

var modelKeys = []string{"kind", "file"}

func (models) read(l *loading, n *node) error {
	if n.kind != isTable {
		return fmt.Errorf("it is %s and must be tables: [models.NAME]", n.kind)
	}
	for _, name := range n.keys {
		table := n.table[name]
		switch {
		case table.kind != isTable:
			l.report(table, "models.%s is %s and must be a table: [models.%s]", name, table.kind, name)
		case name == KindOffline || strings.TrimSpace(name) == "":
			l.report(table, "models.%s: the name %q is taken: choose another", name, name)
		default:
			l.key = "models." + name
			l.config.Models[name] = readModel(l, name, table)
		}
	}
	return nil
}

func readModel(l *loading, name string, table *node) Model {
	m := Model{Kind: l.member(table, "kind", isString, true), File: l.member(table, "file", isString, false)}
	switch file := table.table["file"]; {
	case m.Kind == "":
	case !slices.Contains(Kinds, m.Kind):
		l.report(table.table["kind"], "models.%s.kind is %q; available: %s%s", name, m.Kind, strings.Join(Kinds, ", "), near.DidYouMean(m.Kind, Kinds))
	case m.Kind == KindScript && m.File == "":
		l.report(table, "models.%s is a script and needs file = \"…\" (docs/script.md)", name)
	case m.Kind != KindScript && file != nil:
		l.report(file, "models.%s.file is for scripts only; the kind is %q", name, m.Kind)
	}
	if m.File != "" {
		m.File = l.path(m.File)
	}
	known, reported := modelKeys, []string(nil)
	if m.Kind == KindOpenAI || m.Kind == KindAnthropic {
		m.Provider = l.provider(name, m.Kind, table)
		known, reported = append([]string{"kind"}, providerKeys...), keyNames
	}
	l.strangers(table, known, reported...)
	return m
}

func (models) parse(*loading, string) error { return errOnlyFile }

func (models) show(c *Config) string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.Models)) {
		m := c.Models[name]
		text := quoted(name) + " = {kind = " + quoted(m.Kind)
		if m.File != "" {
			text += ", file = " + quoted(m.File)
		}
		text += m.show()
		list = append(list, text+"}")
	}
	return "{" + strings.Join(list, ", ") + "}"
}

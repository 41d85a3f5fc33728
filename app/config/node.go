package config

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is what a value of a file is, in words.
type kind string

const (
	isString  kind = "a string"
	isInteger kind = "a whole number"
	isFloat   kind = "a number with decimals"
	isBool    kind = "true or false"
	isDate    kind = "a date or time"
	isList    kind = "a list"
	isTable   kind = "a table"
)

// A node is a value of a file, with its place: the decoder of the library stops at the first wrong
// type, and a person wants to hear of all of them.
type node struct {
	line, col int
	name      *node // of a member of a table: where its key stands
	kind      kind
	text      string // of a value that is neither list nor table
	list      []*node
	keys      []string // of a table, in the order of the file
	table     map[string]*node
}

func newTable(line, col int) *node {
	return &node{line: line, col: col, kind: isTable, table: map[string]*node{}}
}

func (n *node) put(key string, value *node) {
	if n.table[key] == nil {
		n.keys = append(n.keys, key)
	}
	n.table[key] = value
}

// key is where the key of a member stands; of a table that is in its header.
func (n *node) key() *node {
	if n.name != nil {
		return n.name
	}
	return n
}

// A syntaxError is a file that is not TOML.
type syntaxError struct {
	line, col int
	msg       string
}

func (e *syntaxError) Error() string { return e.msg }

// parseTOML returns the root table. The library judges first what is well formed, repeated keys
// too; then nothing can go wrong in building the tree.
func parseTOML(data []byte) (*node, error) {
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, col := wrong.Position()
			return nil, &syntaxError{line, col, strings.TrimPrefix(wrong.Error(), "toml: ")}
		}
		return nil, err
	}
	b := builder{}
	b.Reset(data)
	root := newTable(1, 1)
	current := root
	for b.NextExpression() {
		switch e := b.Expression(); e.Kind {
		case unstable.Table:
			current = b.descend(root, e.Key(), false)
		case unstable.ArrayTable:
			current = b.descend(root, e.Key(), true)
		case unstable.KeyValue:
			b.keyValue(current, e)
		}
	}
	return root, b.Error()
}

type builder struct{ unstable.Parser }

func (b *builder) place(n *unstable.Node) (line, col int) {
	at := b.Shape(n.Raw).Start
	return at.Line, at.Column
}

// descend returns the table that a header names, and makes what is not there yet.
func (b *builder) descend(at *node, keys unstable.Iterator, array bool) *node {
	for keys.Next() {
		k := keys.Node()
		line, col := b.place(k)
		at = b.step(at, string(k.Data), line, col, array && keys.IsLast())
	}
	return at
}

// step goes down one key. Of an array of tables it is the last one that a header means.
func (b *builder) step(at *node, key string, line, col int, array bool) *node {
	next := at.table[key]
	if next == nil {
		next = newTable(line, col)
		if array {
			next = &node{line: line, col: col, kind: isList}
		}
		at.put(key, next)
	}
	if next.kind != isList {
		return next
	}
	if array || len(next.list) == 0 {
		next.list = append(next.list, newTable(line, col))
	}
	return next.list[len(next.list)-1]
}

func (b *builder) keyValue(at *node, e *unstable.Node) {
	keys := e.Key()
	for keys.Next() {
		k := keys.Node()
		line, col := b.place(k)
		if !keys.IsLast() {
			at = b.step(at, string(k.Data), line, col, false)
			continue
		}
		value := b.value(e.Value(), line, col)
		value.name = &node{line: line, col: col}
		at.put(string(k.Data), value)
	}
}

// value has the place of its own, if the parser knows it, or else of its key.
func (b *builder) value(v *unstable.Node, line, col int) *node {
	if v.Raw.Length > 0 {
		line, col = b.place(v)
	}
	n := &node{line: line, col: col, kind: scalarKind(v.Kind), text: string(v.Data)}
	switch v.Kind {
	case unstable.Array:
		n.kind = isList
		for items := v.Children(); items.Next(); {
			n.list = append(n.list, b.value(items.Node(), line, col))
		}
	case unstable.InlineTable:
		n = newTable(line, col)
		for items := v.Children(); items.Next(); {
			b.keyValue(n, items.Node())
		}
	}
	return n
}

func scalarKind(k unstable.Kind) kind {
	switch k {
	case unstable.String:
		return isString
	case unstable.Integer:
		return isInteger
	case unstable.Float:
		return isFloat
	case unstable.Bool:
		return isBool
	}
	return isDate
}

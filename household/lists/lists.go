// Package lists has the lists that a household shares, such as groceries: what is on them, who added it, and who did it. It
// has the rules and the SQL. Everyone of the household reads and changes a list, except one that is private to its maker.
package lists

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"rein"
)

// What there is at most.
const (
	MaxLists    = 100 // of a household
	MaxItems    = 500 // of a list
	MaxAtOnce   = 100 // items that one call adds, checks or removes
	MaxName     = 60  // bytes of the name of a list
	MaxText     = 200 // bytes of an item
	MaxCategory = 40  // bytes
	MaxUnit     = 20  // bytes
	MaxAmount   = 1_000_000
)

// A List is one list of a household.
type List struct {
	ID        string
	Household string
	Owner     string // the only user who sees it; empty: everyone of the household does
	Name      string
	Kind      Kind
	Maker     string
	Run       rein.RunID // that made it; empty: a person did
	Version   int64
	Created   time.Time
	Changed   time.Time
	Items     []Item
	next      int
}

// Kind is the kind of a list.
type Kind string

// Groceries is the list of groceries, of which a household has one.
const Groceries Kind = "groceries"

// An Item is one thing on a list.
type Item struct {
	ID       string
	Number   int // within its list, and never another's
	Text     string
	Amount   Amount
	Unit     string
	Category string
	By       string // who added it
	Run      rein.RunID
	Added    time.Time
	DoneBy   string
	Done     time.Time // zero: not yet
	Version  int64

	key, origin string
	place       int64
}

// A Who is a user whose lists are read or changed.
type Who struct{ Household, User string }

// An Origin is what writes: a step of a run, or a request of a person. What one origin writes is written once, however often.
type Origin struct {
	Run  rein.RunID // empty: a person
	Step string     // of the run, or a text that is the request's alone
}

// sees reports whether a user may look at the list.
func (l List) sees(who Who) bool {
	return l.Household == who.Household && who.Household != "" && (l.Owner == "" || l.Owner == who.User)
}

// IsPrivate reports whether its maker alone sees it.
func (l List) IsPrivate() bool { return l.Owner != "" }

// Left is how many items are still to be done.
func (l List) Left() (n int) {
	for _, it := range l.Items {
		if it.Done.IsZero() {
			n++
		}
	}
	return n
}

// line makes a text one line of characters that can be seen, in one spelling.
func line(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.Is(unicode.Cf, c):
			return -1 // it is not seen, and would make two of one word
		case unicode.IsControl(c), unicode.In(c, unicode.Zl, unicode.Zp, unicode.Zs):
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(norm.NFC.String(text)), " ")
}

// keyOf is a text as it is compared: "Melk" is "melk".
func keyOf(text string) string {
	return strings.ToLower(norm.NFKC.String(line(text)))
}

// short checks a line of a list.
func short(what, text string, most int, needed bool) (string, error) {
	text = line(text)
	switch {
	case text == "" && needed:
		return "", rein.Errorf(rein.CodeInvalid, "%s is empty: write what it is", what)
	case len(text) > most:
		return "", rein.Errorf(rein.CodeInvalid, "%s has %d bytes (%d letters); at most %d bytes are kept: write it shorter", what, len(text), utf8.RuneCountInString(text), most)
	}
	return text, nil
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

package index

import (
	"strings"

	"rein/vault/words"
)

// A Named is a note that the query names. Piece is its first.
type Named struct {
	Piece int
	How   string // "title" for a title, alias or file name; "tag"
	Name  string
	// Whole is set if the query is nothing but the name; else Words are those of the name.
	Whole bool
	Words []string
}

const (
	maxNaming    = 128 // words of a query in which names are looked for
	maxNameWords = 8
	maxNamed     = 200 // notes of one name
)

// Names finds notes whose title, alias or file name is the query or a part of it, and those with a
// tag that the query is or mentions with its mark.
func (v *View) Names(query string) []Named {
	var all []Named
	list := strings.Fields(words.Key(query))
	list = list[:min(len(list), maxNaming)]
	for size := min(len(list), maxNameWords); size >= 1; size-- {
		for from := 0; from+size <= len(list); from++ {
			part := list[from : from+size]
			name := strings.Join(part, " ")
			all = v.named(all, keyName+name, Named{How: "title", Name: name, Whole: size == len(list), Words: part})
		}
	}
	for field := range strings.FieldsSeq(query) {
		if key := tagKey(strings.TrimRight(field, ".,;:!?)")); strings.HasPrefix(field, "#") && key != "" {
			all = v.named(all, keyTag+key, Named{How: "tag", Name: key, Whole: true})
		}
	}
	if key := tagKey(query); key != "" && !strings.HasPrefix(query, "#") {
		all = v.named(all, keyTag+key, Named{How: "tag", Name: key, Whole: true})
	}
	return all
}

func (v *View) named(all []Named, key string, n Named) []Named {
	count := 0
	for k, s := range v.segs {
		o, ok := s.find(partTerms, partTermEnds, key)
		if !ok {
			continue
		}
		s.walk(o, func(piece int, _ float32) {
			if count++; count <= maxNamed {
				n.Piece = v.base[k] + piece
				all = append(all, n)
			}
		})
	}
	return all
}

// Package food knows foods: what is in them, and whether a dish is one that somebody may eat. It is pure. A text is judged by
// its words, and each of them must be known: a dish with a word that rein does not know is never called safe. docs/lists.md
// says what that promises, and what not.
package food

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"rein/internal/speech"
)

var (
	//go:embed foods.txt
	foodsText string
	//go:embed plain.txt
	plainText string
	//go:embed allergens.txt
	allergensText string
)

// The tags that say how little is known of a food.
const (
	mixed = "mixed" // a product with things in it that its name does not tell
	dish  = "dish"  // a dish that is made in many ways
)

// nutKinds are the foods that are nuts. Whatever may have nuts in it may have each of them.
var nutKinds = []string{"almond", "hazelnut", "walnut", "cashew", "pistachio", "pecan", "brazil-nut", "macadamia", "chestnut", "pine-nut"}

// Allergens are the tags of the 14 allergens that the law of the European Union names.
func Allergens() []string {
	return []string{"gluten", "crustacean", "egg", "fish", "peanut", "soy", "milk", "nuts", "celery", "mustard", "sesame", "sulphite", "lupin", "mollusc"}
}

// A food is one line of foods.txt.
type food struct {
	id     string
	tags   map[string]bool // with its own id
	en, nl string          // what it is called
}

// A Table is what is known of foods. It is made once, and not changed.
type Table struct {
	foods   map[string]*food
	words   map[string][]*food // by words in the form of Words, with spaces between them
	plain   map[string]bool    // words that say nothing of what is in a dish
	longest int                // how many words the longest name has
	names   map[string][]string
	dishes  []Dish
}

// New reads what is known of foods.
func New() *Table {
	t := &Table{foods: map[string]*food{}, words: map[string][]*food{}, plain: map[string]bool{}, names: map[string][]string{}}
	for line := range lines(foodsText) {
		t.add(strings.Split(line, "|"))
	}
	for line := range lines(plainText) {
		for _, w := range Words(line) {
			t.plain[w.Text] = true
		}
	}
	for line := range lines(allergensText) {
		tags, names, _ := strings.Cut(line, ":")
		for name := range strings.SplitSeq(names, ",") {
			t.names[spelled(name)] = strings.Fields(tags)
		}
	}
	t.dishes = t.readDishes()
	return t
}

// lines are those of a table, without remarks.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

func (t *Table) add(cells []string) {
	first, _, _ := strings.Cut(cells[0], ",")
	name, _, _ := strings.Cut(strings.TrimSpace(cells[1]), ",")
	f := &food{id: strings.ReplaceAll(spelled(first), " ", "-"), en: strings.TrimSpace(first), nl: name, tags: map[string]bool{}}
	f.tags[f.id] = true
	for _, tag := range strings.Fields(cells[2]) {
		f.tags[tag] = true
	}
	if f.tags["nuts"] && !slices.Contains(nutKinds, f.id) {
		for _, kind := range nutKinds {
			f.tags[kind] = true
		}
	}
	t.foods[f.id] = f
	for _, cell := range cells[:2] {
		for name := range strings.SplitSeq(cell, ",") {
			key := spelled(name)
			t.words[key] = append(t.words[key], f)
			t.longest = max(t.longest, strings.Count(key, " ")+1)
		}
	}
}

// spelled is a name as it is looked up.
func spelled(name string) string {
	words := Words(name)
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// dutchTags are tags that are no foods, or stand for more than the food of that name.
var dutchTags = map[string]string{
	"gluten": "gluten", "crustacean": "schaaldieren", "fish": "vis", "nuts": "noten", "mollusc": "weekdieren", "sulphite": "sulfiet", "pork": "varkensvlees", "alcohol": "alcohol", "honey": "honing",
}

// Name is what a food or an allergen is called, by its name in English.
func (t *Table) Name(language, id string) string {
	f, ok := t.foods[strings.ReplaceAll(spelled(id), " ", "-")]
	dutch, named := dutchTags[id]
	switch {
	case named && speech.Base(language) == "nl":
		return dutch
	case !ok:
		return id
	case speech.Base(language) == "nl":
		return f.nl
	}
	return f.en
}

// A Look is what is known of a text by its words.
type Look struct {
	Tags    map[string]bool
	Unknown []string // the words that are not known
	Foods   int      // how many foods it names
}

// Look reads a text, such as the name of a dish or of an ingredient.
func (t *Table) Look(text string) Look {
	l := Look{Tags: map[string]bool{}}
	words := Words(text)
	for i := 0; i < len(words); {
		found, n := t.phrase(words[i:])
		switch {
		case n > 0:
			l.take(found...)
			i += n
			continue
		case words[i].Odd:
			l.Unknown = append(l.Unknown, words[i].Text)
		case t.plain[words[i].Text]:
		default:
			if found := t.word(words[i].Text); len(found) > 0 {
				l.take(found...)
			} else {
				l.Unknown = append(l.Unknown, words[i].Text)
			}
		}
		i++
	}
	return l
}

func (l *Look) take(foods ...*food) {
	for _, f := range foods {
		maps.Copy(l.Tags, f.tags)
		l.Foods++
	}
}

// phrase finds the longest name that a text begins with.
func (t *Table) phrase(words []Word) (found []*food, n int) {
	key := ""
	for i, w := range words[:min(len(words), t.longest)] {
		if w.Odd {
			break
		}
		key = strings.TrimSpace(key + " " + w.Text)
		if foods := t.words[key]; len(foods) > 0 {
			found, n = foods, i+1
		}
	}
	return found, n
}

package food

import (
	"maps"
	"slices"
	"strings"
)

// Needs are what those who eat together must not get.
type Needs struct {
	table *Table
	avoid map[string]bool // tags
	// words are allergies that no table knows. They are found by their letters alone.
	words []string
	// loose says that something must be avoided that only lists of ingredients tell: no product or dish is safe then
	// whose name does not say what is in it.
	loose bool
}

// diets are what each diet leaves out. A diet that is not here, such as low-carb, leaves nothing out.
var diets = map[string][]string{
	"vegetarian": {"meat", "pork", "fish", "crustacean", "mollusc", "gelatine"}, "vegan": {"meat", "pork", "fish", "crustacean", "mollusc", "gelatine", "milk", "egg", "honey"},
	"pescatarian": {"meat", "pork", "gelatine"}, "halal": {"pork", "alcohol", "gelatine"}, "kosher": {"pork", "crustacean", "mollusc", "gelatine"},
	"gluten-free": {"gluten"}, "lactose-free": {"milk"},
}

// dietNames are other ways to write a diet.
var dietNames = map[string]string{
	"vegetarisch": "vegetarian", "vegetarier": "vegetarian", "veganist": "vegan", "veganistisch": "vegan", "pescotarisch": "pescatarian", "pescotarier": "pescatarian",
	"koosjer": "kosher", "gluten free": "gluten-free", "glutenvrij": "gluten-free", "lactose free": "lactose-free", "lactosevrij": "lactose-free",
}

// Needs returns what a list of allergies and diets leaves out. Each of them is a word or a few, in English or Dutch.
func (t *Table) Needs(allergies, diet []string) Needs {
	n := Needs{table: t, avoid: map[string]bool{}}
	for _, text := range allergies {
		n.allergy(text)
	}
	for _, text := range diet {
		name := spelled(text)
		if plain, ok := dietNames[name]; ok {
			name = plain
		}
		for _, tag := range diets[strings.ReplaceAll(name, " ", "-")] {
			n.avoid[tag] = true
		}
	}
	return n
}

// noise are words about an allergy that do not say which.
var noise = setOf("allergy allergies allergic allergie allergisch allergieen intolerance intolerant intolerantie to for voor tegen aan a an the de het een no geen not niet eat eten severe ernstige ernstig strong sterk all alle any and en or of i ik can may is am heeft heb traces sporen van")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// allergy adds one allergy.
func (n *Needs) allergy(text string) {
	var words []string
	for _, w := range Words(text) {
		for _, suffix := range []string{"allergie", "allergy", "intolerantie", "vrij", "free"} {
			if stem, ok := strings.CutSuffix(w.Text, suffix); ok && len(stem) > 2 {
				w.Text = stem
			}
		}
		if !noise[w.Text] {
			words = append(words, w.Text)
		}
	}
	whole := strings.Join(words, " ")
	if whole == "" || n.named(whole) {
		return
	}
	for _, word := range words { // each of them, so that nothing of it is missed
		if !n.named(word) && len(word) > 2 && !n.table.plain[word] {
			n.words, n.loose = append(n.words, word), true
		}
	}
}

// named adds what a name stands for, and reports whether it is known.
func (n *Needs) named(name string) bool {
	if tags := n.table.names[name]; len(tags) > 0 {
		for _, tag := range tags {
			n.avoid[tag] = true
		}
		return true
	}
	foods := n.table.words[name]
	if len(foods) == 0 && !strings.Contains(name, " ") {
		if tags := n.table.names[strings.TrimSuffix(name, "s")]; len(tags) > 0 {
			return n.named(strings.TrimSuffix(name, "s"))
		}
		foods = n.table.word(name)
	}
	for _, f := range foods {
		n.avoid[f.id], n.loose = true, true
		if of := allergensOf(f); len(of) == 1 && of[0] != "nuts" {
			n.avoid[of[0]] = true // who cannot have butter does not get milk either
		}
	}
	return len(foods) > 0
}

func allergensOf(f *food) (all []string) {
	for _, tag := range Allergens() {
		if f.tags[tag] {
			all = append(all, tag)
		}
	}
	return all
}

// Any reports whether there is anything to avoid.
func (n Needs) Any() bool { return len(n.avoid)+len(n.words) > 0 }

// Avoided lists what is avoided: names of foods.txt, and words as they were written.
func (n Needs) Avoided() []string {
	return append(slices.Sorted(maps.Keys(n.avoid)), n.words...)
}

// Words lists the allergies that are known by their word alone.
func (n Needs) Words() []string { return slices.Clone(n.words) }

// A Verdict says whether somebody with needs may get something.
type Verdict int

const (
	Safe     Verdict = iota // as far as its words tell
	Unclear                 // it has a word that is not known, or may have anything in it
	Contains                // it has, or may have, something that must be avoided
)

// Judge says whether those with these needs may get what a text names. With nothing to avoid everything is safe.
func (n Needs) Judge(text string) Verdict {
	if !n.Any() {
		return Safe
	}
	l := n.table.Look(text)
	for tag := range l.Tags {
		if n.avoid[tag] {
			return Contains
		}
	}
	squeezed := strings.ReplaceAll(spelled(text), " ", "")
	for _, word := range n.words {
		if strings.Contains(squeezed, word) {
			return Contains
		}
	}
	if len(l.Unknown) > 0 || l.Foods == 0 || l.Tags[mixed] || n.loose && l.Tags[dish] {
		return Unclear
	}
	return Safe
}

package food

import (
	_ "embed"
	"strconv"
	"strings"

	"rein/internal/speech"
)

//go:embed dishes.txt
var dishesText string

// A Dish is what people eat at one meal.
type Dish struct {
	Title       string       `json:"title"`
	Ingredients []Ingredient `json:"ingredients"`
}

// An Ingredient is one thing in a dish.
type Ingredient struct {
	Item   string  `json:"item"`
	Amount float64 `json:"amount,omitempty"`
	Unit   string  `json:"unit,omitempty"`
}

// Judge says whether those with these needs may get a dish: its worst part decides.
func (n Needs) JudgeDish(d Dish) Verdict {
	worst := n.Judge(d.Title)
	for _, it := range d.Ingredients {
		worst = max(worst, n.Judge(it.Item))
		if it.Unit != "" && n.Any() { // a unit is not for words about food
			l := n.table.Look(it.Unit)
			if len(l.Unknown) > 0 || l.Foods > 0 {
				worst = max(worst, Unclear)
			}
		}
	}
	return worst
}

// dutchUnits are the units of dishes.txt that have another name in Dutch.
var dutchUnits = map[string]string{"tbsp": "el", "tsp": "tl", "clove": "teen"}

// Dishes returns the dishes that are known here, for so many people.
func (t *Table) Dishes(language string, people int) []Dish {
	all := make([]Dish, len(t.dishes))
	for i, d := range t.dishes {
		en, nl, _ := strings.Cut(d.Title, "|")
		all[i].Title = en
		if speech.Base(language) == "nl" {
			all[i].Title = nl
		}
		for _, it := range d.Ingredients {
			unit := it.Unit
			if dutch, ok := dutchUnits[unit]; ok && speech.Base(language) == "nl" {
				unit = dutch
			}
			all[i].Ingredients = append(all[i].Ingredients, Ingredient{Item: t.Name(language, it.Item), Amount: it.Amount * float64(people), Unit: unit})
		}
	}
	return all
}

// readDishes reads dishes.txt. Their titles hold both languages, with a | between.
func (t *Table) readDishes() (all []Dish) {
	for line := range lines(dishesText) {
		cells := strings.Split(line, "|")
		d := Dish{Title: strings.TrimSpace(cells[0]) + "|" + strings.TrimSpace(cells[1])}
		for text := range strings.SplitSeq(cells[2], ",") {
			d.Ingredients = append(d.Ingredients, readIngredient(strings.Fields(text)))
		}
		all = append(all, d)
	}
	return all
}

// readIngredient reads the words of "green beans 200 g".
func readIngredient(words []string) (it Ingredient) {
	for i, word := range words {
		amount, err := strconv.ParseFloat(word, 64)
		if err == nil {
			it.Amount, it.Unit = amount, strings.Join(words[i+1:], " ")
			break
		}
		it.Item = strings.TrimSpace(it.Item + " " + word)
	}
	return it
}

package lists

import (
	"math"
	"strconv"
	"strings"

	"rein"
	"rein/internal/speech"
)

// An Amount is how much of something, in thousandths; zero: nobody said.
type Amount int64

// AmountOf is an amount of a number.
func AmountOf(n float64) (Amount, error) {
	if math.IsNaN(n) || n < 0 || n > MaxAmount {
		return 0, rein.Errorf(rein.CodeInvalid, "amount %v must be a number from 0 to %d", n, MaxAmount)
	}
	a := Amount(math.Round(n * 1000))
	if a == 0 && n > 0 {
		return 0, rein.Errorf(rein.CodeInvalid, "amount %v is too small: use a smaller unit", n)
	}
	return a, nil
}

// Float is the amount as a number.
func (a Amount) Float() float64 { return float64(a) / 1000 }

// Say writes an amount with its unit as people do: "1.5 l", and "1,5 l" in Dutch. No amount is an empty text.
func Say(language string, a Amount, unit string) string {
	if a == 0 {
		return unit
	}
	text := strconv.FormatFloat(a.Float(), 'f', -1, 64)
	if speech.Base(language) == "nl" {
		text = strings.ReplaceAll(text, ".", ",")
	}
	return strings.TrimSpace(text + " " + unit)
}

// A measure is a unit that can be added to others: so many of the base.
type measure struct {
	base   string
	factor int64 // thousandths of the base
}

var measures = map[string]measure{
	"mg": {"g", 1}, "g": {"g", 1000}, "kg": {"g", 1_000_000},
	"ml": {"ml", 1000}, "cl": {"ml", 10_000}, "dl": {"ml", 100_000}, "l": {"ml", 1_000_000},
	"": {"", 1000},
}

// units are other ways to write a unit.
var units = map[string]string{
	"gr": "g", "gram": "g", "grams": "g", "grammen": "g", "kilo": "kg", "kilos": "kg", "kilo's": "kg", "kilogram": "kg", "kilograms": "kg", "kgs": "kg",
	"milliliter": "ml", "milliliters": "ml", "millilitre": "ml", "millilitres": "ml", "centiliter": "cl", "deciliter": "dl",
	"liter": "l", "liters": "l", "litre": "l", "litres": "l", "lt": "l",
	"stuk": "", "stuks": "", "st": "", "piece": "", "pieces": "", "pcs": "", "pc": "", "x": "",
	"eetlepel": "el", "eetlepels": "el", "tablespoon": "tbsp", "tablespoons": "tbsp", "theelepel": "tl", "theelepels": "tl", "teaspoon": "tsp", "teaspoons": "tsp",
	"teen": "teentje", "tenen": "teentje", "teentjes": "teentje", "cloves": "clove", "blikken": "blik", "blikjes": "blik", "blikje": "blik", "tins": "can", "tin": "can", "cans": "can",
	"pakken": "pak", "packs": "pack", "zakken": "zak", "bags": "bag", "flessen": "fles", "bottles": "bottle", "plakken": "plak", "plakjes": "plak", "slices": "slice",
	"potten": "pot", "potjes": "pot", "potje": "pot", "jars": "jar", "bosjes": "bos", "bosje": "bos", "snufje": "snuf", "pinches": "pinch",
}

// unitOf is a unit in its one spelling.
func unitOf(text string) (string, error) {
	text, err := short("the unit", text, MaxUnit, false)
	if err != nil {
		return "", err
	}
	key := strings.TrimSuffix(strings.ToLower(text), ".")
	if plain, ok := units[key]; ok {
		return plain, nil
	}
	if _, ok := measures[key]; ok {
		return key, nil
	}
	return text, nil
}

// sum adds an amount to another. ok is false if their units cannot be added, or if only one of them says how much.
func sum(a Amount, unit string, b Amount, other string) (Amount, string, bool) {
	switch {
	case a == 0 && b == 0 && unit == other:
		return 0, unit, true
	case a == 0 || b == 0:
		return 0, "", false
	case unit == other:
		return inBounds(a+b, unit)
	}
	m, ok := measures[unit]
	n, also := measures[other]
	if !ok || !also || m.base != n.base {
		return 0, "", false
	}
	total := int64(a)*m.factor/1000 + int64(b)*n.factor/1000 // thousandths of the base
	if m.factor < n.factor {
		m, unit = n, other
	}
	if total*1000%m.factor != 0 { // it has no exact number of the larger unit: keep the base
		return inBounds(Amount(total), m.base)
	}
	return inBounds(Amount(total*1000/m.factor), unit)
}

func inBounds(a Amount, unit string) (Amount, string, bool) {
	return a, unit, a <= MaxAmount*1000
}

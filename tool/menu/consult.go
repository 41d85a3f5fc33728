package menu

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"rein"
	"rein/household/food"
	"rein/internal/lenient"
	"rein/internal/speech"
)

// maxRounds is how often the model is asked for dishes: once, and twice more for those that cannot be used.
const maxRounds = 3

// What a dish may have at most.
const (
	maxTitle       = 100 // bytes
	maxItem        = 60  // bytes
	maxIngredients = 25
	replyTokens    = 4000
)

// consult has the model think of dishes, and keeps those that everybody may eat. What the model gives is never more than a
// proposal: a model that gives nothing, or cannot be asked, leaves its days open.
func (m *Menu) consult(ctx context.Context, ask func(context.Context, []rein.Message, int64) (rein.Message, error), language, wishes string) error {
	used := 0
	for round := 0; round < maxRounds && ask != nil && len(m.open()) > 0; round++ {
		messages := []rein.Message{{Role: rein.System, Text: m.system(language)}, {Role: rein.User, Text: m.request(wishes, round)}}
		reply, err := ask(ctx, messages, replyTokens)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			break // what rein knows itself is enough
		}
		used += m.take(reply.Text)
	}
	m.Unheard = used == 0
	return nil
}

// open lists the days without a dish.
func (m *Menu) open() (days []int) {
	for i, d := range m.Days {
		if d.From == "" {
			days = append(days, i)
		}
	}
	return days
}

func (m *Menu) system(language string) string {
	written := "English"
	if speech.Base(language) == "nl" {
		written = "Dutch"
	}
	text := `You plan dinners for a family. Reply with one JSON object and nothing else: {"dishes":[{"date":"2026-11-24","title":"...","ingredients":[{"item":"...","amount":300,"unit":"g"}]}]}
Write titles and items in ` + written + `, in plain words. An item is one plain ingredient, such as "rice" or "carrot", and never a ready product, a sauce, a spice mix or a brand. Amounts are for all who eat; units are g, ml, or empty for pieces.`
	if len(m.Avoids) > 0 {
		text += "\nSomebody who eats is allergic to some of these, or does not eat them. None of them, and nothing that may have one of them in it, can be in a title or an item: " + strings.Join(m.Avoids, ", ") + "."
	}
	return text
}

func (m *Menu) request(wishes string, round int) string {
	var dates []string
	for _, i := range m.open() {
		dates = append(dates, m.Days[i].Date)
	}
	text := fmt.Sprintf("A dinner for %d people on each of these dates: %s.", m.People, strings.Join(dates, ", "))
	if wishes != "" {
		quoted, _ := json.Marshal(wishes) // a text can be written
		text += "\nWhat they would like, in their own words: " + string(quoted)
	}
	if round > 0 {
		text += "\nYour last reply had no dish for these dates that could be used: it was not JSON as above, or a title or an item had a word that is not known, may have something in it that is left out, or was not a plain ingredient. Think of other dishes, with well-known ingredients."
	}
	return text
}

// A draft is a dish as a model writes it.
type draft struct {
	Date        string `json:"date"`
	Title       string `json:"title"`
	Ingredients []struct {
		Item   string          `json:"item"`
		Amount json.RawMessage `json:"amount"`
		Unit   string          `json:"unit"`
	} `json:"ingredients"`
}

// take keeps the dishes of a reply that can be used, and returns how many those are.
func (m *Menu) take(reply string) (used int) {
	found, err := lenient.First(reply, "dishes")
	if err != nil {
		return 0
	}
	var wrote struct {
		Dishes []json.RawMessage `json:"dishes"`
	}
	if json.Unmarshal(found.JSON, &wrote) != nil {
		return 0
	}
	for _, raw := range wrote.Dishes {
		var d draft
		open := m.open()
		if len(open) == 0 {
			return used
		}
		if json.Unmarshal(raw, &d) != nil {
			m.Refused++
			continue
		}
		dish, ok := d.dish()
		if !ok || m.taken[dish.Title] || m.needs.JudgeDish(dish) != food.Safe {
			m.Refused++
			continue
		}
		at := open[0]
		for _, i := range open {
			if m.Days[i].Date == strings.TrimSpace(d.Date) {
				at = i
			}
		}
		m.set(at, dish, "model")
		used++
	}
	return used
}

// dish is a draft as it can be used. ok is false if it is no dish.
func (d draft) dish() (dish food.Dish, ok bool) {
	dish.Title = plain(d.Title)
	if dish.Title == "" || len(dish.Title) > maxTitle || len(d.Ingredients) == 0 || len(d.Ingredients) > maxIngredients {
		return dish, false
	}
	for _, it := range d.Ingredients {
		item, unit := plain(it.Item), plain(it.Unit)
		if item == "" || len(item) > maxItem || len(unit) > 20 {
			return dish, false
		}
		dish.Ingredients = append(dish.Ingredients, food.Ingredient{Item: item, Amount: amountOf(it.Amount), Unit: unit})
	}
	return dish, true
}

// amountOf reads a number, or a text that is one. Anything else is no amount.
func amountOf(raw json.RawMessage) float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(strings.Trim(string(raw), `" `), ",", "."), 64)
	if err != nil || !(n > 0 && n <= 100_000) {
		return 0
	}
	return n
}

// plain is a text of a model in one line, with nothing in it that cannot be seen.
func plain(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.Is(unicode.Cf, c):
			return -1
		case unicode.IsControl(c), unicode.IsSpace(c):
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(norm.NFC.String(text)), " ")
}

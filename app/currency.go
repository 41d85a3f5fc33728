package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rein/app/config"
	"rein/model/price"
)

// currencyOf is the currency of all amounts of money, as the API reports it. It is empty if some prices are in another one
// than the settings name: then a sum is in neither, and a sign before it would lie. Budgets and limits hold as numbers
// either way.
func (s *Setup) currencyOf(settings *config.Config) string {
	foreign, err := s.foreignPrices(settings)
	if err != nil || len(foreign) > 0 {
		return ""
	}
	return settings.Currency
}

// foreignPrices lists the models whose price is a built-in one although the settings name another currency. Nothing is
// converted, because rates change and rein asks nobody for them.
func (s *Setup) foreignPrices(settings *config.Config) (names []string, err error) {
	if settings.Currency == price.Currency {
		return nil, nil
	}
	table, err := price.Load(settings.Prices)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(settings.Models)) {
		m := settings.Models[name]
		if m.Kind != config.KindOpenAI && m.Kind != config.KindAnthropic {
			continue
		}
		if isForeign(m, table) {
			names = append(names, name)
		}
	}
	return names, nil
}

// isForeign reports whether a price of the model is a built-in one, other than 0.
func isForeign(m config.Model, table price.Table) bool {
	known, _ := table.Find(m.Model)
	if !known.BuiltIn {
		return false
	}
	with, without := withKnown(m, known), withKnown(m, price.Entry{})
	return with.InputMicros != without.InputMicros || with.OutputMicros != without.OutputMicros ||
		with.CachedMicros != without.CachedMicros || with.CacheWriteMicros != without.CacheWriteMicros
}

// priceCurrency is the currency of a model's price; empty: half of it is a built-in one.
func priceCurrency(name string, settings *config.Config, foreign []string) string {
	m := settings.Models[name]
	switch {
	case !slices.Contains(foreign, name):
		return settings.Currency
	case m.PriceIn >= 0 || m.PriceOut >= 0:
		return ""
	}
	return price.Currency
}

// checkCurrency says in which currency amounts are, and which prices are not.
func (d *doctor) checkCurrency(settings *config.Config) {
	foreign, err := d.setup.foreignPrices(settings)
	if err != nil {
		return // that was said
	}
	if len(foreign) == 0 {
		d.find(Fine, "currency", "", "amounts of money are in %s", settings.Currency)
		return
	}
	quoted := make([]string, len(foreign))
	for i, name := range foreign {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	fix := fmt.Sprintf("set price_in and price_out of [models.%s] in %s", foreign[0], settings.Currency)
	if settings.IsOffered(foreign[0]) { // it has no section
		fix = "put its price in " + settings.Currency + " into the file that prices names"
	}
	d.find(Warn, "currency", d.tip("models")+" lists the prices; "+fix,
		"currency is %s, but the built-in prices of %s are in %s and nothing is converted, so amounts of money are shown without a currency",
		settings.Currency, strings.Join(quoted, ", "), price.Currency)
}

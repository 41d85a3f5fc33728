package app

import (
	"os"
	"path/filepath"
	"testing"
)

// The API names the currency of the settings only if all prices are in it: built-in ones are in US dollars.
func TestCurrency(t *testing.T) {
	t.Parallel()
	const model = "[models.m]\nkind = \"openai\"\nmodel = \"gpt-5.4\"\n"
	const anthropic = "[models.c]\nkind = \"anthropic\"\nmodel = \"claude-sonnet-4-6\"\n"
	const euro = "currency = \"EUR\"\n"
	for name, c := range map[string]struct{ settings, want string }{
		"nothing is set":            {"", "USD"},
		"built-in prices":           {model, "USD"},
		"another currency":          {euro, "EUR"},
		"built-in prices beside it": {euro + model, ""},
		"half of a price":           {euro + model + "price_in = 2\n", ""},
		"a whole price":             {euro + model + "price_in = 2\nprice_out = 14\n", "EUR"},
		"a price of zero":           {euro + model + "price_in = 0\nprice_out = 0\n", "EUR"},
		"one model of two":          {euro + model + "price_in = 2\nprice_out = 14\n" + anthropic, ""},
		"a model that nobody knows": {euro + "[models.m]\nkind = \"openai\"\nmodel = \"own\"\nbase_url = \"http://127.0.0.1:1/v1\"\n", "EUR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := currencyUnder(t, c.settings); got != c.want {
				t.Errorf("the currency is %q, want %q", got, c.want)
			}
		})
	}
}

// currencyUnder asks a process with these settings for its currency, and one that only looks at its data.
func currencyUnder(t *testing.T, settings string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "rein.toml")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	options := Options{Data: filepath.Join(dir, "data"), Config: file, Env: []string{}}
	a, err := Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	me, err := a.Me(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	view, err := New(options).Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	if seen, err := view.Me(t.Context()); err != nil || seen.Currency != me.Currency {
		t.Errorf("the data shows %q, and the process %q: %v", seen.Currency, me.Currency, err)
	}
	return me.Currency
}

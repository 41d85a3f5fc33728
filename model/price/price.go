// Package price has the prices and limits of models: a built-in table that users can correct with a
// file. Package engine/guard calculates what a call costs.
package price

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rein"
)

// Currency is that of the built-in prices.
const Currency = "USD"

//go:embed prices.toml
var defaults string

// An Entry is what is known of a model. Prices are of a million tokens, in millionths of the
// currency unit; zero sizes are not known.
type Entry struct {
	Name               string // as the table has it
	Input, Output      int64
	Cached, CacheWrite int64 // zero: as Input
	Window, MaxOutput  int64
	Sees               bool // it takes images
	// Guess says that the model was taken for another one of its family, by the beginning of its name.
	Guess bool
	// BuiltIn says that no file of the user has it, so its prices are in Currency.
	BuiltIn bool
}

// A Table holds entries by name.
type Table struct{ entries map[string]Entry }

// row is an entry as a file has it: prices in whole units.
type row struct {
	Input      float64 `toml:"input"`
	Output     float64 `toml:"output"`
	Cached     float64 `toml:"cached"`
	CacheWrite float64 `toml:"cache_write"`
	Window     int64   `toml:"window"`
	MaxOutput  int64   `toml:"max_output"`
	Sees       bool    `toml:"sees"`
}

// maxFile is the most that a price file may have.
const maxFile = 1 << 20

// Load reads the built-in table and, if it is named, a file whose entries go before it.
func Load(file string) (Table, error) {
	t := Table{map[string]Entry{}}
	if err := t.add(defaults, true); err != nil {
		return Table{}, rein.Errorf(rein.CodeInternal, "the built-in prices: %w", err)
	}
	if file == "" {
		return t, nil
	}
	text, err := read(file)
	if err == nil {
		err = t.add(text, false)
	}
	if err != nil {
		return Table{}, rein.Errorf(rein.CodeInvalid, "price file %s: %w", file, err)
	}
	return t, nil
}

func read(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it has more than %d bytes", maxFile)
	}
	return string(text), err
}

// add takes over the entries of a file.
func (t Table) add(text string, builtIn bool) error {
	var file struct {
		Models map[string]row `toml:"models"`
	}
	if err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return explain(err)
	}
	for name, r := range file.Models {
		e, err := r.entry(name)
		if err != nil {
			return err
		}
		e.BuiltIn = builtIn
		t.entries[plain(name)] = e
	}
	return nil
}

// explain says where a file is wrong.
func explain(err error) error {
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		return fmt.Errorf("it has keys that mean nothing here; there is input, output, cached, cache_write, window, max_output and sees:\n%s", missing.String())
	}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		return errors.New(decode.String())
	}
	return err
}

func (r row) entry(name string) (Entry, error) {
	e := Entry{Name: name, Window: r.Window, MaxOutput: r.MaxOutput, Sees: r.Sees}
	for _, p := range []struct {
		key   string
		price float64
		to    *int64
	}{
		{"input", r.Input, &e.Input},
		{"output", r.Output, &e.Output},
		{"cached", r.Cached, &e.Cached},
		{"cache_write", r.CacheWrite, &e.CacheWrite},
	} {
		// Above it a sum of prices could not be written down, and nobody sells at that price.
		const most = 1e6
		if !(p.price >= 0 && p.price <= most) {
			return e, fmt.Errorf("model %q: %s is %v; it must be a price of a million tokens, from 0 to %d", name, p.key, p.price, int(most))
		}
		*p.to = int64(math.Round(p.price * 1e6))
	}
	if name == "" || e.Window < 0 || e.MaxOutput < 0 {
		return e, fmt.Errorf("model %q: it must have a name, and window and max_output must not be below zero", name)
	}
	return e, nil
}

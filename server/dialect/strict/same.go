package strict

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// sameJSON reports whether two texts are the same JSON value, to the last digit: keys may stand in any
// order, and a number may be written in another way, as clients do that read and write it.
func sameJSON(a, b json.RawMessage) bool {
	one, err := canonical(a)
	if err != nil {
		return false
	}
	other, err := canonical(b)
	return err == nil && bytes.Equal(one, other)
}

// canonical writes JSON in one way.
func canonical(data json.RawMessage) ([]byte, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // as floats, numbers beyond 2^53 that differ would be the same
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(plainNumbers(value))
}

// plainNumbers writes all numbers of a value in one way.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return plainNumber(v.String())
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plainNumbers(v[key])
		}
	}
	return value
}

// plainNumber writes a number as its digits without zeros at either end, and the power of ten behind
// them: 100, 1e2 and 100.0 are all 1e2. It never computes, so it loses nothing and a huge power costs
// nothing; one that is too huge to be counted stays as it was written.
func plainNumber(n string) json.Number {
	digits, power, _ := strings.Cut(strings.ToLower(n), "e")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	exponent := 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return json.Number(n)
		}
	}
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	return json.Number(sign + short + "e" + strconv.Itoa(exponent-len(fraction)+len(digits)-len(short)))
}

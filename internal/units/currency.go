package units

import "strings"

// A Currency writes amounts of money. The zero value is a currency that is not known: its amounts are numbers alone.
type Currency struct{ sign string }

// signs are what people write in place of a code. Any other currency is written with its code.
var signs = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩"}

// NewCurrency returns the currency with a code of ISO 4217. What is not one is a currency that is not known, because it can
// come from a server. Without unicode only signs in ASCII are used.
func NewCurrency(code string, unicode bool) Currency {
	if !isCurrency(code) {
		return Currency{}
	}
	sign, ok := signs[code]
	if !ok || !unicode && sign != "$" {
		sign = code + " "
	}
	return Currency{sign}
}

// isCurrency reports whether a text has the form of an ISO 4217 code. Which codes are in use changes with the years, so any
// three capital letters are one.
func isCurrency(code string) bool {
	return len(code) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Money writes millionths of the currency unit: $0, $0.0012, CHF 5.00.
func (c Currency) Money(micros int64) string { return c.Of(Money(micros)) }

// Of writes an amount that is a number already.
func (c Currency) Of(amount string) string { return c.sign + amount }

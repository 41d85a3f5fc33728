package cli

import (
	"context"

	"rein/api/client"
	"rein/internal/units"
)

// currencyOf asks in which currency amounts of money are. Where that is not known, as by an older process that has the data
// open, amounts are shown as numbers.
func currencyOf(ctx context.Context, c *client.Client, unicode bool) units.Currency {
	me, err := c.Me(ctx)
	if err != nil {
		return units.Currency{}
	}
	return units.NewCurrency(me.Currency, unicode)
}

package app

import (
	"testing"

	"rein/app/config"
)

// What a provider is asked for by itself has a price and a window, so that budgets hold, and a model can be made of it.
func TestOffersAreKnown(t *testing.T) {
	t.Parallel()
	for _, o := range config.Offers() {
		info, err := infoOf(o.Model, "")
		if err != nil || info.InputMicros == 0 || info.OutputMicros == 0 || info.Window == 0 {
			t.Errorf("%s asks for %s, of which this is known: %+v, %v", o.Name, o.Model.Model, info, err)
		}
		if _, err := newProvider(o.Name, o.Model, "", config.Environment{o.Model.KeyEnv + "=made-up-for-a-test"}); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
	}
}

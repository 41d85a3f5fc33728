package config_test

import (
	"testing"

	"rein/app/config"
)

// Who chooses nothing gets the bounded loop; one plain call must be chosen.
//
// Covers: HUM-1
func TestDefaultFlow(t *testing.T) {
	for want, variables := range map[string][]string{"answer": nil, "chat": {"REIN_FLOW=chat"}} {
		env := append(config.Environment{"HOME=" + t.TempDir()}, variables...)
		if c, err := config.Load(config.Options{Env: env}); err != nil || c.Flow != want {
			t.Errorf("with %q the flow is %q, want %q (%v)", variables, c.Flow, want, err)
		}
	}
}

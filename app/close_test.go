package app

import "testing"

// Closing twice is closing once.
func TestCloseTwice(t *testing.T) {
	t.Parallel()
	a, err := Open(t.Context(), Options{Data: t.TempDir(), Env: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

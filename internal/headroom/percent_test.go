package headroom

import "testing"

func TestPercent(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ live, roots, growth uint64 }{
		{4, 0, 48}, {10, 2, 48}, {48, 0, 48}, {60, 5, 36}, {100, 10, 24}, {192, 0, 24}, {400, 0, 50}, {1000, 40, 125},
	} {
		got := (c.live + c.roots) * uint64(percent(c.live*mb, c.roots*mb)) / 100
		if got > c.growth || got*10 < c.growth*9 {
			t.Errorf("%d MB with %d MB of roots may grow by %d MB, want %d", c.live, c.roots, got, c.growth)
		}
	}
	if p := percent(0, 0); p != most {
		t.Errorf("an empty heap may grow by %d %%", p)
	}
}

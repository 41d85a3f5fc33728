package main

import "fmt"

// maxScreenRatio is how many times as long a key may take below many items as below none.
const maxScreenRatio = 3.0

func (b *bench) printScreen(small, large figures) {
	t := table{
		title: fmt.Sprintf("screen: from a key to its frame, 80 by 24, while a model writes %d tokens a second (others' CPU %s)", tokensPerSecond, b.others(max(small["others"], large["others"]))),
		head:  []string{"key", "figure", "below nothing", fmt.Sprintf("below %d items", b.sizes.items), "ratio", "target", ""},
	}
	for _, key := range []struct{ name, figure string }{{"typed", "type"}, {"scrolls", "scroll"}} {
		for _, of := range []string{"p50", "p99"} {
			name := key.figure + "_" + of
			ratio, target, met := large[name]/max(small[name], 1e-3), "–", ""
			if of == "p50" {
				target, met = "≤ "+fixed(1, maxScreenRatio), verdict(ratio, maxScreenRatio)
			}
			t.add(key.name, of+", ms", fixed(2, small[name]), fixed(2, large[name]), fixed(1, ratio), target, met)
		}
	}
	t.add("all", "share of one core", fixed(2, small["cpu_share"]), fixed(2, large["cpu_share"]), fixed(1, large["cpu_share"]/max(small["cpu_share"], 1e-3)), "–", "")
	t.print(b.out)
}

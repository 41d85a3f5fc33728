package lenient

import (
	"strings"
	"testing"
)

// damage is what texts are made of that would make a careless reader go over them again and again.
var damage = []string{
	`{`, `}`, `[`, `]`, `"`, `'`, `\`, `{"`, `{"a":`, `{"a":"b,`, `["`, `["a,`, `"a",`, `"a" "`, `"a, `,
	`"\`, `\"`, `"a":"b" `, "\"a\n", `"+`, `"a"+`, `f(`, `("`, `{a "b: `, `“`, `‘`, `//`, `/*`, `" /*`, `"/**/`,
	"```", "```json\n{", "```json\n{\"a\":1}\n```\n", `https://,"`, ` `, "\n", `"a ]`, `{"a":1}`, `{"a":1,}`, `{a:1}`,
	`{"a":"x" y, `, `{"a":[`, `x" y, `, `{,`, `...`, `,`, `:`, `-`, `1 `, `1e`, `{curly} `, `{{"`, "\xff", "\u200b", `\u00`,
	`"a": "b, "c" d, `, `{"a":'`, `}{"`, `{ "`, `]}`, `}"{"`, "{\n",
}

var starts = []string{"", `{"a":[`, `{"a":"`, `["a, `, "prose {", "```json\n", `{"k":{"a":`}

// TestLinear holds the work to a fixed number of looks at each byte, whatever the text: it counts,
// it does not time.
//
// Plain: one goroutine reads texts.
//
// Covers: TAB-B1
// Attack: 71
func TestLinear(t *testing.T) {
	const size = 4_000
	const looks = 150 // per byte; today's worst is below half of it
	worst, worstText := 0, ""
	for _, start := range starts {
		for _, unit := range damage {
			for _, end := range []string{"", "}", `"}`, "]}", "*/ x", "\n```"} {
				text := start + strings.Repeat(unit, size/len(unit)) + end
				for name, steps := range work(text) {
					if steps > worst {
						worst, worstText = steps, name+" of "+clip(text)
					}
					if steps > looks*len(text) {
						t.Errorf("%s of %s took %d looks at each byte", name, clip(text), steps/len(text))
					}
				}
			}
		}
	}
	t.Logf("most work: %d looks at each byte, %s", worst/size, worstText)
}

// TestWorkGrowsWithSize looks at the texts that take the most work: ten times the text may take at
// most about ten times the work.
//
// Plain: one goroutine reads texts.
func TestWorkGrowsWithSize(t *testing.T) {
	for _, start := range starts {
		for _, unit := range damage {
			small := work(start + strings.Repeat(unit, 2_000/len(unit)))
			large := work(start + strings.Repeat(unit, 20_000/len(unit)))
			for name := range small {
				if large[name] > 20*small[name]+100_000 {
					t.Errorf("%s of %q and many %q: %d steps, of ten times the text %d", name, start, unit, small[name], large[name])
				}
			}
		}
	}
}

// TestMegabyte runs everything once on a megabyte; if it were not linear, it would not end.
//
// Plain: one goroutine reads texts.
func TestMegabyte(t *testing.T) {
	for _, unit := range []string{`{a "b: `, `"`, `{"a":"x" y, `, "word ", `{"a":1},`} {
		work(`{"a":[` + strings.Repeat(unit, 1<<20/len(unit)))
	}
	body := strings.Repeat(`a \"quoted\" {word}\n`, 50_000)
	found, err := Value("{\"text\":\"" + body + "\",}")
	if err != nil || !found.Repaired || len(found.JSON) < len(body) {
		t.Errorf("a trailing comma after a megabyte: %d bytes, repaired %t, %v", len(found.JSON), found.Repaired, err)
	}
}

func work(text string) map[string]int {
	value, first, last := newSearch(text), newSearch(text), newSearch(text)
	_, _ = value.value()
	_, _ = first.first("missing")
	_, _ = last.last()
	return map[string]int{"Value": value.steps, "First": first.steps, "Last": last.steps}
}

func clip(text string) string {
	if len(text) > 40 {
		return text[:30] + "…" + text[len(text)-8:]
	}
	return text
}

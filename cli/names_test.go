package cli

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// A short name means the run that it was made for, whatever other runs there are.
//
// Covers: ENG-57
func TestShortNames(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for try := range 200 {
		known := map[string]bool{"done": true, "last": true}
		for i := range random.IntN(60) {
			id := string(api.NewRunID(time.UnixMilli(int64(i))))
			known[id] = true
			if random.IntN(3) == 0 {
				known[fmt.Sprintf("%s-next-%06x", id, random.IntN(1<<24))] = true
			}
			if random.IntN(3) == 0 { // somebody else's ID begins as this one ends
				known[id[len(id)-6:]+"-of-somebody-else"] = true
			}
		}
		if try%10 == 0 { // two that end alike, and one in which the end begins like a flag
			known["raaaaaaaaaaaaaaaaaaaa-zzzzzz"], known["rbbbbbbbbbbbbbbbbbbbb-zzzzzz"] = true, true
			known["rccccccccccccccccccccc-xyzz"] = true
		}
		names := shortener{shortEnds(known)}
		for _, id := range slices.Sorted(maps.Keys(known)) {
			name := names.run(rein.RunID(id))
			fits := 0
			for other := range known {
				if isBeginning(other, name) || isEnd(other, name) {
					fits++
				}
			}
			if name != id && (fits != 1 || !strings.HasSuffix(id, name) || len(name) < leastShort || strings.HasPrefix(name, "-")) {
				t.Fatalf("%s is listed as %q, which fits %d of %v", id, name, fits, known)
			}
			if below := names.run(rein.RunID(id + ".4-0.12")); below != name+".4-0.12" {
				t.Fatalf("a run below %s is listed as %q", id, below)
			}
			if ask := names.ask(rein.AskID(id + ".4:12.ask")); ask != name+".4:12.ask" {
				t.Fatalf("an ask of %s is listed as %q", id, ask)
			}
		}
	}
}

// Each command that takes a run is tried with a part of an ID or last.
func TestShortNamesEverywhere(t *testing.T) {
	t.Parallel()
	script := readText(t, "testdata/script/short_ids.txtar")
	takesRun := regexp.MustCompile(`\b(RUN|ASK)\b`)
	for _, cmd := range commands() {
		tried := regexp.MustCompile(`(?m)rein ` + cmd.name + ` (.* )?(\$SHORT|\$ENDED|\$ASK|\$OTHER|last)\b`)
		if takesRun.MatchString(cmd.args) && !tried.MatchString(script) {
			t.Errorf("short_ids.txtar does not try rein %s %s", cmd.name, cmd.args)
		}
	}
}

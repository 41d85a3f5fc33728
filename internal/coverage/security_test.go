package coverage

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every promise of docs/security.md names the attacks that try it, and every attack stands behind a
// promise.
func TestPromisesNameTheirAttacks(t *testing.T) {
	tree := os.DirFS("../..")
	attacks, err := Attacks(tree)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(text), "## Threat model")
	rows, _, _ = strings.Cut(rows, "\n## ")
	promised := map[int]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([0-9–, ]+) \|$`).FindAllStringSubmatch(rows, -1) {
		for _, n := range numbers(t, row[2]) {
			if promised[n] != "" {
				t.Errorf("attack %d is behind two promises: %q and %q", n, promised[n], row[1])
			}
			promised[n] = row[1]
		}
	}
	for _, a := range attacks {
		if promised[a.N] == "" {
			t.Errorf("no promise names attack %d: %s", a.N, a.What)
		}
		delete(promised, a.N)
	}
	for n, promise := range promised {
		t.Errorf("there is no attack %d, which %q names", n, promise)
	}
}

// numbers reads "1–3, 7".
func numbers(t *testing.T, list string) (all []int) {
	t.Helper()
	for part := range strings.SplitSeq(list, ", ") {
		from, to, ok := strings.Cut(part, "–")
		if !ok {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil {
			t.Fatalf("%q is no list of attacks", list)
		}
		for n := first; n <= last; n++ {
			all = append(all, n)
		}
	}
	return all
}

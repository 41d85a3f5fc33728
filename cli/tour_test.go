package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// The tour of docs/notes.md is true: the offline model answers at least ten of its twelve questions with
// the right note first, and that says what it should.
func TestTourOfTheNotes(t *testing.T) {
	t.Parallel()
	page := readText(t, "../docs/notes.md")
	_, rest, _ := strings.Cut(page, "<!-- tour -->\n")
	table, _, ok := strings.Cut(rest, "<!-- end of tour -->")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if !ok || len(rows) != 14 {
		t.Fatalf("docs/notes.md has no tour of twelve questions: %d rows", len(rows))
	}
	vault, err := filepath.Abs("../examples/vault")
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, desk: newReaderDesk(t), names: map[string]string{}}
	r.run("rein notes index --vault '" + vault + "'")
	right := 0
	for _, row := range rows[2:] {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 3 {
			t.Fatalf("the row %q has %d cells", row, len(cells))
		}
		answer := r.run("rein run --vault '" + vault + "' '" + cells[0] + "' 2>&1")
		if quoted := firstQuote(answer); strings.Contains(quoted, "["+cells[1]) && strings.Contains(quoted, cells[2]) {
			right++
		} else {
			t.Logf("%s: %s", cells[0], quoted)
		}
	}
	if right < 10 {
		t.Errorf("%d of 12 questions are answered right", right)
	}
}

// firstQuote returns the first line that an answer quotes.
func firstQuote(answer string) string {
	for line := range strings.Lines(answer) {
		if strings.HasPrefix(line, "- \"") {
			return line
		}
	}
	return "nothing is quoted in " + answer
}

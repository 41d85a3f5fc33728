package reach_test

import (
	"strings"
	"testing"

	"rein"
	"rein/tool/reach"
)

// A rule that would match nothing is refused: it would hide nothing without a word.
//
// Covers: HUM-41
func TestFilterRefusesWhatIsNoFolder(t *testing.T) {
	for name, want := range map[string]string{
		"Private/*": "without *", "**/Private": "without *", "Diary?": "without *", "Private ": "space", " Private": "space", "../Private": "outside", "a/../../b": "outside",
	} {
		for _, lists := range [][2][]string{{{name}, nil}, {nil, {"ok", name}}} {
			if _, err := reach.NewFilter(lists[0], lists[1]); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
				t.Errorf("include %q, exclude %q: %v", lists[0], lists[1], err)
			}
		}
	}
	f, err := reach.NewFilter(nil, []string{"My Diary/", "/Old [2019]"})
	if err != nil || f.Refuses("my diary/a.md") == "" || f.Refuses("Old [2019]/b.md") == "" || f.Refuses("c.md") != "" {
		t.Errorf("folders with spaces and brackets: %v", err)
	}
}

package files

import "testing"

// A folder without end is not read to its end.
func TestAWalkGivesUpCounting(t *testing.T) {
	root, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for seen, want := range map[int]string{0: "", maxSeen: "at least "} {
		w := walk{root: root, seen: seen}
		f, _, err := root.open(".", folderOnly)
		if err != nil {
			t.Fatal(err)
		}
		names, err := w.names(t.Context(), f, ".")
		if err != nil || (len(names) > 0) != (want == "") || w.atLeast() != want {
			t.Errorf("after %d: %v, %q, %v", seen, names, w.atLeast(), err)
		}
	}
}

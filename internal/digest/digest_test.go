package digest_test

import (
	"testing"

	"rein/internal/digest"
)

// The names are in logs and tables of earlier programs.
func TestNamesStay(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{digest.Joined(digest.Size, "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{digest.Joined(4, "a", "b"), "59b271ae"},
		{digest.Listed(4, "a", "b"), "facdde7a"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestListsDiffer(t *testing.T) {
	if digest.Listed(16, "ab", "c") == digest.Listed(16, "a", "bc") || digest.Listed(16, "1:a") == digest.Listed(16, "", "a") {
		t.Error("two lists have one name")
	}
}

package server

import (
	"net/url"
	"testing"
)

// The name of a note stays one value of a link, whatever is in it.
//
// Attack: 43
func TestLinksToNotes(t *testing.T) {
	for _, name := range []string{"a.md", "a&vault=other.md", "a?b#c.md", "x%0d%0aSet-Cookie: a.md", "]] [b](javascript:alert(1)).md", "a b+c.md", "\"><script>.md"} {
		links := linksTo("/vault", name, "", "")
		at, err := url.Parse(links.Obsidian)
		if err != nil || at.Scheme != "obsidian" || at.Host != "open" || len(at.Query()) != 1 || at.Query().Get("path") != "/vault/"+name {
			t.Errorf("%q: %s: %v", name, links.Obsidian, err)
		}
		file, err := url.Parse(links.File)
		if err != nil || file.Path != "/vault/"+name || file.RawQuery != "" || file.Fragment != "" {
			t.Errorf("%q: %s: %v", name, links.File, err)
		}
	}
}

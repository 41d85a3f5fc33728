package prose_test

import (
	"strings"
	"testing"

	"rein/internal/prose"
)

const control = `{"confidence": "high", "enough": true}`

// TestOf reads whole replies, and the same replies cut into pieces of every size: what is shown is the same.
func TestOf(t *testing.T) {
	long := "{" + strings.Repeat(`"word", `, 100)
	for _, c := range []struct{ reply, want string }{
		{"", ""},
		{" \n\t", ""},
		{"Hello! How can I help?", "Hello! How can I help?"},
		{"\n\n Hello.\nHow are you?\n", "Hello.\nHow are you?"},
		{control, ""},
		{"  \n" + control, ""},
		{"```json\n" + control + "\n```", ""},
		{"Hello!\n" + control, "Hello!"},
		{"Hello!\n\n  " + control + "\n", "Hello!"},
		{"Hello!\n```json\n" + control + "\n```\n", "Hello!"},
		{"Hello!\n{confidence: high}", "Hello!"},
		{"Hello " + control, "Hello " + control}, // not a line of its own
		{"Sets are written\n{a, b}\nin mathematics.", "Sets are written\n{a, b}\nin mathematics."},
		{"Run\n```\nls\n```\nand look.", "Run\n```\nls\n```\nand look."},
		{"Run\n```\nls\n```", "Run\n```\nls\n```"},
		{"Say `hi`.\n`x` is a name.", "Say `hi`.\n`x` is a name."},
		{"A list:\n" + long, "A list:\n" + strings.TrimSpace(long)},
		{`{"name": "find_similar", "arguments": {"queries": ["x"]}}`, ""},
		{`[{"name": "find_similar"}]`, ""},
		{"<tool_call name=\"x\">{}</tool_call>", ""},
		{"```\n<tool_call>\n```", ""},
		{"~~~\nx\n~~~", ""},
	} {
		got, ok := prose.Of(c.reply)
		if strings.TrimSpace(got) != c.want || !strings.HasPrefix(c.reply, got) || ok != (c.want != "") {
			t.Errorf("%q is shown as %q, want %q", c.reply, got, c.want)
		}
		for size := 1; size < min(len(c.reply), 50); size++ {
			var out strings.Builder
			g := prose.Gate{Show: func(text string) { out.WriteString(text) }}
			for rest := c.reply; rest != ""; {
				n := min(size, len(rest))
				g.Write(rest[:n])
				rest = rest[n:]
			}
			g.Close()
			if got := strings.TrimSpace(out.String()); got != c.want {
				t.Errorf("%q in pieces of %d is shown as %q, want %q", c.reply, size, got, c.want)
			}
		}
	}
}

// TestProseIsNotHeldBack: words are passed on as they come.
func TestProseIsNotHeldBack(t *testing.T) {
	var got []string
	g := prose.Gate{Show: func(text string) { got = append(got, text) }}
	for _, piece := range []string{"Hel", "lo! ", "How", " are you?\n", "{", `"enough"`} {
		g.Write(piece)
	}
	if strings.Join(got, "|") != "Hel|lo! |How| are you?\n" {
		t.Errorf("shown: %q", got)
	}
}

// FuzzGate holds that pieces do not change what is shown, and that nothing but a tail is left out of prose.
func FuzzGate(f *testing.F) {
	for _, text := range []string{"Hello!\n" + control, "a\n```\n{}\n```", "{", "x\n{\n\n{}", " `` \n```"} {
		f.Add(text, uint(3))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint) {
		var whole, parts strings.Builder
		g := prose.Gate{Show: func(text string) { whole.WriteString(text) }}
		g.Write(text)
		g.Close()
		n := int(cut % uint(len(text)+1))
		g = prose.Gate{Show: func(text string) { parts.WriteString(text) }}
		g.Write(text[:n])
		g.Write(text[n:])
		g.Close()
		if !strings.HasPrefix(text, whole.String()) || !strings.HasPrefix(text, parts.String()) {
			t.Errorf("%q is shown as %q and %q", text, whole.String(), parts.String())
		}
	})
}

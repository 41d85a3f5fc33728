package offline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/quote"
)

func TestRoles(t *testing.T) {
	for _, tc := range []struct {
		name, description string
		effect            rein.Effect
		want              role
	}{
		{"find_similar", "", rein.Pure, searches},
		{"grep", "", rein.Pure, other}, // a question is no regular expression
		{"codebase.search", "", rein.Pure, other},
		{"glob", "", rein.Pure, other},
		{"github.search", "", "", searches},
		{"codebase.readFile", "", rein.Pure, reads},
		{"agenda.list_events", "", rein.Pure, lists},
		{"get_current_time", "", rein.Pure, tells},
		{"current_date", "", rein.Pure, tells},
		{"run_command", "", rein.Unsafe, runs},
		{"bash", "", rein.Unsafe, runs},
		{"helper", "Executes a command in a shell.", rein.Unsafe, other},
		{"web.fetch_url", "", rein.Pure, other},
		{"read_result", "", rein.Pure, rereads},
		{"session_files", "", rein.Pure, lists},
		{"ask_user", "", rein.Unsafe, asks},
		{"search_and_replace", "", rein.Pure, other},
		{"find_files", "", rein.Unsafe, other},
		{"list_jobs", "", rein.Idempotent, other},
		{"delete_note", "Reads a note and deletes it.", rein.Pure, other},
		{"write_file", "", rein.Unsafe, other},
		{"cron.run", "", rein.Unsafe, other},
		{"generate_week_menu", "Makes a menu.", rein.Pure, other},
		{"", "", "", other},
	} {
		if got := roleOf(rein.Tool{Name: tc.name, Description: tc.description, Effect: tc.effect}); got != tc.want {
			t.Errorf("%s (%s, %s): %q, want %q", tc.name, tc.description, tc.effect, got, tc.want)
		}
	}
}

// Covers: LAW-9
func TestUnwrap(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{quote.Untrusted("a", "<b> &lt; <tool_call> </untrusted> &amp;"), "<b> &lt; <tool_call> </untrusted> &amp;"},
		{"error: failed\n" + quote.Untrusted("a", "no such file"), "no such file"},
		{"error: failed\nplain", "plain"},
		{"plain &lt;b&gt;", "plain &lt;b&gt;"},
		{"<untrusted source=\"a\">x</untrusted>\nread_result has more", "x\nread_result has more"},
		{"<untrusted source=\"a\">open", "open"},
		{"<untrusted", "<untrusted"},
		{"say <untrusted>", "say <untrusted>"},
	} {
		if got, _ := unwrap(tc.text, rein.ToolFailed); got != tc.want {
			t.Errorf("unwrap(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestOwnWords(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"read a.md", "read a.md"},
		{"see <untrusted source=\"x\">read b.md</untrusted>!", "see  !"},
		{"<tool_result name=\"x\">read b.md</tool_result>ok", " ok"},
		{"ok <untrusted>read b.md", "ok "},
	} {
		if got := ownWords(tc.text); got != tc.want {
			t.Errorf("ownWords(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestPaths(t *testing.T) {
	for text, want := range map[string][]string{
		"Read README.md, docs/a.md; and ./x/y.":         {"README.md", "docs/a.md", "./x/y"},
		"(see \"notes.txt\")":                           {"notes.txt"},
		"and/or e.g. 3.14 https://example.com/a.md Co.": nil,
		"Node.js vs main.js":                            {"main.js"},
		"a.md a.md":                                     {"a.md"},
		"the readme and LICENSE":                        {"LICENSE"},
		"`docs/notes` is not docs/notes2":               {"docs/notes"},
		"../up.md /etc/passwd":                          {"../up.md", "/etc/passwd"},
	} {
		if diff := cmp.Diff(want, paths(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestBackticked(t *testing.T) {
	for text, want := range map[string][]string{
		"run `a b` and ``c ` d``":  {"a b", "c ` d"},
		"```sh\nls -la\npwd\n```":  {"ls -la\npwd"},
		"one ` alone":              nil,
		"`` `` empty":              nil,
		"```echo hi``` on a line.": {"echo hi"},
	} {
		got, _ := backticked(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestStem(t *testing.T) {
	for _, pair := range [][2]string{{"file", "files"}, {"install", "installation"}, {"notitie", "notities"}, {"approval", "approvals"}, {"grant", "granted"}, {"sleutel", "sleutels"}, {"boek", "boeken"}} {
		if stem(pair[0]) != stem(pair[1]) {
			t.Errorf("%s and %s: %s, %s", pair[0], pair[1], stem(pair[0]), stem(pair[1]))
		}
	}
}

// TestPick wants the best lines in their order, at most five, none twice, and no weak ones.
func TestPick(t *testing.T) {
	text := "a pump\nred pump in the cellar\nnothing\na cellar\nred pump in the cellar\n# Red\nunder the heading\n"
	lines := numbered(text+strings.Repeat("the red pump of the cellar, again\nmore red pump, cellar\n", 4), "f", 1)
	var got []string
	for _, l := range pick(lines, stems([]string{"red", "pumps", "cellars"})) {
		got = append(got, l.cite)
	}
	if diff := cmp.Diff([]string{"f:2", "f:8", "f:9"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	many := numbered(strings.Repeat("pump\n", 3)+"pump 1\npump 2\npump 3\npump 4\npump 5\npump 6", "f", 1)
	if n := len(pick(many, stems([]string{"pump"}))); n != maxPicked {
		t.Errorf("%d lines, want %d", n, maxPicked)
	}
	if got := pick(lines, stems([]string{"boat"})); got != nil {
		t.Errorf("no line has it: %v", got)
	}
}

// TestLineNumbers wants citations to follow the call and what the tool itself wrote.
func TestLineNumbers(t *testing.T) {
	for _, tc := range []struct{ args, body, want string }{
		{`{"path":"a.md"}`, "x\n\npump", "a.md:3"},
		{`{"path":"a.md","from_line":40}`, "x\npump", "a.md:41"},
		{`{"path":"a.md","section":"S"}`, "x\npump", "a.md"},
		{`{"path":"a.md"}`, "x\n[… 9 bytes left out; read_result {\"handle\":\"7\"} reads them …]\npump\n[lines 1-9 of 20; go on with from_line 10]", "a.md"},
		{`{"path":"a.md"}`, `{"ok":true,"text":"pump","meta":{"path":"b.md","section":"S"}}`, "b.md#S"},
	} {
		u := use{call: rein.ToolCall{Name: "read_file", Args: json.RawMessage(tc.args)}, role: reads, status: rein.ToolOK, body: tc.body}
		lines := pick(linesOf(u), map[string]bool{"pump": true})
		if len(lines) != 1 || lines[0].cite != tc.want || lines[0].text != "pump" {
			t.Errorf("%s %q: %+v, want %s", tc.args, tc.body, lines, tc.want)
		}
	}
}

package answer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// TestMentions holds what counts as a citation in an answer, and what only looks like one.
//
// Covers: HUM-62
func TestMentions(t *testing.T) {
	known := func(ref string) bool {
		return ref == "Projects/rein.md#Goals" || ref == "Ideas" || ref == "https://a.org/x"
	}
	for _, c := range []struct {
		name, text string
		want       string // the refs, parted by |
	}{
		{"path and section", "So [Projects/rein.md#Goals].", "Projects/rein.md#Goals"},
		{"path alone", "So [a b/c.md].", "a b/c.md"},
		{"unknown section with blanks", "[x.md#Next steps (2026)]", "x.md#Next steps (2026)"},
		{"known without an extension", "See [Ideas].", "Ideas"},
		{"unknown without an extension", "He [the author] said [sic] so.", ""},
		{"folder and section", "[Projects/rein#Goals]", "Projects/rein#Goals"},
		{"programs", "[Node.js] [example.com] [see main.go] [src/main.go] [main.go#Run]", "src/main.go|main.go#Run"},
		{"a number, a box, a footnote", "[1] [ ] [x] [^1] [^a.md]", ""},
		{"words with a slash", "[and/or] [s/he]", ""},
		{"version and abbreviation", "[v1.2] [e.g.] [Fig. 3] [3.14]", ""},
		{"a language", "[C#] [issue #3]", ""},
		{"two beside each other", "[a.md][b.md#S]", "a.md|b.md#S"},
		{"several in one", "[a.md#S; b.md, c.md#T]", "a.md#S|b.md|c.md#T"},
		{"a comma in a section", "[a.md#S, T]", "a.md#S, T"},
		{"a list that is not all sources", "[a.md, as said]", ""},
		{"link to the web", "[a.md](https://a.org/a.md) [x](mailto:a@b.c) [y](//a.org)", ""},
		{"link to a file", "[the plan](Projects/plan.md#A%20b)", "Projects/plan.md#A b"},
		{"link in angle brackets", `[the plan](<a b.md>) [p](c.md "title")`, "a b.md|c.md"},
		{"link with a source as its text", "[Projects/rein.md#Goals](whatever.md)", "Projects/rein.md#Goals"},
		{"link within the text", "[top](#top)", ""},
		{"image", "![plan](img/plan.png)", ""},
		{"wiki link", "[[Ideas]] [[Other#S|there]] ![[Embedded]]", "Ideas|Other#S|Embedded"},
		{"not a wiki link", "if [[ -f x.md ]]; then", ""},
		{"web address in brackets", "[https://a.org/b.html]", ""},
		{"web address that a tool returned", "[https://a.org/x]", "https://a.org/x"},
		{"escaped", `\[a.md] \\[b.md]`, "b.md"},
		{"inline code", "`[a.md]` and ``[b.md] ` [c.md]`` but [d.md]", "d.md"},
		{"backtick alone", "a ` and [a.md]", "a.md"},
		{"fence", "```\n[a.md]\n```\n[b.md]", "b.md"},
		{"fence of tildes with words", "~~~ go\n[a.md]\n```\n[c.md]\n~~~\n[b.md]", "b.md"},
		{"fence that stays open", "x\n  ````\n[a.md]\n```\n[b.md]", ""},
		{"longer closing fence", "```\n[a.md]\n`````  \n[b.md]", "b.md"},
		{"backticks within a line", "x ```[a.md]``` [b.md]", "b.md"},
		{"brackets in a name", "[notes/[draft] x.md#S]", ""},
		{"brackets in brackets", "[see [a.md]]", "a.md"},
		{"left open", "[a.md and [b.md]", "b.md"},
		{"over two lines", "[a\nb.md]", ""},
		{"much too long", "[" + strings.Repeat("a", 700) + ".md]", ""},
		{"nothing", "[] [[]] []() [", ""},
		{"ends in a backslash", `[a.md\`, ""},
	} {
		var got []string
		for _, m := range mentions(c.text, known) {
			got = append(got, m.refs...)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q names %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// TestCited holds that only what a tool returned stays a citation.
//
// Covers: HUM-62
func TestCited(t *testing.T) {
	e := evidence{passages: []passage{
		{source: source{"Projects/rein.md", "Goals"}, text: "Rein is\n a runtime."},
		{source: source{"Journal/2026 05.md", ""}, text: "# May\nText.\n## Garden  plan\nBeans."},
		{source: source{"c#.md", "A"}, text: "Sharp."},
		{source: source{"", ""}, text: "no path"},
	}}
	for _, c := range []struct{ name, answer, shown, want string }{
		{"exact", "A [Projects/rein.md#Goals].", "", "Projects/rein.md#Goals ok"},
		{"the path alone", "A [Projects/rein.md].", "", "Projects/rein.md ok"},
		{"case and blanks of a section", "A [Projects/rein.md# goals].", "", "Projects/rein.md#Goals ok"},
		{"from the root", "A [/Projects/rein.md] [./Projects/rein.md].", "", "Projects/rein.md ok"},
		{"without its extension", "A [Projects/rein#Goals].", "", "Projects/rein.md#Goals ok"},
		{"a heading of what was read", "A [Journal/2026 05.md#Garden plan].", "", "Journal/2026 05.md#Garden plan ok"},
		{"the mark in a path", "A [c#.md#A] [c#.md].", "", "c#.md#A ok, c#.md ok"},
		{"unknown section", "A [Projects/rein.md#Costs].", "A (Projects/rein.md#Costs: not found in the sources).", "Projects/rein.md#Costs"},
		{"unknown path", "A [Projects/other.md].", "A (Projects/other.md: not found in the sources).", "Projects/other.md"},
		{"case of a path", "A [projects/rein.md].", "A (projects/rein.md: not found in the sources).", "projects/rein.md"},
		{"path outside", "A [../Projects/rein.md].", "A (../Projects/rein.md: not found in the sources).", "../Projects/rein.md"},
		{"link with a known target", "A [the plan](Projects/rein.md).", "", "Projects/rein.md ok"},
		{"link with an unknown target", "A [the plan](x.md).", "A the plan (x.md: not found in the sources).", "x.md"},
		{"wiki link by name", "A [[rein#Goals|here]].", "", "Projects/rein.md#Goals ok"},
		{"name alone in brackets", "A [rein].", "", ""},
		{"unknown wiki link", "A [[Other|there]].", "A there (Other: not found in the sources).", "Other"},
		{"good and bad in one", "A [Projects/rein.md#Goals; x.md].", "A [Projects/rein.md#Goals] (x.md: not found in the sources).", "Projects/rein.md#Goals ok, x.md"},
		{"twice", "A [x.md] B [x.md].", "A (x.md: not found in the sources) B (x.md: not found in the sources).", "x.md"},
		{"no link is left", "A [[x](y).md].", "A [x (y: not found in the sources).md].", "y"},
		{"none", "A.", "", ""},
	} {
		shown, all, _ := e.cited(rein.Task{}, c.answer)
		var got []string
		for _, one := range all {
			if one.OK {
				got = append(got, one.String()+" ok")
			} else {
				got = append(got, one.String())
			}
		}
		want := c.shown
		if want == "" {
			want = c.answer
		}
		if shown != want || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q is shown as %q with %q, want %q with %q", c.name, c.answer, shown, got, want, c.want)
		}
	}
	_, all, _ := e.cited(rein.Task{}, "[Projects/rein.md#Goals]")
	if len(all) != 1 || all[0].Quote != "Rein is a runtime." {
		t.Errorf("the quote is wrong: %+v", all)
	}
}

// Covers: HUM-12
func TestProgress(t *testing.T) {
	search := func(query string) rein.ToolCall {
		return rein.ToolCall{Name: "find_similar", Args: json.RawMessage(`{"queries":["` + query + `"],"k":20}`)}
	}
	read := func(path string) rein.ToolCall {
		return rein.ToolCall{Name: "read_note", Args: json.RawMessage(`{"path":"` + path + `"}`)}
	}
	data := func(data string) rein.ToolResult {
		return rein.ToolResult{Status: rein.ToolOK, Text: "shown to the model", Data: json.RawMessage(data)}
	}
	type step struct {
		call     rein.ToolCall
		result   rein.ToolResult
		progress bool
		best     float64
	}
	const a = `{"ok":true,"data":[{"path":"a.md","section":"S","score":0.8,"snippet":"one"},{"path":"b.md","score":0.9,"snippet":"two"}],"took_ms":3}`
	for name, steps := range map[string][]step{
		"new places":           {{search("x"), data(a), true, 0.9}},
		"the same call":        {{search("x"), data(a), true, 0.9}, {search("x"), data(strings.ReplaceAll(a, "one", "three")), false, 0.9}},
		"its spelling":         {{search("x"), data(a), true, 0.9}, {rein.ToolCall{Name: "find_similar", Args: json.RawMessage(` {"k": 20, "queries": ["x"]} `)}, data(`[{"path":"c.md"}]`), false, 0.9}},
		"the same hits":        {{search("x"), data(a), true, 0.9}, {search("y"), data(a), false, 0.9}},
		"another section":      {{search("x"), data(a), true, 0.9}, {search("y"), data(strings.ReplaceAll(a, `"S"`, `"T"`)), true, 0.9}},
		"another text":         {{search("x"), data(a), true, 0.9}, {search("y"), data(strings.ReplaceAll(a, "one", "three")), true, 0.9}},
		"no hit":               {{search("x"), data(`{"ok":true,"data":[],"took_ms":1}`), false, 0}},
		"the newest score":     {{search("x"), data(a), true, 0.9}, {search("y"), data(`[{"path":"c.md","score":0.1}]`), true, 0.1}},
		"a score below zero":   {{search("y"), data(`[{"path":"c.md","score":-0.5}]`), true, -0.5}},
		"hits without a score": {{search("x"), data(a), true, 0.9}, {search("y"), data(`[{"path":"c.md"}]`), true, 0.9}},
		"not ok":               {{search("x"), data(`{"ok":false,"data":[{"path":"a.md"}],"error":"no index"}`), false, 0}},
		"failed":               {{search("x"), rein.ToolResult{Status: rein.ToolFailed, Text: "broken", Data: json.RawMessage(a)}, false, 0}},
		"a note":               {{read("a.md"), data(`{"ok":true,"text":"all of it","meta":{"path":"a.md"}}`), true, 0}},
		"a note of known text": {{search("x"), data(a), true, 0.9}, {read("b.md"), data(`{"ok":true,"text":" two\n","meta":{"path":"b.md"}}`), false, 0.9}},
		"an empty note":        {{read("a.md"), data(`{"ok":true,"text":" "}`), false, 0}},
		"text alone":           {{read("a.md"), rein.ToolResult{Status: rein.ToolOK, Text: "words"}, true, 0}, {read("b.md"), rein.ToolResult{Status: rein.ToolOK, Text: "words"}, true, 0}},
		"JSON in the text":     {{search("x"), rein.ToolResult{Status: rein.ToolOK, Text: a}, true, 0.9}},
		"data of another kind": {{search("x"), rein.ToolResult{Status: rein.ToolOK, Text: "words", Data: json.RawMessage(`{"n":1}`)}, true, 0}, {search("y"), rein.ToolResult{Status: rein.ToolOK, Text: "words", Data: json.RawMessage(`null`)}, false, 0}},
	} {
		var e evidence
		for i, s := range steps {
			if got := e.observe(s.call, s.result); got != s.progress || e.best != s.best {
				t.Errorf("%s: step %d: progress %t, best %v; want %t, %v", name, i+1, got, e.best, s.progress, s.best)
			}
		}
	}
}

// TestSourceOfText holds where a text is from if the tool does not say.
func TestSourceOfText(t *testing.T) {
	call := rein.ToolCall{Name: "read_note", Args: json.RawMessage(`{"path":"a.md","section":"S"}`)}
	for name, c := range map[string]struct {
		result rein.ToolResult
		want   source
	}{
		"what was asked for":        {rein.ToolResult{Status: rein.ToolOK, Text: "words"}, source{"a.md", "S"}},
		"what it says":              {rein.ToolResult{Status: rein.ToolOK, Data: json.RawMessage(`{"text":"w","meta":{"path":"b.md"}}`)}, source{"b.md", ""}},
		"it does not say":           {rein.ToolResult{Status: rein.ToolOK, Data: json.RawMessage(`{"text":"w"}`)}, source{"a.md", "S"}},
		"other arguments were used": {rein.ToolResult{Status: rein.ToolOK, Text: "words", Mended: "person"}, source{}},
	} {
		found := readFindings(call, c.result)
		if len(found.passages) != 1 || found.passages[0].source != c.want {
			t.Errorf("%s: %+v, want %v", name, found.passages, c.want)
		}
	}
}

// Covers: HUM-9 HUM-12 HUM-13
func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		q        inquiry
		progress bool
		want     stop
	}{
		"first round":                {q: inquiry{calls: 1}, progress: true},
		"one idle round":             {q: inquiry{calls: 1, control: control{Confidence: "low"}}},
		"two, low":                   {q: inquiry{calls: 2, idle: 1, control: control{Confidence: "low"}}, want: stopNoProgress},
		"two, poor hits":             {q: inquiry{calls: 2, idle: 1, found: evidence{scored: true, best: 0.1}}, want: stopNoProgress},
		"two, good hits":             {q: inquiry{calls: 2, idle: 1, found: evidence{scored: true, best: 0.2}}},
		"two, no scores":             {q: inquiry{calls: 2, idle: 1}},
		"two, and now progress":      {q: inquiry{calls: 3, idle: 2, control: control{Confidence: "low"}}, progress: true},
		"used up":                    {q: inquiry{calls: 5}, progress: true, want: stopCalls},
		"used up, and idle and poor": {q: inquiry{calls: 5, idle: 1, control: control{Confidence: "low"}}, want: stopCalls},
	} {
		c.q.set = Settings{MaxToolCalls: 5, MinScore: 0.2}
		c.q.judge(c.progress)
		if c.q.why != c.want {
			t.Errorf("%s: stopped by %q, want %q", name, c.q.why, c.want)
		}
	}
}

func TestControl(t *testing.T) {
	for _, c := range []struct {
		text string
		want control
		rest string // the text without the block
	}{
		{"", control{"medium", true}, ""},
		{"I am done.", control{"medium", true}, "I am done."},
		{`{"confidence": "low", "enough": false}`, control{"low", false}, ""},
		{"Done.\n{\"confidence\": \"High\", \"enough\": true}\n", control{"high", true}, "Done."},
		{"Done.\n```json\n{\"confidence\": \"low\"}\n```", control{"low", true}, "Done."},
		{`Done. {confidence: 'low', enough: false,}`, control{"low", false}, "Done."},
		{`{"confidence": "low"} and then {"confidence": "high"}`, control{"high", true}, `{"confidence": "low"} and then`},
		{`{"confidence": "low"} and more`, control{"medium", true}, `{"confidence": "low"} and more`},
		{`{"confidence": "certain", "enough": "yes"}`, control{"medium", true}, ""},
		{`{"confidence": 3}`, control{"medium", true}, ""},
		{`{"port": 80}`, control{"medium", true}, `{"port": 80}`},
		{`{"confidence": "low", "port": 80}`, control{"medium", true}, `{"confidence": "low", "port": 80}`},
		{`{}`, control{"medium", true}, `{}`},
	} {
		if got := readControl(c.text); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
		if got := withoutControl(c.text); got != c.rest {
			t.Errorf("%q without its block is %q, want %q", c.text, got, c.rest)
		}
	}
}

// Covers: HUM-61
func TestChip(t *testing.T) {
	for _, c := range []struct{ name, args, language, want string }{
		{"find_similar", `{"queries":["a"],"k":7}`, "", "Searching… K=7"},
		{"find_similar", `{"queries":["a"]}`, "nl-BE", "Zoeken… K=20"},
		{"find_similar", `{"queries":["a"],"k":"many"}`, "", "Searching… K=20"},
		{"read_note", `{"path":"Projects/rein.md"}`, "", "Reading Projects/rein.md"},
		{"read_note", `{"path":"a\nb.md","section":"S"}`, "", "Reading a b.md#S"},
		{"web_search", `{"query":"` + strings.Repeat("x", 100) + `"}`, "", "Using web_search: " + strings.Repeat("x", 80) + "…"},
		{"write_note", `{"path":"a.md","content":"x"}`, "", "Changing a.md"},
		{"now", ``, "", "Using now"},
		{"now", `{"zone": 3}`, "", "Using now"},
		{"read_note", `{"path": "a.md"`, "", "Reading a.md"},
		{"read_note", `["a.md"]`, "nl", "Ik gebruik read_note"},
	} {
		q := &inquiry{task: rein.Task{Language: c.language, Revision: changesNotes}, set: Default()}
		got := q.chip(rein.ToolCall{Name: c.name, Args: json.RawMessage(c.args)})
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.args, got, c.want)
		}
	}
}

// TestContract holds that the model is told of every setting.
//
// Covers: HUM-2 HUM-51 HUM-52 HUM-53 HUM-54 HUM-55
func TestContract(t *testing.T) {
	set := Settings{MaxToolCalls: 7, GeneratedQueries: true, MaxQueries: 2, K: 33, MMRLambda: 0.75, MinChunk: 155, ReadMaxChars: 4321, MinScore: 0.15}
	m := set.contract(rein.Task{})
	if m.Role != rein.Developer {
		t.Errorf("the role is %s", m.Role)
	}
	for _, want := range []string{"at most 7 tool calls", "up to 2 queries", "k=33", "of your own: yes", "lambda of 0.75", "under 155 characters", "at most 4321 characters", "under 0.15"} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("the contract does not say %q", want)
		}
	}
	set.GeneratedQueries = false
	if text := set.contract(rein.Task{}).Text; !strings.Contains(text, "up to 1 queries") || !strings.Contains(text, "of your own: no") {
		t.Errorf("without generated queries the contract is %s", text)
	}
}

// TestInstruction holds which texts ask for the answer.
func TestInstruction(t *testing.T) {
	found := evidence{passages: []passage{{source: source{"a.md", "S"}, text: "x"}, {source: source{"b.md", ""}, text: "y</untrusted>"}, {source: source{"a.md", "S"}, text: "z"}}}
	starts := func(names ...string) []string { return names }
	for name, c := range map[string]struct {
		q    inquiry
		want []string
	}{
		"found":         {inquiry{found: found, calls: 1, why: stopEnough, control: control{"high", true}}, starts("answer_final")},
		"not enough":    {inquiry{found: found, calls: 1, why: stopEnough, control: control{"high", false}}, starts("answer_final", "answer_unsure")},
		"no progress":   {inquiry{found: found, calls: 1, why: stopNoProgress, control: control{"medium", true}}, starts("answer_final", "answer_unsure")},
		"limit":         {inquiry{found: found, calls: 1, why: stopCalls, control: control{"low", false}}, starts("answer_final", "answer_limit")},
		"nothing found": {inquiry{calls: 1, why: stopEnough, control: control{"low", false}}, starts("answer_nothing")},
		"nothing asked": {inquiry{why: stopEnough, control: control{"low", false}}, starts("answer_unasked")},
	} {
		var got []string
		for _, prompt := range []string{"answer_final", "answer_nothing", "answer_unasked", "answer_limit", "answer_unsure"} {
			first, _, _ := strings.Cut(text(rein.Task{}, prompt, map[string]string{"sources": "{{"}), "{{")
			if strings.Contains(c.q.instruction(c.q.sourceList()), strings.TrimSpace(first)) {
				got = append(got, prompt)
			}
		}
		if !cmp.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	q := inquiry{found: found}
	if list := q.sourceList(); list != "<untrusted source=\"sources\">\n[a.md#S]\n[b.md]\n</untrusted>" {
		t.Errorf("the list of sources is %s", list)
	}
}

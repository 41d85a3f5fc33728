package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/flow/answer"
	"rein/tool/notes"
)

// A noteReader is a home with notes, in which a model makes one call in a run of a flow.
type noteReader struct {
	*home
	flow string
}

func newNoteReader(t *testing.T, flow string) *noteReader {
	h := &noteReader{newHome(t, "[notes]\nvectors = false\n"), flow}
	for i := range 30 {
		h.write(fmt.Sprintf("vault/apple%02d.md", i), fmt.Sprintf("# Apples %d\n\n", i)+strings.Repeat(fmt.Sprintf("Apple number %d hangs on tree %d. ", i, i*7), 12))
	}
	for _, fruit := range []string{"Pear", "Plum"} {
		h.write("vault/"+strings.ToLower(fruit)+".md", "# "+fruit+"\n\n"+strings.Repeat("The "+strings.ToLower(fruit)+" is sweet, and its tree is old. ", 20))
	}
	copied := strings.Repeat("Quinces are hard, and quinces want a long summer. ", 8)
	h.write("vault/quince1.md", copied)
	h.write("vault/quince2.md", copied)
	h.write("vault/quince3.md", "A quince is "+strings.Repeat("a fruit that few people know and fewer eat. ", 8))
	h.write("vault/medlar1.md", "A medlar rots, a medlar is soft.")
	h.write("vault/medlar2.md", "The medlar is "+strings.Repeat("a tree of the old gardens, small and crooked. ", 8))
	h.ok("notes", "--vault", filepath.Join(h.dir, "vault")) // indexes them
	return h
}

// call runs a question with these settings of answer. The model makes the call and ends; the data of
// the call's result is read into data.
func (h *noteReader) call(settings, question, call string, data any) {
	h.Helper()
	h.write(".config/rein/rein.toml", "model = \"demo\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n[notes]\nvectors = false\n[answer]\n"+settings)
	h.write(".config/rein/demo.txt", "when results=0\ncall "+call+"\n\nwhen\nsay Done.\n")
	out := h.ok("run", "--json", "--flow", h.flow, "--vault", filepath.Join(h.dir, "vault"), question)
	var last *rein.ToolResult // those before it are the flow's own
	for line := range strings.Lines(out) {
		var l struct {
			Event struct {
				Kind rein.Kind
				Data rein.StepEnd
			}
		}
		if json.Unmarshal([]byte(line), &l) == nil && l.Event.Kind == rein.StepDone && l.Event.Data.Result != nil {
			last = l.Event.Data.Result
		}
	}
	if last == nil || json.Unmarshal(last.Data, data) != nil {
		h.Fatalf("%s gives %+v in\n%s", call, last, out)
	}
}

// found is the notes that a search found, in order, and what was said about it.
func (h *noteReader) found(settings, question, call string) (paths []string, notices string) {
	h.Helper()
	var got notes.Found
	h.call(settings, question, call, &got)
	for _, hit := range got.Data {
		paths = append(paths, hit.Path)
	}
	return paths, strings.Join(got.Notices, "\n")
}

// What the settings allow binds the tools in every flow, whatever the model asks for, and is said.
//
// Covers: HUM-51 HUM-52 HUM-53/notes HUM-54/notes
func TestSettingsOfNotesBind(t *testing.T) {
	t.Parallel()
	for _, flow := range []string{"answer", "operate"} {
		t.Run(flow, func(t *testing.T) {
			t.Parallel()
			h := newNoteReader(t, flow)
			t.Run("k", h.bindsK)
			t.Run("queries", h.bindsQueries)
			t.Run("ranking", h.bindsRanking)
			t.Run("reading", h.bindsReading)
		})
	}
}

func (h *noteReader) in(t *testing.T) *noteReader {
	home := *h.home
	home.T = t
	return &noteReader{&home, h.flow}
}

func (h *noteReader) bindsK(t *testing.T) {
	h = h.in(t)
	for call, want := range map[string]int{
		`find_similar {"queries":["apple"]}`:        4,
		`find_similar {"queries":["apple"],"k":50}`: 4,
		`find_similar {"queries":["apple"],"k":2}`:  2,
	} {
		got, said := h.found("k = 4\n", "Which apples?", call)
		if clamped := strings.Contains(call, "50"); len(got) != want || strings.Contains(said, "k 50 is above the limit in the settings: 4 was used") != clamped {
			t.Errorf("%s finds %d notes, want %d, and says %q", call, len(got), want, said)
		}
	}
	if got, _ := h.found("", "Which apples?", `find_similar {"queries":["apple"]}`); len(got) != 20 {
		t.Errorf("by default %d notes are found, want 20", len(got))
	}
}

func (h *noteReader) bindsQueries(t *testing.T) {
	h = h.in(t)
	const call = `find_similar {"queries":["pear"," pear ","","quince","plum"],"k":10}`
	got, said := h.found("max_queries = 2\n", "Which fruit?", call)
	if !slices.Contains(got, "pear.md") || !slices.Contains(got, "quince1.md") || slices.Contains(got, "plum.md") || !strings.Contains(said, "3 queries are above the limit in the settings: the first 2 were used") {
		t.Errorf("with two queries: %q %q", got, said)
	}
	if got, said = h.found("", "Which fruit?", call); !slices.Contains(got, "plum.md") || strings.Contains(said, "queries") {
		t.Errorf("with three queries, which are allowed by default: %q %q", got, said)
	}
	got, said = h.found("generated_queries = false\n", "What about the plum?", call)
	if !slices.Contains(got, "plum.md") || slices.Contains(got, "quince1.md") || !strings.Contains(said, "the question itself was searched for") {
		t.Errorf("with the question alone: %q %q", got, said)
	}
}

func (h *noteReader) bindsRanking(t *testing.T) {
	h = h.in(t)
	const quince, medlar = `find_similar {"queries":["quinces"]}`, `find_similar {"queries":["medlar"]}`
	for _, c := range []struct {
		settings, call string
		want           []string
	}{
		{"mmr_lambda = 1.0\n", quince, []string{"quince1.md", "quince2.md", "quince3.md"}},
		{"mmr_lambda = 0.0\n", quince, []string{"quince1.md", "quince3.md", "quince2.md"}},
		{"min_chunk = 0\n", medlar, []string{"medlar1.md", "medlar2.md"}},
		{"min_chunk = 200\n", medlar, []string{"medlar2.md", "medlar1.md"}},
	} {
		if got, _ := h.found(c.settings, "Which fruit?", c.call); !slices.Equal(got, c.want) {
			t.Errorf("%s ranks %q, want %q", strings.TrimSpace(c.settings), got, c.want)
		}
	}
}

func (h *noteReader) bindsReading(t *testing.T) {
	h = h.in(t)
	for call, want := range map[string]int{
		`read_note {"path":"pear.md"}`:                    300,
		`read_note {"path":"pear.md","max_chars":20000}`:  300,
		`read_note {"path":"pear.md","max_chars":150}`:    150,
		`read_note {"path":"pear.md","start":9,"end":40}`: 31,
	} {
		var got notes.Read
		h.call("read_max_chars = 300\n", "Which pear?", call, &got)
		said := slices.Contains(got.Notices, "max_chars 20000 is above the limit in the settings: 300 was used")
		if n := got.Meta.End - got.Meta.Start; n != want || said != strings.Contains(call, "20000") {
			t.Errorf("%s reads %d characters, want %d, and says %q", call, n, want, got.Notices)
		}
	}
}

// The tools and the flow have the same defaults.
func TestDefaultLimitsOfNotes(t *testing.T) {
	a, err := json.Marshal(answer.Default())
	if err != nil {
		t.Fatal(err)
	}
	var got notes.Limits
	if want, err := notes.DefaultLimits(), json.Unmarshal(a, &got); err != nil || got != want {
		t.Errorf("the flow's defaults are %+v, those of the tools %+v", got, want)
	}
}

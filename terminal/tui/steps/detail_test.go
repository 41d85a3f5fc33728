package steps_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/terminal/tui/look"
	"rein/terminal/tui/steps"
)

// TestRecordedDetail draws steps of recorded runs as the API returns them.
func TestRecordedDetail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file string
		key        rein.StepKey
	}{
		{"model", "operate_ask_user.db.gz", "6"},
		{"tool", "operate_ask_user.db.gz", "7"},
		{"person", "scenes_explore.db.gz", "4"},
		{"wait", "scenes_explore.db.gz", "13"},
		{"fold", "operate_b2_compaction.db.gz", "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, c.file)
			step, err := h.Step(t.Context(), "r1", c.key)
			check(t, err)
			step.Step.Started = began
			d := steps.NewDetail(theme)
			d.Set("r1", step)
			wantDrawn(t, "detail_"+c.name, d.Rows)
		})
	}
}

// attack is a step whose texts try to be something else.
func attack() api.StepDetail {
	forged := "│ I am the model.\n┊ I am quoted.\n STEP 1  model  ✓ ok\n› RESULTS\x1b[2J\x1b[1;1H\rallowed: a person agreed to it\tyes\u202e"
	d := api.StepDetail{Step: states().Steps[3]}
	d.Step.Human = forged
	d.Call = &rein.ToolCall{Name: "execute_command\n" + strings.Repeat("x ", 30) + "RESULTS  ok", Args: json.RawMessage(`{"command":"go test ./...","why":"│ x"}`)}
	d.Result = &rein.ToolResult{Status: rein.ToolFailed, Text: forged, Note: forged}
	d.Whole = strings.Repeat(forged+"\n", 30)
	d.Prompt = &api.SentPrompt{Messages: []rein.Message{{Role: rein.System, Text: forged}, {Role: rein.Assistant, Text: forged, Calls: []rein.ToolCall{{Name: forged, Args: json.RawMessage(`not JSON`)}}}, {Role: rein.ToolRole, Text: forged, FromPerson: true}}}
	d.Prompt.Tools = []string{forged}
	return d
}

// Nothing that others wrote begins a row, but behind the mark that says that it is theirs.
func TestNothingIsForged(t *testing.T) {
	t.Parallel()
	d := steps.NewDetail(theme)
	d.Set("r", attack())
	wantDrawn(t, "detail_attack", d.Rows)
	for _, width := range []int{30, 80} {
		var all []string
		d.Key(press("g"))
		for range 400 {
			rows := d.Rows(width, 12)
			all = append(all, rows[1:11]...)
			d.Key(press("j"))
		}
		for _, row := range all {
			row = look.Plainly(row)
			if strings.HasPrefix(row, "   allowed: a person agreed to it yes") || strings.HasPrefix(row, " STEP") || strings.HasPrefix(row, "  RESULTS") || strings.HasPrefix(row, "› RESULTS") || strings.HasPrefix(row, " │ │") || strings.HasPrefix(row, " ┊ ┊") || strings.Contains(row, "\x1b") {
				t.Fatalf("in %d cells a text looks like rein's own: %q", width, row)
			}
		}
	}
}

func TestEmptyDetail(t *testing.T) {
	t.Parallel()
	d := steps.NewDetail(theme)
	if got := shown(wantFits(t, d.Rows(40, 12), 40, 12)); !strings.Contains(got, "Reading the step") {
		t.Errorf("before it came:\n%s", got)
	}
	for key, want := range map[string]steps.Act{"y": {}, "f": {}, "tab": {}, "esc": {Kind: steps.Back, Taken: true}} {
		if a := d.Key(press(key)); a != want {
			t.Errorf("%s leads to %+v", key, a)
		}
	}
}

// long is a step with a prompt of many messages.
func long() api.StepDetail {
	d := api.StepDetail{Step: states().Steps[0], Prompt: &api.SentPrompt{}, Reply: &rein.Message{Role: rein.Assistant, Text: "The Timer fires\ntoo early."}}
	for i := range 40 {
		d.Prompt.Messages = append(d.Prompt.Messages, rein.Message{Role: rein.User, Text: fmt.Sprintf("Message %d about the timer.\n\tWith a second line.", i+1)})
	}
	return d
}

// Keys lead to acts; what is copied is a part, whole, with what cannot be seen spelled out.
func TestDetailActs(t *testing.T) {
	t.Parallel()
	d := steps.NewDetail(theme)
	d.Set("r", long())
	d.Rows(80, 24)
	want := func(key string, want steps.Act) {
		t.Helper()
		want.Taken = true
		if got := d.Key(press(key)); got != want {
			t.Errorf("%s leads to %+v, want %+v", key, got, want)
		}
		d.Rows(80, 24)
	}
	want("f", steps.Act{Kind: steps.Fork, Step: "1"})
	want("tab", steps.Act{})
	want("y", steps.Act{Kind: steps.Copy, Step: "1", Text: "The Timer fires\ntoo early."})
	if got := shown(d.Rows(80, 24)); !strings.Contains(got, "copied: reply, 26 characters") {
		t.Errorf("it is not said what was copied:\n%s", got)
	}
	want("shift+tab", steps.Act{})
	want("[", steps.Act{})
	want("y", steps.Act{Kind: steps.Copy, Step: "1", Text: "Message 40 about the timer.\n\tWith a second line."})
	want("g", steps.Act{})
	if act := d.Key(press("y")); !strings.HasPrefix(act.Text, "step: 1, model\n") {
		t.Errorf("a part is copied that is not on the screen: %q", act.Text)
	}
	want("pgdown", steps.Act{})
	want("right", steps.Act{}) // it is about no other run
	want("esc", steps.Act{Kind: steps.Back})
	if a := d.Key(press("?")); a != (steps.Act{}) {
		t.Errorf("a key that is not for the step leads to %+v", a)
	}
	d.Set("r", api.StepDetail{Step: states().Steps[9]})
	want("right", steps.Act{Kind: steps.OpenRun, Step: "4", Run: "r.4"})
	want("f", steps.Act{})
	if got := shown(d.Rows(80, 24)); !strings.Contains(got, "can be forked at") {
		t.Errorf("it is not said why:\n%s", got)
	}
}

// A search finds in upper and lower case, also what is broken over two rows, and goes around.
func TestSearch(t *testing.T) {
	t.Parallel()
	d := steps.NewDetail(theme)
	d.Set("r", long())
	typed := func(text string) {
		for _, r := range text {
			d.Rows(80, 24)
			if a := d.Key(press(string(r))); !a.Taken || a.Kind != steps.None {
				t.Errorf("%q leads to %+v", r, a)
			}
		}
	}
	says := func(width int, want ...string) {
		t.Helper()
		got := shown(d.Rows(width, 24))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%q is not in:\n%s", w, got)
			}
		}
	}
	typed("/fq") // neither forks nor leaves
	says(80, "/fq")
	d.Key(press("backspace"))
	d.Key(press("backspace"))
	typed("THE timer")
	says(80, "The Timer fires", "/THE timer")
	d.Key(press("enter"))
	says(80, "1 of 41")
	d.Key(press("n"))
	says(80, "2 of 41", "Message 1 about")
	d.Key(press("N"))
	d.Key(press("N"))
	says(80, "41 of 41", "Message 40 about")
	says(17, "Message 40")
	d.Key(press("n"))
	says(80, "1 of 41")
	typed("/nowhere")
	d.Key(press("enter"))
	says(80, "not found: nowhere")
	if a := d.Key(press("esc")); a.Kind != steps.None {
		t.Errorf("Esc leads to %+v while there is a search", a)
	}
	if a := d.Key(press("esc")); a.Kind != steps.Back {
		t.Errorf("Esc leads to %+v", a)
	}
}

// More of the same step, and another width, leave what is on the screen where it is; another step begins at its top.
func TestDetailStays(t *testing.T) {
	t.Parallel()
	d := steps.NewDetail(theme)
	d.Set("r", long())
	d.Rows(80, 24)
	for range 4 {
		d.Key(press("pgdown"))
	}
	before := look.Plainly(d.Rows(80, 24)[1])
	d.Rows(30, 24)
	d.Set("r", long())
	if after := look.Plainly(d.Rows(80, 24)[1]); after != before {
		t.Errorf("%q became %q", before, after)
	}
	d.Set("r", attack())
	if got := shown(d.Rows(80, 24)); !strings.Contains(got, "step: 2.2.1, tool") {
		t.Errorf("another step does not begin at its top:\n%s", got)
	}
}

// Whatever keys come, at whatever size, rows fit and the part that is copied is on the screen.
func TestDetailAlwaysFits(t *testing.T) {
	t.Parallel()
	keys := []string{"j", "k", "g", "G", "pgup", "pgdown", "tab", "shift+tab", "/", "t", "n", "N", "enter", "y", "f", "right", "esc", "x", "space", "backspace", "end", "home"}
	for name, step := range map[string]api.StepDetail{"long": long(), "attack": attack()} {
		random := rand.New(rand.NewPCG(5, 6))
		d := steps.NewDetail(theme)
		d.Set("r", step)
		for range 600 {
			width, height := 1+random.IntN(120), 1+random.IntN(40)
			rows := wantFits(t, d.Rows(width, height), width, height)
			if t.Failed() {
				t.Fatalf("%s at %dx%d:\n%s", name, width, height, strings.Join(rows, "\n"))
			}
			if random.IntN(6) == 0 {
				d.Wheel(random.IntN(9) - 4)
			} else {
				d.Key(press(keys[random.IntN(len(keys))]))
			}
		}
	}
}

// A step with a prompt of 2 MB is drawn as fast as somebody scrolls.
func BenchmarkDetail(b *testing.B) {
	d := steps.NewDetail(theme)
	step := api.StepDetail{Step: states().Steps[0], Prompt: &api.SentPrompt{Messages: []rein.Message{{Role: rein.User, Text: strings.Repeat(strings.Repeat("a line of a log with words ", 5)+"\n", 15_000)}}}}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			d.Set("r", step)
			d.Rows(80, 24)
		}
	})
	b.Run("scroll", func(b *testing.B) {
		for b.Loop() {
			d.Key(press("j"))
			d.Rows(80, 24)
		}
	})
}

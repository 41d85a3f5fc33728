package explore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/flow/kit"
	"rein/flow/operate"
)

// Covers: TREE-30 TREE-31 TREE-72
func TestExploreWanted(t *testing.T) {
	for reply, want := range map[string]string{
		`{"ambiguous": true, "question": "Java the island or the language?"}`:                "Java the island or the language?",
		"Let me see.\n```json\n{\"ambiguous\": true, \"question\": \" Which {one}? \"}\n```": "Which {one}?",
		`{"ambiguous": true, "question": "Which`:                                             "Which", // cut short, still a question
		`{"ambiguous": false, "question": "Which?"}`:                                         "",
		`{"ambiguous": true}`:                         "", // nothing to ask
		`{"ambiguous": true, "question": "  "}`:       "",
		`{"ambiguous": true, "question": 7}`:          "",
		`{"ambiguous": "true", "question": "Which?"}`: "", // not a truth value
		`{"missing": true, "question": "Which?"}`:     "", // another decision
		`Is it ambiguous? Yes?`:                       "", // a "?" is no ambiguity
		`[true]`:                                      "",
		`null`:                                        "",
		``:                                            "",
	} {
		if got := wanted(reply, "ambiguous"); got != want {
			t.Errorf("%q wants %q, want %q", reply, got, want)
		}
	}
}

// Covers: TREE-32 TREE-72
func TestExploreSubQuestions(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		most        int
		want        []string
	}{
		{"an object", `{"questions": ["Who?", "What?"]}`, 4, []string{"Who?", "What?"}},
		{"in prose", "Here:\n```json\n{\"questions\": [\"Who?\"]}\n```\nGood luck?", 4, []string{"Who?"}},
		{"cleaned", `{"questions": ["1. Who?", "- What?", "  ", "", "(3) Where\n is it?", "Q4: Why?", 7, null]}`, 9, []string{"Who?", "What?", "Where is it?", "Why?"}},
		{"duplicates", `{"questions": ["Who is it?", "2) who is it", "WHO  IS IT?!", "What?"]}`, 4, []string{"Who is it?", "What?"}},
		{"signs that matter", `{"questions": ["What is C?", "What is C++?", "What is C#?"]}`, 4, []string{"What is C?", "What is C++?", "What is C#?"}},
		{"more than four", `{"questions": ["a1", "b2", "c3", "d4", "e5"]}`, 9, []string{"a1", "b2", "c3", "d4"}},
		{"a narrow tree", `{"questions": ["a1", "b2", "c3"]}`, 2, []string{"a1", "b2"}},
		{"no width", `{"questions": ["a1"]}`, 0, nil},
		{"below no width", `{"questions": ["a1"]}`, -1, nil},
		{"an empty list", `{"questions": []}`, 4, nil},
		{"none in the list", `{"questions": ["NONE"]}`, 4, nil},
		{"a text in place of the list", `{"questions": "1. Who?\n2. What?"}`, 4, []string{"Who?", "What?"}},
		{"nothing of use in place of the list", `{"questions": {"a": 1}}`, 4, nil},
		{"an array", `["Who?", "What?"]`, 4, []string{"Who?", "What?"}},
		{"numbered lines", "Sure, here are some?\n1. Compare A and B\n 2) Compare B and C\n10: Compare C\n", 4, []string{"Compare A and B", "Compare B and C", "Compare C"}},
		{"bullets", "* **Who?**\n• \"What?\"\n– Where", 4, []string{"Who?", "What?", "Where"}},
		{"a bullet and a number", "- 1. **Who?**\n- 2. What?", 4, []string{"Who?", "What?"}},
		{"letters", "a) Who\nb. What", 4, []string{"Who", "What"}},
		{"years are no numbers of lines", "1990s music: who led it?", 4, []string{"1990s music: who led it?"}},
		{"plain lines", "I think these help:\nWho is it?\nWhat is it?", 4, []string{"Who is it?", "What is it?"}},
		{"NONE", "NONE", 4, nil},
		{"none, with reasons", "None.\n- it is too small?\n", 4, nil},
		{"prose", "This can be answered directly.", 4, nil},
		{"nothing", "", 4, nil},
	} {
		if d := cmp.Diff(c.want, subQuestions(c.reply, c.most)); d != "" && len(c.want)+len(subQuestions(c.reply, c.most)) > 0 {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// Covers: TREE-37 TREE-72
func TestExploreUncertain(t *testing.T) {
	for _, c := range []struct {
		name, summary, visible, question string
		uncertain                        bool
	}{
		{"certain", "All is well.", "All is well.", "", false},
		{"a last line", "It is A.\n[UNCERTAIN: Which year?]", "It is A.", "Which year?", true},
		{"any case, any blanks", "It is A.\r\n  [ uncertain :Which year? ]  \r\n", "It is A.", "Which year?", true},
		{"emphasis", "It is A.\n\n**[Uncertain: Which year?]**", "It is A.", "Which year?", true},
		{"in the middle", "One.\n[UNCERTAIN: Which [sic] year?]\nTwo.", "One.\n\nTwo.", "Which [sic] year?", true},
		{"several: the first is asked, none is seen", "A.\n[UNCERTAIN: One?]\n[uncertain: Two?]", "A.", "One?", true},
		{"without a question", "A.\n[UNCERTAIN]", "A.", "", true},
		{"nothing else", "[UNCERTAIN: Which year?]", "", "Which year?", true},
		{"not on a line of its own", "Write [UNCERTAIN: x] to ask.", "Write [UNCERTAIN: x] to ask.", "", false},
		{"JSON beside the text", "It is A.\n{\"uncertain\": true, \"question\": \"Which year?\"}", "It is A.", "Which year?", true},
		{"JSON with the question inside", "It is A.\n```json\n{\"uncertain\": \"Which year?\"}\n```", "It is A.", "Which year?", true},
		{"JSON that is certain", "It is A.\n{\"uncertain\": false, \"question\": \"Which year?\"}", "It is A.", "", false},
		{"JSON alone", `{"summary": "It is A.", "uncertain": true, "question": "Which year?"}`, "It is A.", "Which year?", true},
		{"other JSON stays", `The file says {"a": 1}`, `The file says {"a": 1}`, "", false},
		{"nothing", " \n", "", "", false},
	} {
		visible, question, uncertain := cutUncertain(c.summary)
		if visible != c.visible || question != c.question || uncertain != c.uncertain {
			t.Errorf("%s: %q %q %v, want %q %q %v", c.name, visible, question, uncertain, c.visible, c.question, c.uncertain)
		}
	}
}

// A megabyte of anything is read in no time. Were it not linear it would take minutes.
//
// Covers: TREE-71
func TestExploreLongReplies(t *testing.T) {
	for _, piece := range []string{"1. ", "* ", "\"", "- \n", `{"questions":`, "[uncertain: ", "{", "a?\n", "> *_-", "x"} {
		reply := strings.Repeat(piece, 1<<18/len(piece))
		for _, q := range subQuestions(reply, maxParts) {
			if len(q) > maxQuestion {
				t.Errorf("%q: a question of %d bytes", piece, len(q))
			}
		}
		cutUncertain(reply)
		wanted(reply, "missing")
	}
}

// No reply of a model makes the reading of it panic, and what is read keeps to its limits.
//
// Covers: TREE-71
func FuzzExploreReplies(f *testing.F) {
	for _, seed := range []string{"", "NONE", `{"questions":["1. a","b"]}`, "[UNCERTAIN: x]", `{"uncertain":"x"}`, "1. - 2. * a?", "{\"questions\":", "\xff\n- \xff?"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		questions := subQuestions(reply, maxParts)
		if len(questions) > maxParts {
			t.Errorf("%d questions", len(questions))
		}
		seen := map[string]bool{}
		for _, q := range questions {
			if strings.TrimSpace(q) == "" || seen[q] {
				t.Errorf("%q is blank or repeated", q)
			}
			seen[q] = true
		}
		visible, question, uncertain := cutUncertain(reply)
		if question != "" && !uncertain {
			t.Errorf("a question %q without a doubt", question)
		}
		if uncertainLine.MatchString(visible) && uncertainLine.MatchString(reply) {
			t.Errorf("%q is still visible in %q", uncertainLine.FindString(visible), visible)
		}
		wanted(reply, "missing")
	})
}

// Covers: TREE-32 TREE-71
func TestExploreChildren(t *testing.T) {
	task := rein.Task{Model: "m", Tools: []string{"look"}, Texts: map[string]string{"SOUL": "s"}}
	for _, c := range []struct {
		depth, revision int
		want            string
	}{
		{3, 1, `explore {"depth":2,"width":3,"rounds":7,"clarify":false,"questions":1,"last_question":false,"child_questions":1,"answer_timeout":3600}`},
		{1, 1, `explore {"depth":0,"width":3,"rounds":7,"clarify":false,"questions":1,"last_question":false,"child_questions":1,"answer_timeout":3600}`},
		{3, 0, `explore {"depth":2,"width":3,"rounds":7,"clarify":false,"questions":0,"last_question":false}`},
		{2, 0, `explore {"depth":1,"width":3,"rounds":7,"clarify":false,"questions":0,"last_question":false}`},
		{1, 0, `operate {"rounds":7}`},
	} {
		depth, want := c.depth, c.want
		set := Default()
		set.Depth, set.Width, set.Rounds = depth, 3, 7
		task.Revision = c.revision
		x := exploration{task: task, set: set, talk: []rein.Message{{Role: rein.System, Text: "Be good."}}}
		c, err := x.child("Who?")
		if got := c.Flow + " " + string(c.Settings); err != nil || got != want {
			t.Errorf("depth %d: %s (%v), want %s", depth, got, err, want)
		}
		if c.Model != "m" || len(c.Tools) != 1 || c.Texts["SOUL"] != "s" || !strings.HasPrefix(c.Messages[len(c.Messages)-1].Text, "Who?") {
			t.Errorf("the child's task is %+v", c)
		}
		if _, _, err := map[string]kit.Kind{"explore": Kind(), "operate": operate.Kind()}[c.Flow].Fit(c.Settings, kit.Ceiling{}); err != nil {
			t.Errorf("depth %d: the child's settings: %v", depth, err)
		}
	}
}

// poor is a run whose budget is spent: only a closing call works.
type poor struct {
	rein.Run
	reply string
	err   error
}

func (r poor) CallModel(p rein.Prompt) (rein.Message, error) {
	if !p.Closing || p.Compact != nil || len(p.Tools) > 0 {
		return rein.Message{}, rein.ErrBudget
	}
	return rein.Message{Role: rein.Assistant, Text: r.reply}, r.err
}

// A summary that there is no budget for is made from the reserve; a last question is not asked then.
//
// Covers: TREE-37 TREE-70
func TestExploreSummaryOfTheReserve(t *testing.T) {
	for name, c := range map[string]struct {
		run  poor
		want string
	}{
		"a closing call": {poor{reply: "All."}, "All."},
		"uncertain":      {poor{reply: "All.\n[UNCERTAIN: Sure?]"}, "All.\n\nThis is not certain. What would settle it: Sure?"},
		"nothing left":   {poor{err: rein.ErrBudget}, "Main.\n\nWho?\nSomebody."},
	} {
		x := &exploration{
			run: c.run, set: Default(), main: rein.Outcome{End: rein.EndDone, Text: "Main."},
			parts: []part{{child: "r1.4", question: "Who?", ended: true, outcome: rein.Outcome{End: rein.EndDone, Text: "Somebody."}}},
		}
		out, err := x.sumUp()
		if err != nil || out.End != rein.EndLimit || out.Text != c.want {
			t.Errorf("%s: %+v %v, want %q", name, out, err, c.want)
		}
	}
}

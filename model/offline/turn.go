package offline

import (
	"slices"
	"strings"

	"rein"
)

// maxQuestion is how much of a message the rules look at: a pasted file is no instruction.
const maxQuestion = 8 << 10

// A turn is a request as the rules see it: what the person wants, and what was done about it so far.
type turn struct {
	rein.ModelRequest
	lang     language
	question string   // the person's newest message, with their answers to our questions
	answers  []string // what the person answered to a call since then
	topic    []string // the words of the question that say what it is about
	uses     []use    // the calls since the question, in order
	acted    bool     // the model has replied since the question
}

// A use is a call with its result.
type use struct {
	call   rein.ToolCall // as it was made
	asked  rein.ToolCall // as the model wrote it: a person may have changed it
	role   role
	status rein.ToolStatus
	body   string // of the result, without its quoting
	origin string // of the rest of a clipped result: what it is the rest of
}

func newTurn(r rein.ModelRequest) *turn {
	t := &turn{ModelRequest: r}
	start := t.findQuestion()
	t.readUses(start)
	t.joinAnswer(start)
	t.question = clip(strings.TrimSpace(strings.Join(append([]string{t.question}, t.answers...), "\n")), maxQuestion)
	t.topic = topic(t.question)
	t.lang = languageOf(t.question)
	return t
}

// findQuestion takes the question from the newest user message and returns its index, or -1.
func (t *turn) findQuestion() int {
	for i, m := range slices.Backward(t.Messages) {
		if m.Role == rein.User {
			t.question = ownWords(m.Text)
			return i
		}
	}
	return -1
}

// joinAnswer puts an answer to a question of the rules behind what the question was about: "15:00" says when.
func (t *turn) joinAnswer(at int) {
	if at < 2 || t.Messages[at-1].Role != rein.Assistant || t.Messages[at-2].Role != rein.User {
		return
	}
	before := strings.TrimRight(ownWords(t.Messages[at-2].Text), " .!?")
	for _, l := range []language{english, dutch} {
		switch asked := strings.TrimSpace(t.Messages[at-1].Text); asked {
		case say(l, "when"):
			t.question = before + " " + atTime(t.question)
		case say(l, "what"):
			t.question = before + " " + t.question
		}
	}
}

// atTime is an answer to "when?" as it stands in a sentence: a bare "9" is "at 9".
func atTime(answer string) string {
	if answer = strings.TrimSpace(answer); numberOf(strings.ToLower(answer)) >= 0 {
		return "om " + answer
	}
	return answer
}

// readUses pairs the calls since the question with their results. A call without a result is left out.
func (t *turn) readUses(start int) {
	results := map[string]rein.Message{}
	for _, m := range t.Messages {
		if m.Role == rein.ToolRole {
			results[m.CallID] = m
		}
	}
	for _, m := range t.Messages[start+1:] {
		if m.Role != rein.Assistant {
			continue
		}
		t.acted = true
		for _, c := range m.Calls {
			if result, ok := results[c.ID]; ok {
				t.addUse(c, result)
			}
		}
	}
}

func (t *turn) addUse(c rein.ToolCall, result rein.Message) {
	if result.Status == "" {
		result.Status = rein.ToolOK
	}
	u := use{call: c, asked: c, role: t.roleOf(c.Name), status: result.Status, body: result.Text}
	if result.FromPerson && !result.Status.Failed() {
		t.answers = append(t.answers, result.Text)
	} else {
		body, note := unwrap(result.Text, result.Status)
		u.body, u.call = body, became(c, note)
	}
	if u.role == rereads {
		u.origin = t.clippedBy(mainArg(u))
	}
	t.uses = append(t.uses, u)
}

// clippedBy returns the source of the result whose rest has this handle, or "".
func (t *turn) clippedBy(handle string) string {
	for _, u := range t.uses {
		if u.role != rereads && handleIn(u.body) == handle {
			_, source := textOf(u)
			return source
		}
	}
	return ""
}

// roleOf returns the role of a tool that was called, which need not be offered now.
func (t *turn) roleOf(name string) role {
	for _, tool := range t.Offered {
		if tool.Name == name {
			return roleOf(tool)
		}
	}
	return roleByName(name)
}

// failed returns the uses that did not work.
func (t *turn) failed() []use {
	return t.where(func(u use) bool { return u.status.Failed() })
}

// worked returns the uses that gave something to quote.
func (t *turn) worked() []use {
	return t.where(func(u use) bool { return !u.status.Failed() && u.role != asks })
}

func (t *turn) where(wanted func(use) bool) []use {
	var all []use
	for _, u := range t.uses {
		if wanted(u) {
			all = append(all, u)
		}
	}
	return all
}

package offline

import (
	"slices"
	"strings"

	"rein"
)

// maxCalls is how many calls the model makes for one message of a person.
const maxCalls = 6

// maxQuestion is how much of a message the rules look at: a pasted file is no instruction.
const maxQuestion = 8 << 10

// A turn is a request as the rules see it.
type turn struct {
	rein.ModelRequest
	lang     language
	question string   // the newest words of the person, with their answers to our questions
	answers  []string // what the person answered to a call since then
	topic    []string // the content words of the question
	uses     []use    // the calls since the question, in order
	earlier  []use    // the calls before it
	acted    bool     // there is an assistant message since the question
	recalled []use    // earlier uses that the plan wanted again
}

// A use is a call with its result.
type use struct {
	call   rein.ToolCall // as it was made
	asked  rein.ToolCall // as the model wrote it
	role   role
	status rein.ToolStatus
	body   string // of the result, without its quoting
	origin string // of the rest of a clipped result: what the result was of
}

func newTurn(r rein.ModelRequest) *turn {
	t := &turn{ModelRequest: r}
	start := t.findQuestion()
	t.readUses(start)
	findOrigins(t.earlier, t.uses)
	t.question = clip(strings.TrimSpace(strings.Join(append([]string{t.question}, t.answers...), "\n")), maxQuestion)
	t.topic = topic(t.question)
	t.lang = languageOf(t.question)
	return t
}

// findQuestion sets the newest user message that is a person's and returns its index, or -1. A
// message that only orders a control block is the flow's, unless there is no other.
func (t *turn) findQuestion() int {
	spare := -1
	for i, m := range slices.Backward(t.Messages) {
		if m.Role != rein.User {
			continue
		}
		if len(examples(m.Text)) == 0 {
			t.question = ownWords(m.Text)
			return i
		}
		if spare < 0 {
			spare = i
		}
	}
	if spare >= 0 {
		t.question = ownWords(withoutExamples(t.Messages[spare].Text))
	}
	return spare
}

// readUses pairs calls with results. Results of calls that are not in the transcript (their call
// was compacted away) are left out, as nobody knows what they answer.
func (t *turn) readUses(start int) {
	results := map[string]rein.Message{}
	for _, m := range t.Messages {
		if m.Role == rein.ToolRole {
			results[m.CallID] = m
		}
	}
	for i, m := range t.Messages {
		if m.Role != rein.Assistant {
			continue
		}
		t.acted = t.acted || i > start
		for _, c := range m.Calls {
			t.addUse(c, results, i > start)
		}
	}
}

func (t *turn) addUse(c rein.ToolCall, results map[string]rein.Message, now bool) {
	m, ok := results[c.ID]
	if !ok {
		return
	}
	if m.Status == "" {
		m.Status = rein.ToolOK
	}
	made := c
	if !m.FromPerson || m.Status.Failed() {
		text, note := unwrap(m.Text, m.Status)
		m.Text, made = text, became(c, note)
	} else if now {
		t.answers = append(t.answers, m.Text)
	}
	u := use{call: made, asked: c, role: t.roleOf(c.Name), status: m.Status, body: m.Text}
	if now {
		t.uses = append(t.uses, u)
	} else {
		t.earlier = append(t.earlier, u)
	}
}

// findOrigins tells those who read the rest of a clipped result what it is the rest of.
func findOrigins(all ...[]use) {
	origins := map[string]string{}
	for _, uses := range all {
		for i, u := range uses {
			if u.role == rereads {
				uses[i].origin = origins[mainArg(u)]
			} else if handle := handleIn(u.body); handle != "" {
				_, origins[handle] = textOf(u)
			}
		}
	}
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
	var all []use
	for _, u := range t.uses {
		if u.status.Failed() {
			all = append(all, u)
		}
	}
	return all
}

// worked returns the uses that gave something to quote, recalled ones included.
func (t *turn) worked() []use {
	var all []use
	for _, u := range slices.Concat(t.recalled, t.uses) {
		if !u.status.Failed() && u.role != asks {
			all = append(all, u)
		}
	}
	return all
}

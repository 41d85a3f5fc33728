package explore

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
)

// A part is a sub-question and the child that explores it.
type part struct {
	child    rein.RunID
	question string
	whole    string // what it is a part of, if people changed that while it worked
	ended    bool
	outcome  rein.Outcome
}

// split gives independent parts of the work to children. None is fine: the model may see none, the
// settings may allow none, and a child that the limits refuse is done without.
func (x *exploration) split() (*rein.Outcome, error) {
	if x.set.Depth == 0 || x.set.Width == 0 {
		return nil, nil
	}
	reply, err := x.decide("split", 1, map[string]string{"most": strconv.Itoa(x.set.Width)}, splitSchema)
	if err != nil {
		return nil, err
	}
	if err := x.spawn(subQuestions(reply, x.set.Width)); err != nil {
		return nil, err
	}
	if len(x.parts) > 0 {
		x.talk = append(x.talk, rein.Message{Role: rein.Developer, Text: text(x.task, "explore_act", map[string]string{"parts": x.questions()})})
	}
	return nil, nil
}

// spawn starts a child for each question. The first that is refused is the last that is tried, and
// so is one that a change of the task cuts off: those that run are enough.
func (x *exploration) spawn(questions []string) error {
	for _, question := range questions {
		child, err := x.child(question)
		if err != nil {
			return err
		}
		id, err := x.run.Spawn(child)
		if kit.Ends(err) || errors.Is(err, rein.ErrBudget) {
			return err
		}
		if err != nil {
			return nil
		}
		x.parts = append(x.parts, part{child: id, question: question})
	}
	return nil
}

// child is the task of the one that explores a question. It knows what was said so far.
func (x *exploration) child(question string) (rein.Task, error) {
	if x.first() {
		return x.set.firstChild(x.task, text(x.task, "explore_part", map[string]string{"question": question, "whole": strings.Join(x.said, "\n")}))
	}
	return x.set.child(x.task, append(inherited(x.talk), // the question is last: it is what a long run never forgets
		rein.Message{Role: rein.Developer, Text: text(x.task, "explore_child", nil)}, rein.Message{Role: rein.User, Text: question}))
}

// maxInherited is how many bytes of what was said a child begins with, the newest.
const maxInherited = 64 << 10

// inherited is what people and the model said, without calls and what came of them.
func inherited(talk []rein.Message) []rein.Message {
	var all []rein.Message
	left := maxInherited
	for _, m := range slices.Backward(talk) {
		if m.Role != rein.User && m.Role != rein.Assistant || strings.TrimSpace(m.Text) == "" {
			continue
		}
		all = append(all, rein.Message{Role: m.Role, Text: kit.Clip(m.Text, left)})
		if left -= len(m.Text); left <= 0 {
			break
		}
	}
	slices.Reverse(all)
	return all
}

func (x *exploration) questions() string {
	var lines []string
	for _, p := range x.parts {
		lines = append(lines, "- "+p.question)
	}
	return strings.Join(lines, "\n")
}

// marker is what numbers or bullets a line.
var marker = regexp.MustCompile(`^(?:[-*•–—]\s+|\(?(?:[Qq]\s?)?\d{1,2}\s?[.):]\s*|\(?[a-hA-H][.)]\s+)`)

// subQuestions reads the parts out of a reply: the questions of a JSON object, a JSON array, or lines
// that are numbered, bulleted or end in a question mark. Blanks, numbers and repetitions are left
// out, and what is beyond the most; NONE is none.
func subQuestions(reply string, most int) []string {
	var clean []string
	seen := map[string]bool{"": true}
	for _, q := range candidates(reply) {
		q = unmarked(q)
		if key := sameWords(q); !seen[key] && key != "none" {
			seen[key] = true
			clean = append(clean, q)
		}
	}
	return clean[:min(len(clean), max(most, 0), maxParts)]
}

func candidates(reply string) []string {
	if found, err := lenient.First(reply, "questions"); err == nil {
		var object struct {
			Questions any `json:"questions"`
		}
		if json.Unmarshal(found.JSON, &object) == nil {
			return texts(object.Questions)
		}
	}
	if strings.HasPrefix(strings.TrimSpace(reply), "[") {
		var list any
		if found, err := lenient.Value(reply); err == nil && json.Unmarshal(found.JSON, &list) == nil {
			return texts(list)
		}
	}
	return questionLines(reply)
}

// texts returns the strings of a JSON array, or the lines of a string.
func texts(value any) []string {
	var out []string
	switch value := value.(type) {
	case string:
		return questionLines(value)
	case []any:
		for _, v := range value {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// questionLines tells the lines that are questions from those that talk about them.
func questionLines(reply string) []string {
	var marked, asking []string
	for line := range strings.Lines(reply) {
		line = strings.TrimSpace(line)
		switch {
		case len(marked)+len(asking) == 0 && sameWords(unmarked(line)) == "none":
			return nil
		case marker.MatchString(line):
			marked = append(marked, line)
		case strings.HasSuffix(line, "?"):
			asking = append(asking, line)
		}
	}
	if len(marked) > 0 {
		return marked
	}
	return asking
}

// maxQuestion is how long a sub-question may be; what is longer is no question any more.
const maxQuestion = 2000

// unmarked is a line without its number or bullet, quotes and superfluous blanks. A few markers may
// stand one after another, as in "- 1. **What?**".
func unmarked(line string) string {
	line = strings.ToValidUTF8(line[:min(len(line), maxQuestion)], "")
	line = strings.Join(strings.Fields(line), " ")
	for range 4 {
		line = strings.TrimSpace(strings.Trim(marker.ReplaceAllString(line, ""), "\"'“”*_"))
	}
	return line
}

// sameWords is a text reduced to what makes it the same question: its words, whatever stands between.
func sameWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M) && r != '+' && r != '#'
	}), " ")
}

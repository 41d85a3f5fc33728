package explore

import (
	"encoding/json"
	"time"

	"rein"
	"rein/flow/kit"
)

// Settings are what a caller may choose about explore.
type Settings struct {
	Depth        int  `json:"depth"`         // how deep the tree may grow below this run; 0: no children
	Width        int  `json:"width"`         // how many children it may have
	Rounds       int  `json:"rounds"`        // turns of the main agent's loop
	Clarify      bool `json:"clarify"`       // ask what is meant, if that is not clear
	Questions    int  `json:"questions"`     // how many times to ask for what is missing
	LastQuestion bool `json:"last_question"` // ask once more at the end, if the result is uncertain

	// ChildQuestions is how many times each run below this one may ask for what is missing.
	ChildQuestions int `json:"child_questions"`
	AnswerTimeout  int `json:"answer_timeout,omitempty"` // seconds after which the work goes on without an answer
}

// Default is what holds where a caller chooses nothing.
func Default() Settings {
	return Settings{Depth: 2, Width: maxParts, Rounds: 10, Clarify: true, Questions: 3, LastQuestion: true, ChildQuestions: 1, AnswerTimeout: 3600}
}

// maxParts is the most that one task is split into.
const maxParts = 4

var settings = kit.SettingsOf[Settings]{Flow: "explore", Default: Default(), Fields: (*Settings).fields}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("depth", &s.Depth, 0, 5, "how deep the tree of sub-agents may grow, 0 to 5").Under(kit.Depth),
		kit.Int("width", &s.Width, 0, maxParts, "sub-agents side by side, 0 to 4").Under(kit.Children),
		kit.Int("rounds", &s.Rounds, 1, 100, "rounds of the main agent, 1 to 100").Under(kit.Rounds),
		kit.Bool("clarify", &s.Clarify, "ask what you mean if the question is not clear"),
		kit.Int("questions", &s.Questions, 0, 3, "how many times to ask for missing information, 0 to 3"),
		kit.Bool("last_question", &s.LastQuestion, "ask once more at the end if the result is uncertain"),
		kit.Int("child_questions", &s.ChildQuestions, 0, 3, "how many times each sub-agent may ask for missing information, 0 to 3"),
		kit.AnswerTimeout(&s.AnswerTimeout, "seconds that a question waits before the run continues without an answer, 60 to 604800"),
	}
}

func (s Settings) timeout() time.Duration { return kit.Seconds(s.AnswerTimeout) }

// child is the task of a run that explores one part: an agent like its parent, with its tools and texts.
// It may ask a few times, and splits its part further only above the last level.
func (s Settings) child(task rein.Task, messages []rein.Message) (rein.Task, error) {
	c := rein.Task{Flow: "explore", Model: task.Model, Tools: task.Tools, Texts: task.Texts, Messages: messages}
	var err error
	c.Settings, err = json.Marshal(Settings{
		Depth: s.Depth - 1, Width: s.Width, Rounds: s.Rounds,
		Questions: s.ChildQuestions, ChildQuestions: s.ChildQuestions, AnswerTimeout: s.AnswerTimeout,
	})
	return c, err
}

// firstChild is what child was before revision 1: it asked nothing, and at the last level it did not explore.
func (s Settings) firstChild(task rein.Task, message string) (rein.Task, error) {
	c := rein.Task{
		Flow: "operate", Model: task.Model, Tools: task.Tools, Texts: task.Texts,
		Messages: []rein.Message{{Role: rein.User, Text: message}},
	}
	chosen := any(map[string]int{"rounds": s.Rounds})
	if s.Depth > 1 {
		c.Flow, chosen = "explore", struct {
			Depth        int  `json:"depth"`
			Width        int  `json:"width"`
			Rounds       int  `json:"rounds"`
			Clarify      bool `json:"clarify"`
			Questions    int  `json:"questions"`
			LastQuestion bool `json:"last_question"`
		}{Depth: s.Depth - 1, Width: s.Width, Rounds: s.Rounds}
	}
	var err error
	c.Settings, err = json.Marshal(chosen)
	return c, err
}

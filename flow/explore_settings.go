package flow

import (
	"encoding/json"
	"time"

	"rein"
)

// ExploreSettings are what a caller may choose about explore.
type ExploreSettings struct {
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

// DefaultExplore is what holds where a caller chooses nothing.
func DefaultExplore() ExploreSettings {
	return ExploreSettings{Depth: 2, Width: maxParts, Rounds: 10, Clarify: true, Questions: 3, LastQuestion: true, ChildQuestions: 1, AnswerTimeout: 3600}
}

// maxParts is the most that one task is split into.
const maxParts = 4

func (s *ExploreSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clamp(notices, "depth", &s.Depth, 0, 5, c.Depth)
	notices = clamp(notices, "width", &s.Width, 0, maxParts, c.Children)
	notices = clamp(notices, "rounds", &s.Rounds, 1, 100, c.Rounds)
	notices = clampAnswer(notices, &s.AnswerTimeout)
	notices = clamp(notices, "child_questions", &s.ChildQuestions, 0, 3, 0)
	return clamp(notices, "questions", &s.Questions, 0, 3, 0), nil
}

func (s ExploreSettings) timeout() time.Duration { return seconds(s.AnswerTimeout) }

// child is the task of a run that explores one part: an agent like its parent, with its tools and texts.
// It may ask a few times, and splits its part further only above the last level.
func (s ExploreSettings) child(task rein.Task, messages []rein.Message) (rein.Task, error) {
	c := rein.Task{Flow: "explore", Model: task.Model, Tools: task.Tools, Texts: task.Texts, Messages: messages}
	var err error
	c.Settings, err = json.Marshal(ExploreSettings{
		Depth: s.Depth - 1, Width: s.Width, Rounds: s.Rounds,
		Questions: s.ChildQuestions, ChildQuestions: s.ChildQuestions, AnswerTimeout: s.AnswerTimeout,
	})
	return c, err
}

// firstChild is what child was before revision 1: it asked nothing, and at the last level it did not explore.
func (s ExploreSettings) firstChild(task rein.Task, message string) (rein.Task, error) {
	c := rein.Task{
		Flow: "operate", Model: task.Model, Tools: task.Tools, Texts: task.Texts,
		Messages: []rein.Message{{Role: rein.User, Text: message}},
	}
	settings := any(map[string]int{"rounds": s.Rounds})
	if s.Depth > 1 {
		c.Flow, settings = "explore", struct {
			Depth        int  `json:"depth"`
			Width        int  `json:"width"`
			Rounds       int  `json:"rounds"`
			Clarify      bool `json:"clarify"`
			Questions    int  `json:"questions"`
			LastQuestion bool `json:"last_question"`
		}{Depth: s.Depth - 1, Width: s.Width, Rounds: s.Rounds}
	}
	var err error
	c.Settings, err = json.Marshal(settings)
	return c, err
}

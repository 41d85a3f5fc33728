package flow

import "time"

// AssistSettings are what a caller may choose about assist.
type AssistSettings struct {
	TaskMode     bool `json:"task_mode"`     // the task path, without a chat call before it
	Reflections  int  `json:"reflections"`   // of research and code
	ContextBytes int  `json:"context_bytes"` // of each of the four things that are known beforehand

	AnswerTimeout int `json:"answer_timeout"` // seconds after which a question counts as not answered
}

// DefaultAssist is what holds where a caller chooses nothing.
func DefaultAssist() AssistSettings {
	return AssistSettings{Reflections: DefaultResearch().Reflections, ContextBytes: 4000, AnswerTimeout: aDay}
}

func (s *AssistSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clamp(notices, "reflections", &s.Reflections, 1, 20, c.Rounds)
	notices = clampAnswer(notices, &s.AnswerTimeout)
	return clamp(notices, "context_bytes", &s.ContextBytes, 0, 50_000, 0), nil
}

// ResearchSettings are what a caller may choose about research and code.
type ResearchSettings struct {
	Reflections   int `json:"reflections"`    // at most so many, then the answer is written
	AnswerTimeout int `json:"answer_timeout"` // seconds after which the work goes on without an answer
}

// DefaultResearch is what holds where a caller chooses nothing.
func DefaultResearch() ResearchSettings { return ResearchSettings{Reflections: 8, AnswerTimeout: aDay} }

func (s *ResearchSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clampAnswer(notices, &s.AnswerTimeout)
	return clamp(notices, "reflections", &s.Reflections, 1, 20, c.Rounds), nil
}

// TaskSettings are what a caller may choose about task.
type TaskSettings struct {
	Turns         int `json:"turns"`          // of the model, those of sub-goals included
	Attempts      int `json:"attempts"`       // tool calls that may fail, before the task does
	AnswerTimeout int `json:"answer_timeout"` // seconds after which the task ends without an answer
}

// DefaultTask is what holds where a caller chooses nothing.
func DefaultTask() TaskSettings { return TaskSettings{Turns: 4, Attempts: 2, AnswerTimeout: aDay} }

func (s *TaskSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clampAnswer(notices, &s.AnswerTimeout)
	notices = clamp(notices, "turns", &s.Turns, 1, 10, c.Rounds)
	return clamp(notices, "attempts", &s.Attempts, 1, 10, 0), nil
}

// aDay is how long the flows of a household wait for an answer, in seconds: someone who is at work
// answers in the evening.
const aDay = 24 * 3600

// clampAnswer keeps the time that a question waits between a minute and a week.
func clampAnswer(notices []string, seconds *int) []string {
	return clamp(notices, "answer_timeout", seconds, 60, 7*24*3600, 0)
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

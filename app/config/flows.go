package config

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"rein/flow"
)

// Flows holds the settings of the flows, in the shapes of their own.
type Flows struct {
	Answer   flow.AnswerSettings
	Operate  flow.OperateSettings
	Strict   flow.StrictSettings
	Explore  flow.ExploreSettings
	Assist   flow.AssistSettings
	Research flow.ResearchSettings // of research and code
	Task     flow.TaskSettings
}

func defaultFlows() Flows {
	return Flows{
		flow.DefaultAnswer(), flow.DefaultOperate(), flow.DefaultStrict(), flow.DefaultExplore(),
		flow.DefaultAssist(), flow.DefaultResearch(), flow.DefaultTask(),
	}
}

// all returns the settings by the name of their flow.
func (f *Flows) all() map[string]any {
	return map[string]any{
		"answer": f.Answer, "operate": f.Operate, "strict": f.Strict, "explore": f.Explore,
		"assist": f.Assist, "research": f.Research, "code": f.Research, "task": f.Task,
	}
}

// Settings returns what is set for a flow, nil if it has nothing to set.
func (c *Config) Settings(name string) (json.RawMessage, error) {
	s, ok := c.Flows.all()[name]
	if !ok {
		return nil, nil
	}
	return json.Marshal(s)
}

// flowSections are the sections of the flows. What a value may be is for the flow to say.
func flowSections() []Key {
	return []Key{
		{"answer.max_tool_calls", "REIN_ANSWER_MAX_TOOL_CALLS", "", "how many times the flow answer may look something up, 1 to 8", integer(func(c *Config) *int { return &c.Flows.Answer.MaxToolCalls })},
		{"answer.generated_queries", "REIN_ANSWER_GENERATED_QUERIES", "", "let the model choose the words to search for; false: search for your own words", boolean(func(c *Config) *bool { return &c.Flows.Answer.GeneratedQueries })},
		{"answer.max_queries", "REIN_ANSWER_MAX_QUERIES", "", "queries in one search, 1 to 3", integer(func(c *Config) *int { return &c.Flows.Answer.MaxQueries })},
		{"answer.k", "REIN_ANSWER_K", "", "hits of one search, 1 to 100", integer(func(c *Config) *int { return &c.Flows.Answer.K })},
		{"answer.mmr_lambda", "REIN_ANSWER_MMR_LAMBDA", "", "how repetitions are ranked: 1 keeps the order of scores, 0 moves passages that repeat others to the end; between them only close repetitions move", fraction(func(c *Config) *float64 { return &c.Flows.Answer.MMRLambda })},
		{"answer.min_chunk", "REIN_ANSWER_MIN_CHUNK", "", "passages shorter than this, in characters, rank lower; 0 to 2800", integer(func(c *Config) *int { return &c.Flows.Answer.MinChunk })},
		{"answer.read_max_chars", "REIN_ANSWER_READ_MAX_CHARS", "", "characters of a note that are read at a time, 100 to 20000", integer(func(c *Config) *int { return &c.Flows.Answer.ReadMaxChars })},
		{"answer.min_score", "REIN_ANSWER_MIN_SCORE", "", "a best hit with a lower score is not trusted, 0 to 1", fraction(func(c *Config) *float64 { return &c.Flows.Answer.MinScore })},

		{"operate.rounds", "REIN_OPERATE_ROUNDS", "", "rounds of the flow operate before it has to answer, 1 to 100", integer(func(c *Config) *int { return &c.Flows.Operate.Rounds })},
		{"operate.compact_messages", "REIN_OPERATE_COMPACT_MESSAGES", "", "summarise older messages when there are more than this", integer(func(c *Config) *int { return &c.Flows.Operate.CompactMessages })},
		{"operate.compact_keep", "REIN_OPERATE_COMPACT_KEEP", "", "how many of the newest messages stay as they are", integer(func(c *Config) *int { return &c.Flows.Operate.CompactKeep })},
		{"operate.rendering", "REIN_OPERATE_RENDERING", "", "how tool calls are written for the model: auto, native, text, json or log", choice(func(c *Config) *string { return (*string)(&c.Flows.Operate.Rendering) }, renderings)},

		{"strict.max_steps", "REIN_STRICT_MAX_STEPS", "", "steps of reason, act and observe, 1 to 100", integer(func(c *Config) *int { return &c.Flows.Strict.MaxSteps })},
		{"strict.request_input_timeout", "REIN_STRICT_REQUEST_INPUT_TIMEOUT", "", "seconds that a question waits before the run stops, 60 to 600", integer(func(c *Config) *int { return &c.Flows.Strict.RequestInputTimeout })},
		{"strict.collapse", "REIN_STRICT_COLLAPSE", "", "shorten old observations to one line", boolean(func(c *Config) *bool { return &c.Flows.Strict.Collapse })},
		{"strict.retrieval", "REIN_STRICT_RETRIEVAL", "", "search your notes for the question before the first step, and again when the question changes", boolean(func(c *Config) *bool { return &c.Flows.Strict.Retrieval })},

		{"explore.depth", "REIN_EXPLORE_DEPTH", "", "how deep the tree of sub-agents may grow, 0 to 5", integer(func(c *Config) *int { return &c.Flows.Explore.Depth })},
		{"explore.width", "REIN_EXPLORE_WIDTH", "", "sub-agents side by side, 0 to 4", integer(func(c *Config) *int { return &c.Flows.Explore.Width })},
		{"explore.rounds", "REIN_EXPLORE_ROUNDS", "", "rounds of the main agent, 1 to 100", integer(func(c *Config) *int { return &c.Flows.Explore.Rounds })},
		{"explore.clarify", "REIN_EXPLORE_CLARIFY", "", "ask what you mean if the question is not clear", boolean(func(c *Config) *bool { return &c.Flows.Explore.Clarify })},
		{"explore.questions", "REIN_EXPLORE_QUESTIONS", "", "how many times to ask for missing information, 0 to 3", integer(func(c *Config) *int { return &c.Flows.Explore.Questions })},
		{"explore.last_question", "REIN_EXPLORE_LAST_QUESTION", "", "ask once more at the end if the result is uncertain", boolean(func(c *Config) *bool { return &c.Flows.Explore.LastQuestion })},
		{"explore.child_questions", "REIN_EXPLORE_CHILD_QUESTIONS", "", "how many times each sub-agent may ask for missing information, 0 to 3", integer(func(c *Config) *int { return &c.Flows.Explore.ChildQuestions })},
		{"explore.answer_timeout", "REIN_EXPLORE_ANSWER_TIMEOUT", "", "seconds that a question waits before the run continues without an answer, 60 to 604800", integer(func(c *Config) *int { return &c.Flows.Explore.AnswerTimeout })},

		{"assist.reflections", "REIN_ASSIST_REFLECTIONS", "", "reflections of research and code when assist hands over to them", integer(func(c *Config) *int { return &c.Flows.Assist.Reflections })},
		{"assist.context_bytes", "REIN_ASSIST_CONTEXT_BYTES", "", "bytes of context from each source: preferences, memories, summaries, snapshots", integer(func(c *Config) *int { return &c.Flows.Assist.ContextBytes })},
		{"assist.answer_timeout", "REIN_ASSIST_ANSWER_TIMEOUT", "", "seconds that a question waits for an answer, 60 to 604800", integer(func(c *Config) *int { return &c.Flows.Assist.AnswerTimeout })},
		{"research.reflections", "REIN_RESEARCH_REFLECTIONS", "", "reflections of research and code when you run them by name", integer(func(c *Config) *int { return &c.Flows.Research.Reflections })},
		{"research.answer_timeout", "REIN_RESEARCH_ANSWER_TIMEOUT", "", "seconds that a question of research or code waits before the run continues without an answer, 60 to 604800", integer(func(c *Config) *int { return &c.Flows.Research.AnswerTimeout })},
		{"task.turns", "REIN_TASK_TURNS", "", "turns of the model in the flow task", integer(func(c *Config) *int { return &c.Flows.Task.Turns })},
		{"task.attempts", "REIN_TASK_ATTEMPTS", "", "tool calls that may fail before the task gives up", integer(func(c *Config) *int { return &c.Flows.Task.Attempts })},
		{"task.answer_timeout", "REIN_TASK_ANSWER_TIMEOUT", "", "seconds that a question waits before the task ends without an answer, 60 to 604800", integer(func(c *Config) *int { return &c.Flows.Task.AnswerTimeout })},

		{"ceiling.rounds", "REIN_CEILING_ROUNDS", "", "the most rounds that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Rounds })},
		{"ceiling.children", "REIN_CEILING_CHILDREN", "", "the most sub-agents side by side that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Children })},
		{"ceiling.depth", "REIN_CEILING_DEPTH", "", "the deepest tree that a caller may ask for; 0: the flow's own limit", integer(func(c *Config) *int { return &c.Ceiling.Depth })},
	}
}

func integer(field func(*Config) *int) setting {
	return scalar{
		kinds: []kind{isInteger}, wants: "a whole number",
		set: func(l *loading, v string) error {
			n, err := strconv.ParseInt(strings.ReplaceAll(v, "_", ""), 0, 32)
			if err != nil {
				return fmt.Errorf("it is %s and must be a whole number", v)
			}
			*field(l.config) = int(n)
			return nil
		},
		get: func(c *Config) string { return strconv.Itoa(*field(c)) },
	}
}

func fraction(field func(*Config) *float64) setting {
	return scalar{
		kinds: []kind{isInteger, isFloat}, wants: "a number from 0 to 1",
		set: func(l *loading, v string) error {
			n, err := strconv.ParseFloat(strings.ReplaceAll(v, "_", ""), 64)
			if err != nil || !(n >= 0 && n <= 1) {
				return fmt.Errorf("it is %s and must be a number from 0 to 1", v)
			}
			*field(l.config) = n
			return nil
		},
		get: func(c *Config) string { return strconv.FormatFloat(*field(c), 'f', -1, 64) },
	}
}

func boolean(field func(*Config) *bool) setting {
	return scalar{
		kinds: []kind{isBool}, wants: "true or false",
		set: func(l *loading, v string) error {
			b, err := strconv.ParseBool(v)
			if err != nil {
				return fmt.Errorf("it is %q and must be true or false", v)
			}
			*field(l.config) = b
			return nil
		},
		get: func(c *Config) string { return strconv.FormatBool(*field(c)) },
	}
}

// flowsFit has the flows look at their settings. What they would clamp for a caller is a mistake in
// a file.
func (l *loading) flowsFit() {
	kinds := flow.Kinds()
	for _, k := range flowSections() {
		name, field, _ := strings.Cut(k.Name, ".")
		kind, ok := kinds[name]
		if !ok {
			continue
		}
		raw, err := l.config.Settings(name)
		if err != nil {
			l.problems.add(l.config.sources[k.Name], "%s: %v", k.Name, err)
			continue
		}
		_, notices, err := kind.Settings(raw, flow.Ceiling{})
		if err != nil {
			l.problems.add(l.config.sources[k.Name], "%v", err)
		}
		for _, notice := range notices {
			if _, rest, ok := strings.Cut(notice, ": "+field+" is "); ok {
				_, allowed, _ := strings.Cut(rest, ": ")
				l.problems.add(l.blame(k.Name), "%s is %s and %s", k.Name, k.setting.show(l.config), strings.TrimPrefix(allowed, "it "))
			}
		}
	}
	for _, c := range []struct {
		name  string
		value int
	}{{"ceiling.rounds", l.config.Ceiling.Rounds}, {"ceiling.children", l.config.Ceiling.Children}, {"ceiling.depth", l.config.Ceiling.Depth}} {
		if c.value < 0 {
			l.problems.add(l.config.sources[c.name], "%s is %d and must not be negative", c.name, c.value)
		}
	}
}

// blame is where a wrong value of a flow comes from: where it is set or, for a default that does not
// go with what is set, where another of the flow's is.
func (l *loading) blame(key string) Source {
	section, _, _ := strings.Cut(key, ".")
	if source := l.config.sources[key]; source != (Source{}) {
		return source
	}
	for _, k := range flowSections() {
		if source := l.config.sources[k.Name]; strings.HasPrefix(k.Name, section+".") && source != (Source{}) {
			return source
		}
	}
	return Source{}
}

package flow_test

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"rein"
	"rein/flow"
	"rein/tool/basics"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// covers reports whether an ask is one of those that were told beforehand. An ask of a flow does not
// say what it came of; an ask about a call names the tool.
func covers(list []rein.Blocker, kind rein.AskKind, tool string) bool {
	return slices.ContainsFunc(list, func(b rein.Blocker) bool {
		return b.Kind == kind && (kind == rein.AskQuestion || b.What == tool)
	})
}

// scenes lists the files that play the flows: each is in the room of its flow, or here.
func scenes() ([]string, error) {
	return globs("*/testdata/*.txtar", "*/testdata/*/*.txtar", "testdata/scenes/*.txtar")
}

// sources lists the files of all flows.
func sources() ([]string, error) { return globs("*.go", "*/*.go", "internal/*/*.go") }

func globs(patterns ...string) (files []string, err error) {
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

var (
	askLine   = regexp.MustCompile(`^\s*(\S+\.(?:ask|unknown)\d*) asks(?: \((\w+)\))?: (.*)`)
	toolNamed = regexp.MustCompile(`^Allow (\S+?)[ ?]`)
)

// Every ask of every recorded scene of every flow is one that its task foretells. The flows' own tests
// hold the scenes to what really happens.
func TestScenes(t *testing.T) {
	files, err := scenes()
	check(t, err)
	asks := map[rein.AskKind]int{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		check(t, err)
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
		}
		if parts["task"] == "" {
			continue
		}
		list := foretold(t, parts)
		lines := bufio.NewScanner(strings.NewReader(parts["want"]))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			found := askLine.FindStringSubmatch(lines.Text())
			if found == nil {
				continue
			}
			kind, tool := rein.AskKind(found[2]), ""
			if kind == "" {
				kind = rein.AskQuestion
			}
			if named := toolNamed.FindStringSubmatch(found[3]); kind == rein.AskApproval && named != nil {
				tool = named[1]
			}
			if asks[kind]++; !covers(list, kind, tool) {
				t.Errorf("%s: %s is not in %+v", file, lines.Text(), list)
			}
		}
		check(t, lines.Err())
	}
	if asks[rein.AskQuestion] < 20 || asks[rein.AskApproval] < 10 {
		t.Errorf("the scenes had only %v", asks)
	}
}

// foretold returns what the tasks of a scene could wait for.
func foretold(t *testing.T, parts map[string]string) (list []rein.Blocker) {
	t.Helper()
	tools := map[string]rein.Tool{}
	for line := range strings.Lines(parts["tools"]) {
		head, _, _ := strings.Cut(line, "=>")
		words := strings.Fields(head)
		if len(words) < 2 {
			continue
		}
		tool := rein.Tool{Name: words[0], Effect: rein.Effect(words[1]), Approval: slices.Contains(words, "approval"), Internal: slices.Contains(words, "internal")}
		if slices.Contains(words, "ask") {
			tool.Ask = func(json.RawMessage) (rein.Question, error) { return rein.Question{}, nil }
		}
		tools[tool.Name] = tool
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if !regexp.MustCompile(`^task\d*$`).MatchString(name) {
			continue
		}
		var task rein.Task
		check(t, json.Unmarshal([]byte(parts[name]), &task))
		list = append(list, flow.Kinds().Blockers(task, tools, rein.Policy{})...)
	}
	return list
}

// Every flow there is is known here; one that is not may ask anything.
func TestFlows(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(flow.All())) {
		for _, b := range flow.Kinds().Blockers(rein.Task{Flow: name, Tools: []string{"request_input"}}, nil, rein.Policy{}) {
			if strings.Contains(b.Why, "may ask anything") {
				t.Errorf("%s: %+v", name, b)
			}
		}
	}
	if list := flow.Kinds().Blockers(rein.Task{Flow: "new"}, nil, rein.Policy{}); len(list) != 1 || list[0].Kind != rein.AskQuestion {
		t.Errorf("%+v", list)
	}
	silent := flow.Table{{Name: "mine"}} // it declares nothing, which is no promise
	if list := silent.Blockers(rein.Task{Flow: "mine"}, nil, rein.Policy{}); len(list) != 1 || list[0].Kind != rein.AskQuestion {
		t.Errorf("%+v", list)
	}
	sources, err := sources()
	check(t, err)
	var asking []string
	for _, file := range sources {
		source, err := os.ReadFile(file)
		check(t, err)
		if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(source), ".AskUser(") {
			asking = append(asking, file)
		}
	}
	if diff := cmp.Diff([]string{"explore/ask.go", "strict/act.go", "internal/turn/turn.go"}, asking); diff != "" {
		t.Errorf("flows ask in other places than their kinds declare: %s", diff)
	}
}

// What is said of each tool follows from its flags, its effect and the policies; what is denied is not
// called, and a run that has nothing to ask says so.
func TestBlockers(t *testing.T) {
	ask, err := basics.AskUser()
	check(t, err)
	input, err := basics.RequestInput()
	check(t, err)
	do := func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{}, nil }
	tools := map[string]rein.Tool{"ask_user": ask, "request_input": input}
	for _, tool := range []rein.Tool{
		{Name: "look", Effect: rein.Pure, Do: do},
		{Name: "put", Effect: rein.Idempotent, Do: do},
		{Name: "rm", Effect: rein.Unsafe, Do: do},
		{Name: "pay", Effect: rein.Checkable, Approval: true, Do: do},
		{Name: "inner", Effect: rein.Pure, Internal: true, Do: do},
	} {
		tools[tool.Name] = tool
	}
	for _, c := range []struct {
		what string
		task rein.Task
		live rein.Policy
		want string
	}{
		{"nothing", rein.Task{Flow: "operate", Tools: []string{"look", "inner", "unheard"}}, rein.Policy{}, ""},
		{"a question", rein.Task{Flow: "operate", Tools: []string{"ask_user", "ask_user"}}, rein.Policy{}, "question ask_user 0s park"},
		{"effects", rein.Task{Flow: "chat", Tools: []string{"put", "rm", "pay"}}, rein.Policy{}, "unknown put 0s park; approval rm 0s park; unknown rm 0s park; approval pay 0s park; unknown pay 0s park"},
		{"allowed", rein.Task{Flow: "chat", Tools: []string{"pay"}, Policy: rein.Policy{Allow: []string{"pay"}}}, rein.Policy{}, "unknown pay 0s park"},
		{"allowed, and asked for by the process", rein.Task{Flow: "chat", Tools: []string{"pay"}, Policy: rein.Policy{Allow: []string{"pay"}, Timeout: time.Minute}}, rein.Policy{Ask: []string{"pay"}}, "approval pay 1m0s deny; unknown pay 0s park"},
		{"asked for", rein.Task{Flow: "chat", Tools: []string{"look"}, Policy: rein.Policy{Ask: []string{"look"}, Timeout: time.Hour, OnExpiry: rein.ExpiryStop}}, rein.Policy{}, "approval look 1h0m0s stop"},
		{"a deadline that is a wish", rein.Task{Flow: "chat", Tools: []string{"look"}, Policy: rein.Policy{Ask: []string{"look"}, Timeout: time.Hour, OnExpiry: rein.ExpiryPark}}, rein.Policy{}, "approval look 0s park"},
		{"denied", rein.Task{Flow: "chat", Tools: []string{"pay", "rm", "ask_user"}, Policy: rein.Policy{Deny: []string{"pay"}}}, rein.Policy{Deny: []string{"rm", "ask_user"}}, ""},
		{"strict", rein.Task{Flow: "strict", Tools: []string{"request_input", "look"}}, rein.Policy{}, "question request_input 5m0s stop"},
		{"strict, denied: the flow asks all the same", rein.Task{Flow: "strict", Settings: json.RawMessage(`{"request_input_timeout": 5}`), Tools: []string{"request_input"}, Policy: rein.Policy{Deny: []string{"request_input"}}}, rein.Policy{}, "question request_input 1m0s stop"},
		{"strict without the tool", rein.Task{Flow: "strict", Tools: []string{"look"}}, rein.Policy{}, ""},
		{"request_input elsewhere", rein.Task{Flow: "operate", Tools: []string{"request_input"}}, rein.Policy{}, "question request_input 0s park"},
		{"explore", rein.Task{Flow: "explore"}, rein.Policy{}, "question clarify 1h0m0s continue; question question 1h0m0s continue; question question 1h0m0s continue; question summary 1h0m0s continue"},
		{"explore, quiet", rein.Task{Flow: "explore", Settings: json.RawMessage(`{"clarify":false,"questions":0,"last_question":false,"child_questions":0}`)}, rein.Policy{}, ""},
		{"explore, half", rein.Task{Flow: "explore", Settings: json.RawMessage(`{"clarify":false,"depth":0,"answer_timeout":90}`)}, rein.Policy{}, "question question 1m30s continue; question summary 1m30s continue"},
		{"assist", rein.Task{Flow: "assist"}, rein.Policy{}, "question ask 24h0m0s continue"},
		{"task", rein.Task{Flow: "task", Settings: json.RawMessage(`{"answer_timeout":90}`)}, rein.Policy{}, "question ask 1m30s continue"},
		{"research", rein.Task{Flow: "research", Settings: json.RawMessage(`{"answer_timeout":1}`)}, rein.Policy{}, "question ask 1m0s continue"},
		{"code", rein.Task{Flow: "code"}, rein.Policy{}, "question ask 24h0m0s continue"},
	} {
		var got []string
		for _, b := range flow.Kinds().Blockers(c.task, tools, c.live) {
			if got = append(got, strings.Join([]string{string(b.Kind), b.What, b.Waits.String(), string(b.OnExpiry)}, " ")); b.Why == "" {
				t.Errorf("%s: %+v has no reason", c.what, b)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
}

// A run in plan mode waits at its end, whatever its flow and its tools ask.
func TestPlanIsAsked(t *testing.T) {
	t.Parallel()
	task := rein.Task{Flow: "chat", Mode: rein.ModePlan, Policy: rein.Policy{Timeout: time.Hour, OnExpiry: rein.ExpiryStop}}
	want := rein.Blocker{Kind: rein.AskConfirmation, What: "plan", Waits: time.Hour, OnExpiry: rein.ExpiryStop}
	list := flow.Kinds().Blockers(task, nil, rein.Policy{})
	if len(list) != 1 || list[0].Kind != want.Kind || list[0].Waits != want.Waits || list[0].OnExpiry != want.OnExpiry {
		t.Errorf("got %+v, want %+v", list, want)
	}
	task.Mode = rein.ModeSandbox
	if list := flow.Kinds().Blockers(task, nil, rein.Policy{}); len(list) > 0 {
		t.Errorf("in another mode: %+v", list)
	}
}

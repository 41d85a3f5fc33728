package export_test

import (
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/store"
)

const flaky = `The timer fires **before** the park is durable. I wait for the commit instead:

` + "```go\nd.afterCommit(func() { timer.Reset(grace) })\n```" + `

| run | before | after |
|-----|-------:|------:|
| 50× | 7 failures | 0 failures |

1. ` + "`engine/park.go`" + ` changed
2. all tests pass, see [the docs](https://example.com/park)

- [x] reproduce
- [ ] run all`

const diff = `--- engine/park.go
+++ engine/park.go
@@ -41,3 +41,3 @@ func (d *drive) park() {
 	d.store.Append(parked)
-	timer.Reset(grace)
+	d.afterCommit(func() { timer.Reset(grace) })
 	return`

// tell writes a session of three runs that has all that a document can show: a run with calls, asks, a child and an image;
// one that answers with citations; and one that has not ended.
func (r *rig) tell() {
	r.fixes()
	r.at = r.at.Add(10 * time.Minute)
	r.cites()
	r.at = r.at.Add(10 * time.Minute)
	r.start("r3", asked("operate", "Now run all tests."))
	r.write("r3", says("1", "I run them.")...)
	r.write("r3", begun("2", "execute_command", `{"command":"go test ./..."}`))
	_, err := r.files.Put(r.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, "report.csv", "text/csv", strings.NewReader("a,b\n1,2\n"))
	check(r, err)
}

func (r *rig) fixes() {
	task := asked("operate", "Why is TestPark flaky? Fix it.\n\nThe picture shows how often it fails.")
	shown, kept := pictured(r, "failures.png")
	task.Messages[0].Images = []rein.Image{shown}
	task.Mode, task.Notices = rein.ModeEdits, []string{"rounds: 90 is more than the limit, so 40"}
	r.start("r1", task, kept)
	r.write("r1", thinks("1", "plan", "Find the test, run it 50 times, then read the code.\nThe timer is the likely cause.")...)
	r.write("r1", begun("2", "grep", `{"pattern":"TestPark"}`), returned("2", rein.ToolResult{Status: rein.ToolOK, Text: "engine/park_test.go:41\nengine/park.go:12\nengine/doc.go:7"}))
	r.write("r1", begun("3", "execute_command", `{"command":"go test -run TestPark -count=50 ./engine"}`),
		store.Draft{Kind: rein.StepIntent, Step: "3", Data: rein.Intent{Effect: rein.Unsafe, Allowed: "rule: go test *"}},
		returned("3", rein.ToolResult{Status: rein.ToolOK, Text: "--- FAIL: TestPark (0.01s)\n    park_test.go:41: woke before commit\nFAIL", Data: json.RawMessage(`{"exit":1}`)}))
	r.command(rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "ann", Text: "Do not touch the grace period.", Key: "k1"})
	info, err := r.store.Run(r.Context(), "r1")
	check(r, err)
	sent := rein.NewCommandID("r1", info.Command)
	r.write("r1", store.Draft{Kind: rein.StepDone, Step: "4", Applied: []rein.CommandID{sent}, Data: rein.StepEnd{
		Verb: rein.VerbInbox, Items: []rein.Item{{Command: sent, Kind: rein.CommandMessage, By: "ann", Text: "Do not touch the grace period."}},
	}})
	r.delegates()
	r.edits()
	r.write("r1", says("7", flaky)...)
	r.write("r1", ends(rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: flaky}}))
}

// delegates has a child look something up.
func (r *rig) delegates() {
	child := asked("chat", "Which functions call park?")
	begin := r.begins("r1.5", child)
	r.write("r1", store.Draft{Kind: rein.StepDone, Step: "5", Starts: &begin, Data: rein.StepEnd{Verb: rein.VerbSpawn, Child: "r1.5"}})
	r.write("r1.5", says("1", "Two: `drive.wait` and `drive.ask`.")...)
	r.write("r1.5", ends(rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Two: `drive.wait` and `drive.ask`."}}))
}

// edits asks before it changes a file.
func (r *rig) edits() {
	call := rein.ToolCall{ID: "c6", Name: "edit_file", Args: json.RawMessage(`{"path":"engine/park.go"}`)}
	r.write("r1", begun("6", "edit_file", `{"path":"engine/park.go"}`))
	at := r.now()
	ask := rein.Ask{
		ID: "r1:6.ask", Run: "r1", Step: "6.ask", Kind: rein.AskApproval, Text: diff, Call: &call, Effect: rein.Checkable,
		Shown: rein.ShownMark + "1", State: rein.AskPending, Opened: at,
	}
	r.write("r1", store.Draft{Kind: rein.AskOpened, Step: "6.ask", At: at, Data: ask, Opens: &ask})
	r.at = r.at.Add(72 * time.Second)
	r.command(ask.Reply(rein.Answer{State: rein.AskApproved, Text: "fine, but run the test again", By: "ann"}))
	r.write("r1", returned("6", rein.ToolResult{Status: rein.ToolOK, Text: diff}))
}

func (r *rig) cites() {
	r.start("r2", asked("answer", "What do my notes say about parking?"))
	text := "A parked run uses no memory [engine.md#Parking]."
	r.write("r2", says("1", text)...)
	data := `{"citations":[{"path":"engine.md","section":"Parking","ok":true,"quote":"a run that waits is parked: it uses no memory"},{"path":"old.md","section":"","ok":false}],
		"doubtful":[{"text":"It wakes at once.","source":"engine.md#Parking","missing":["at once"]}]}`
	r.write("r2", ends(rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: text, Data: json.RawMessage(data)}}))
}

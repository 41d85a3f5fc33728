package card_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)

func call(tool, args string) *rein.ToolCall {
	return &rein.ToolCall{ID: "c", Name: tool, Args: json.RawMessage(args)}
}

func approval(tool, args, shows string) rein.Ask {
	return rein.Ask{Kind: rein.AskApproval, Text: "Allow " + tool + "?\n" + shows, Call: call(tool, args), Effect: rein.Unsafe, Mode: rein.ModeAsk}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

// asks are one of each kind, and of each thing that a card has to show.
func asks() map[string]rein.Ask {
	all := map[string]rein.Ask{
		"command": command(), "network": network(), "edit": edit(), "arguments": arguments(), "long": long(),
		"plan": {
			Kind: rein.AskConfirmation, Text: "1. Find the test that is flaky.\n2. Run it fifty times.\n3. Wait for the commit before the timer is set, and run all tests of the engine again.",
			Modes: []rein.Mode{rein.ModeAsk, rein.ModeEdits}, OnExpiry: rein.ExpiryStop, Deadline: noon.Add(3*time.Minute + 12*time.Second),
		},
		"question": {
			Kind: rein.AskQuestion, Text: "Which of the two databases shall I measure? The second one has the newer data.",
			Choices: []string{"the old one", "the new one, which takes longer"}, Deadline: noon.Add(42 * time.Second),
		},
		"free": {Kind: rein.AskQuestion, Text: "What shall the release be called?", For: "ann"},
		"unknown": {
			Kind: rein.AskUnknown, Text: "send_mail (to ann@example.org) was being run when rein was interrupted, and the tool cannot tell whether it happened. Did it?",
			Call: call("send_mail", `{"to":"ann@example.org"}`), Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt}, Effect: rein.Unsafe,
		},
	}
	for name, ask := range all {
		ask.ID, ask.Run, ask.Step, ask.State, ask.Opened, ask.Shown = "r1:7.ask", "r1", "7", rein.AskPending, noon, rein.ShownMark+name
		all[name] = ask
	}
	return all
}

func command() rein.Ask {
	ask := approval("execute_command", `{"command":"go test -run TestPark ./... && rm -rf build"}`, `Run in /home/ann/rein:
  | go test -run TestPark ./... && rm -rf build
Its parts:
- go test -run TestPark ./...: ask (nothing allows it)
- rm -rf build: ask (nothing allows it)
It can write in /home/ann/rein and in a new temporary folder, and read the system's programs.
It has no network.
It runs in the sandbox.
It can take at most 2 minutes.
`)
	ask.Offers = rein.Offers{Session: []string{"go test -run TestPark ./...", "rm -rf build"}, Always: []string{"go test ...", "rm build/..."}}
	ask.Guessed = "tolerant"
	return ask
}

func network() rein.Ask {
	ask := approval("execute_command", `{"command":"go get x.org/y","network":true}`, `Run in /home/ann/rein:
  | go get x.org/y
Its parts:
- go get x.org/y: ask (nothing allows it)
It can write in /home/ann/rein and in a new temporary folder, and read the system's programs.
IF YOU AGREE, it also gets the network.
It runs in the sandbox.
It can take at most 2 minutes.
`)
	ask.InPerson = true
	ask.Offers.Session = []string{"'go get x.org/y' (in /home/ann/rein, with the network)"}
	return ask
}

func edit() rein.Ask {
	ask := approval("edit_file", `{"path":"engine/park.go","edits":[{"old":"timer.Reset(grace)","new":"d.afterCommit(func() { timer.Reset(grace) }) // 公園 is 駐車場, and 👨‍👩‍👧 wait for the commit"}]}`, `- "engine/park.go": +1 −1 lines, 812 bytes

--- engine/park.go
+++ engine/park.go
@@ -38,3 +38,3 @@
 	d.lock()
-	timer.Reset(grace)
+	d.afterCommit(func() { timer.Reset(grace) }) // 公園 is 駐車場, and 👨‍👩‍👧 wait for the commit
 	d.unlock()
`)
	ask.Offers.Always = []string{"edit_file engine/**"}
	ask.Deadline, ask.OnExpiry = noon.Add(time.Hour), rein.ExpiryDeny
	return ask
}

func arguments() rein.Ask {
	args := `{"to":"ann@example.org","copies":[1,2],"urgent":true,"text":"Dear Ann,\nthe <b>token</b> is [redacted: github token]"}`
	ask := approval("send_mail", args, "")
	ask.Text = "Allow send_mail " + args + "?"
	return ask
}

func long() rein.Ask {
	return approval("write_file", `{"path":"notes/list.md"}`, "- \"notes/list.md\": new, 120 lines, 900 bytes\n\n--- (new file)\n+++ notes/list.md\n@@ -0,0 +1,120 @@\n"+numbered(120, "+line %d\n"))
}

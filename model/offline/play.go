package offline

import (
	"encoding/json"
	"regexp"
	"strings"

	"rein"
)

// Lines of a conversation that is written as a play, which is how a summary is asked for.
var (
	spokenLine = regexp.MustCompile(`^(user|assistant|system|developer|tool): (.*)`)
	calledLine = regexp.MustCompile(`^assistant calls (\S+) ?(.*)`)
	resultLine = regexp.MustCompile(`^result of (\S+) (\w+): ?(.*)`)
)

// addPlay takes what a summary keeps from a play. A line that no pattern fits goes on with the one
// before it, which has been taken already: summaries keep beginnings. Right after a result only
// the assistant speaks, so that a result cannot easily speak for the user.
func (d *digest) addPlay(source, text string) {
	if strings.Contains(source, "summary") {
		d.before = append(d.before, rowsOf(text)...)
		return
	}
	inResult := false
	for s := range strings.Lines(clip(clean(text), maxSummedText)) {
		s = strings.TrimRight(s, "\n")
		if m := calledLine.FindStringSubmatch(s); m != nil {
			d.addCalled(m[1], m[2])
			inResult = false
		} else if m := resultLine.FindStringSubmatch(s); m != nil {
			d.addResult(m[1], m[2], m[3])
			inResult = true
		} else if m := spokenLine.FindStringSubmatch(s); m != nil {
			inResult = inResult && m[1] != "assistant"
			if m[1] == "user" && !inResult {
				d.addAsked(m[2])
			}
		}
	}
}

func (d *digest) addCalled(name, args string) {
	u := use{call: rein.ToolCall{Name: name, Args: json.RawMessage(args)}, role: roleByName(name)}
	row := name
	if arg := mainArg(u); arg != "" {
		row += " " + arg
		if looksLikeFile(arg) {
			d.paths = append(d.paths, arg)
		}
	}
	d.calls = append(d.calls, oneLine(row, maxSummedRow))
}

func (d *digest) addResult(name, status, text string) {
	if rein.ToolStatus(status).Failed() {
		d.errors = append(d.errors, oneLine(name+": "+status+": "+text, maxSummedRow))
	}
}

package shell

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"rein"
	"rein/tool"
)

//go:embed monitor_log.md
var monitorLogText string

type monitorArgs struct {
	Action  string `json:"action,omitempty" jsonschema:"what to do" enum:"tail,search,filter,summarise,follow" default:"tail"`
	Handle  string `json:"handle,omitempty" jsonschema:"a background command" max:"60"`
	Path    string `json:"path,omitempty" jsonschema:"a file of the workspace" max:"4000"`
	Journal string `json:"journal,omitempty" jsonschema:"a unit of the system's journal, or * for all" max:"200"`
	Pattern string `json:"pattern,omitempty" jsonschema:"a regular expression that lines match" max:"1000"`
	Except  string `json:"except,omitempty" jsonschema:"a regular expression that lines do not match" max:"1000"`
	Level   string `json:"level,omitempty" jsonschema:"the least level of a line" enum:"debug,info,warning,error"`
	Lines   int    `json:"lines,omitempty" jsonschema:"how many lines to return" min:"1" max:"2000" default:"100"`
	Context int    `json:"context,omitempty" jsonschema:"lines around each match of a search" min:"0" max:"20"`
	Seconds int    `json:"seconds,omitempty" jsonschema:"how long to follow" min:"1" max:"600" default:"30"`
	Offset  *int64 `json:"offset,omitempty" jsonschema:"where to follow from" min:"0"`
}

// Monitored is the Data of monitor_log.
type Monitored struct {
	Jobs    []Job  `json:"jobs,omitempty"`    // of a list
	Lines   int    `json:"lines"`             // that were returned
	Of      int    `json:"of"`                // that there are
	Matched bool   `json:"matched,omitempty"` // a line was waited for and came
	Next    *int64 `json:"next_offset,omitempty"`
}

// MonitorLog is the tool monitor_log.
func (c *Commands) MonitorLog() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "monitor_log", Family: "shell", Text: monitorLogText, Effect: rein.Pure, Polling: true, Code: true, Timeout: 11 * time.Minute}, c.monitor)
}

func (c *Commands) monitor(ctx context.Context, inv rein.Invocation, args monitorArgs) (rein.Done, error) {
	named := 0
	for _, source := range []string{args.Handle, args.Path, args.Journal} {
		if source != "" {
			named++
		}
	}
	switch {
	case named > 1:
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "name one source: handle, path or journal")
	case named == 0:
		return c.listJobs(inv)
	}
	only, err := newSieve(args)
	if err != nil {
		return rein.Done{}, err
	}
	from, err := c.source(inv, args)
	if err != nil {
		return rein.Done{}, err
	}
	if args.Action == "follow" {
		return follow(ctx, inv, from, only, args, c.cleaner(inv))
	}
	text, err := from.read(ctx)
	if err != nil {
		return rein.Done{}, err
	}
	all := linesOf(text, c.cleaner(inv))
	found := Monitored{Of: len(all)}
	var shown []string
	switch args.Action {
	case "search":
		if args.Pattern == "" {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "a search needs a pattern")
		}
		shown = search(all, only, args)
	case "summarise":
		shown = summarise(only.of(all), args.Lines)
	default:
		shown = last(only.of(all), args.Lines)
	}
	found.Lines = len(shown)
	return result(from, strings.Join(shown, "\n"), found)
}

// result is what the model reads.
func result(from source, text string, found Monitored) (rein.Done, error) {
	if text == "" {
		text = "[no lines]"
	}
	data, err := json.Marshal(found)
	return rein.Done{Text: fmt.Sprintf("%s\n\n%s", from.says(), text), Data: data}, err
}

func (c *Commands) listJobs(inv rein.Invocation) (rein.Done, error) {
	var jobs []Job
	if c.o.Jobs != nil {
		var err error
		if jobs, err = c.o.Jobs.List(inv.Task.Place()); err != nil {
			return rein.Done{}, err
		}
	}
	var b strings.Builder
	for _, about := range jobs {
		fmt.Fprintf(&b, "%s\n    %s\n", c.o.Jobs.state(about), strings.ReplaceAll(about.Command, "\n", "\n    "))
	}
	if len(jobs) == 0 {
		b.WriteString("No command of this session runs in the background.")
	}
	data, err := json.Marshal(Monitored{Jobs: jobs})
	return rein.Done{Text: b.String(), Data: data}, err
}

// A sieve keeps some lines.
type sieve struct {
	pattern, except *regexp.Regexp
	level           int
}

func newSieve(args monitorArgs) (s sieve, err error) {
	for _, each := range []struct {
		name, text string
		to         **regexp.Regexp
	}{{"pattern", args.Pattern, &s.pattern}, {"except", args.Except, &s.except}} {
		if each.text == "" {
			continue
		}
		if *each.to, err = regexp.Compile(each.text); err != nil {
			return s, rein.Errorf(rein.CodeInvalid, "%s is not a regular expression: %w", each.name, err)
		}
	}
	s.level = levelNumber(args.Level)
	return s, nil
}

func (s sieve) keeps(line string) bool {
	return (s.pattern == nil || s.pattern.MatchString(line)) && (s.except == nil || !s.except.MatchString(line)) && (s.level == 0 || levelOf(line) >= s.level)
}

func (s sieve) of(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if s.keeps(line) {
			kept = append(kept, line)
		}
	}
	return kept
}

func last(lines []string, n int) []string { return lines[max(len(lines)-n, 0):] }

// maxLine is how much is shown of one line.
const maxLine = 2000

// linesOf are the lines of a text, valid and of a length that can be read.
func linesOf(text string, clean func(string) string) []string {
	text = strings.TrimSuffix(strings.ToValidUTF8(text, "\uFFFD"), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = shortLine(strings.TrimSuffix(line, "\r"), clean)
	}
	return lines
}

// shortLine cuts a long line. Secrets go first: nobody knows half of one again.
func shortLine(line string, clean func(string) string) string {
	if len(line) <= maxLine {
		return line
	}
	line = clean(line)
	return rein.Clip(line, maxLine) + fmt.Sprintf(" [… %d bytes in all]", len(line))
}

// cleaner returns what takes secrets out of the texts of a call.
func (c *Commands) cleaner(inv rein.Invocation) func(string) string {
	if c.o.Jobs == nil {
		return func(text string) string { return text }
	}
	var of rein.Place
	if inv.Task != nil {
		of = inv.Task.Place()
	}
	return func(text string) string { return c.o.Jobs.clean(of, text) }
}

// search returns the last lines that match, with their numbers and the lines around them.
func search(all []string, only sieve, args monitorArgs) []string {
	var at []int
	for i, line := range all {
		if only.keeps(line) {
			at = append(at, i)
		}
	}
	at = at[max(len(at)-args.Lines, 0):]
	var shown []string
	next := 0
	for n, i := range at {
		from := max(i-args.Context, next)
		if args.Context > 0 && n > 0 && from > next {
			shown = append(shown, "--")
		}
		until := min(i+args.Context, len(all)-1)
		for k := from; k <= until; k++ {
			mark := "-"
			if only.keeps(all[k]) {
				mark = ":"
			}
			shown = append(shown, fmt.Sprintf("%d%s%s", k+1, mark, all[k]))
		}
		next = max(next, until+1)
	}
	return shown
}

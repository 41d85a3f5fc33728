package export

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"rein/internal/units"
	"rein/internal/visible"
)

// A markdownForm writes Markdown. What others wrote stands in fences that are longer than any in it, or, if it is a word in
// a line of rein's, in a code span or with its marks escaped: so it can neither end what it stands in nor begin a heading.
type markdownForm struct{ out *bufio.Writer }

func (f *markdownForm) put(part any) error {
	switch p := part.(type) {
	case *head:
		f.head(p)
	case *runHead:
		f.run(p)
	case *said:
		f.said(p)
	case *wrote:
		f.wrote(p)
	case *thought:
		f.line("**"+strings.ToUpper(plain(p.Label))+"**", clock(p.At), plain(p.Note))
		f.fence("text", p.Text)
	case *remark:
		f.remark(p)
	case *called:
		f.called(p)
	case *asked:
		f.asked(p)
	case *childHead:
		f.heading(3, "Run "+span(string(p.Run))+" below it: "+plain(p.Question))
		f.line(p.Status.words(), clock(p.At))
	case *childFoot:
		f.heading(3, "Back in run "+span(string(p.Run)))
	case *ended:
		f.ended(p)
	case *runFoot:
		f.logs(p)
	case *files:
		f.files(p)
	case *foot:
		f.print("---\n\nWritten by `rein export`. Texts of people, models and tools are as they were recorded, with secrets masked. To check a run against its log, compare its head with what `rein audit verify RUN --json` prints.\n")
	}
	_, err := f.out.Write(nil)
	return err
}

// print writes a text of rein's. An error stays with the writer, and put returns it.
func (f *markdownForm) print(text string) { _, _ = f.out.WriteString(text) }

// heading writes a heading. Its text must be harmless.
func (f *markdownForm) heading(level int, text string) {
	f.print(strings.Repeat("#", level) + " " + strings.TrimSpace(text) + "\n\n")
}

// line writes a paragraph of what is there, with dots between.
func (f *markdownForm) line(parts ...string) {
	if text := dotted(parts...); text != "" {
		f.print(text + "\n\n")
	}
}

func dotted(parts ...string) string {
	var there []string
	for _, part := range parts {
		if part != "" {
			there = append(there, part)
		}
	}
	return strings.Join(there, " · ")
}

// fence writes a text between fences that it cannot close.
func (f *markdownForm) fence(kind, text string) {
	text = strings.TrimRight(visible.Lines(text), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	marks := strings.Repeat("`", max(3, longest(text)+1))
	f.print(marks + kind + "\n" + text + "\n" + marks + "\n\n")
}

// longest is how many backticks follow each other at most.
func longest(text string) (most int) {
	n := 0
	for _, r := range text {
		n++
		if r != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

// span is a text of others in a line, as code.
func span(text string) string {
	text = visible.Line(text)
	if text == "" {
		return ""
	}
	marks := strings.Repeat("`", longest(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// marked are the characters that mean something in a line of Markdown.
const marked = "\\`*_{}[]<>#|~!&$^"

// plain is a text of others in a line, as words.
func plain(text string) string {
	var b strings.Builder
	for _, r := range visible.Line(text) {
		if strings.ContainsRune(marked, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (s status) words() string { return s.Sign + " " + plain(s.Word) }

func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("15:04:05")
}

func (f *markdownForm) head(h *head) {
	title := plain(h.Title)
	if title == "" {
		title = "Session " + span(h.Session)
	}
	f.heading(1, title)
	f.fact("session", span(h.Session))
	f.fact("only run", span(string(h.One)))
	f.fact("user", plain(h.User))
	f.fact("started", units.When(h.Started))
	f.fact("runs", units.Number(h.Runs))
	used := ""
	if h.Tokens > 0 {
		used = units.Number(h.Tokens) + " tokens"
	}
	if h.Cost != "" {
		used += ", cost " + h.Cost
	}
	f.fact("used", used)
	f.fact("exported", units.When(h.Exported)+" "+zone(h.Exported)+" by rein "+plain(h.Version))
	f.print("\n")
	if h.Live > 0 {
		f.print("**Not finished.** " + unfinished(h.Live) + " not ended. This shows what had happened by " + units.When(h.Exported) + ".\n\n")
	}
}

func unfinished(n int64) string {
	if n == 1 {
		return "One run has"
	}
	return units.Number(n) + " runs have"
}

// fact writes an item of a list of facts. Its value must be harmless.
func (f *markdownForm) fact(name, value string) {
	if value != "" {
		f.print("- " + name + ": " + value + "\n")
	}
}

func (f *markdownForm) run(r *runHead) {
	f.heading(2, fmt.Sprintf("Run %d: %s", r.N, plain(r.Title)))
	f.fact("run", span(string(r.ID)))
	f.fact("status", r.Status.words())
	f.fact("flow", plain(r.Flow))
	f.fact("mode", plain(string(r.Mode)))
	f.fact("workspace", plain(r.Workspace))
	f.fact("by", plain(r.By))
	f.fact("started", units.When(r.Started))
	f.fact("from session", span(r.From))
	if r.Erased {
		f.fact("erased", "texts of this run were erased; its log still proves what happened when")
	}
	f.print("\n")
	if r.Live {
		f.print("**Not finished.** This run has not ended." + after(" Now: ", plain(r.Doing)) + "\n\n")
	}
}

// after puts a text behind what leads to it, if there is one.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

func (f *markdownForm) logs(r *runFoot) {
	f.heading(3, "Log")
	for _, l := range r.Logs {
		f.print("- " + span(string(l.Run)) + ": " + units.Count(l.Events, "event") + ", head `" + l.Head.String() + "`\n")
	}
	f.print("\n")
}

func (f *markdownForm) files(p *files) {
	f.heading(2, "Files of the session")
	for _, k := range p.All {
		f.print("- " + span(k.Name) + ", " + plain(k.Type) + ", " + units.Size(k.Size) + ", " + units.When(k.Changed) + after(", by run ", span(string(k.Run))) + "\n")
	}
	f.print("\n")
}

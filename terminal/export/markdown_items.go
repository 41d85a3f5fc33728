package export

import (
	"strings"

	"rein/internal/units"
)

func (f *markdownForm) said(p *said) {
	who := plain(p.Who)
	switch {
	case p.From != "":
		who = "run " + span(string(p.From))
	case who == "":
		who = "a person"
	}
	f.heading(3, "PERSON: "+who)
	f.line(clock(p.At), plain(p.How), plain(p.Became))
	if p.Erased {
		f.print("(erased)\n\n")
	}
	f.fence("text", p.Text)
	f.pictures(p.Pictures)
}

func (f *markdownForm) pictures(all []picture) {
	for _, p := range all {
		f.line(span(p.Name), plain(p.About))
	}
}

func (f *markdownForm) wrote(p *wrote) {
	f.heading(3, "MODEL"+after(": ", plain(p.Model)))
	f.line(clock(p.At), plain(p.Note))
	f.fence("markdown", p.Text)
}

func (f *markdownForm) remark(p *remark) {
	f.line("**"+strings.ToUpper(plain(p.Label))+"** "+plain(p.Text), clock(p.At))
	f.fence("text", p.Quote)
}

func (f *markdownForm) called(p *called) {
	f.heading(4, "TOOL: "+strings.TrimSpace(span(p.Name)+" "+span(p.Argument)))
	f.line(p.Status.words(), plain(p.Summary), p.Took, clock(p.At))
	for _, fact := range p.Facts {
		f.fact(fact.Name, plain(fact.Value))
	}
	f.fact("warning", plain(p.Warning))
	f.fact("failed", plain(p.Failure))
	for _, k := range p.Files {
		f.fact("file", span(k.Name)+", "+plain(k.Type)+", "+units.Size(k.Size))
	}
	f.print("\n")
	if p.Args != "" {
		f.print("Arguments:\n\n")
		f.fence("json", p.Args)
	}
	if p.Output != "" {
		f.print("Result:\n\n")
		f.fence("text", p.Output)
	}
	if p.Cut > 0 {
		f.print(units.Size(p.Cut) + " more are in the log.\n\n")
	}
	f.pictures(p.Pictures)
}

func (f *markdownForm) asked(p *asked) {
	f.heading(4, "ASK: "+plain(p.Wants))
	f.line(clock(p.At), plain(p.Means))
	f.fence("text", p.Text)
	if p.Args != "" {
		f.print("With the arguments:\n\n")
		f.fence("json", p.Args)
	}
	for _, choice := range p.Choices {
		f.print("- " + span(choice) + "\n")
	}
	if len(p.Choices) > 0 {
		f.print("\n")
	}
	when := ""
	if !p.Closed.IsZero() {
		when = units.When(p.Closed)
	}
	f.line("**"+p.Status.Sign+" "+plain(p.Answer)+"**", when, after("after ", p.Waited))
	f.fence("text", p.Words)
	if p.Edited != "" {
		f.print("Changed arguments:\n\n")
		f.fence("json", p.Edited)
	}
}

func (f *markdownForm) ended(p *ended) {
	if p.Text != "" {
		f.heading(3, "ANSWER")
		f.fence("markdown", p.Text)
	}
	if len(p.Citations) > 0 {
		f.heading(4, "SOURCES")
		for _, c := range p.Citations {
			f.source(c)
		}
		f.print("\n")
	}
	for _, d := range p.Doubtful {
		f.line("**CHECK** " + span(d.Source) + " hardly supports " + span(d.Text) + after("; missing: ", plain(d.Missing)))
	}
	if p.Failure != "" {
		f.line("**WHY** " + plain(p.Failure))
	}
	f.line(append([]string{"**END** " + p.Status.words()}, append(p.Facts, clock(p.At))...)...)
}

func (f *markdownForm) source(c citation) {
	text := units.Number(c.N) + ". " + span(c.Path) + after(" › ", span(c.Section))
	if c.Unread {
		text += ", not read in this run"
	}
	f.print(text + after(": ", span(c.Quote)) + "\n")
}

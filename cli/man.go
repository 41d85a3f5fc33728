package cli

import (
	"context"
	"strconv"
	"strings"
)

func manCommand() command {
	return command{
		name: "man", does: "print the manual page", run: runMan,
		more: `The page is for man: rein man | man -l -, or keep it as /usr/local/share/man/man1/rein.1`,
	}
}

func runMan(_ context.Context, c *call) error {
	c.print("%s", manual())
	return nil
}

// manual is the manual page, made of the table of commands.
func manual() string {
	var b strings.Builder
	b.WriteString(".TH REIN 1\n.SH NAME\nrein \\- run LLM agents that you can bound, watch, pause, steer, stop, resume and audit\n")
	b.WriteString(".SH SYNOPSIS\n.B rein\n.RI [ COMMAND \" [\" FLAGS \"] [\" ARGUMENTS ]]\n")
	b.WriteString(".SH DESCRIPTION\nAt a terminal, rein alone opens a session on the whole screen. Each command is explained by\n.B rein help\n.IR COMMAND .\n")
	for _, g := range groups() {
		b.WriteString(".SH " + strings.ToUpper(roff(g.title)) + "\n")
		for _, cmd := range g.commands {
			b.WriteString(".TP\n.B " + roff(strings.TrimSpace("rein "+cmd.name+" "+cmd.args)) + "\n" + sentence(cmd.does) + "\n")
			for _, f := range cmd.flagsOf(&call{}) {
				b.WriteString(".RS\n.TP\n.B " + roff(f.spelled()) + "\n" + roff(f.does) + "\n.RE\n")
			}
		}
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exits {
		b.WriteString(".TP\n.B " + strconv.Itoa(e.code) + "\n" + sentence(e.means) + "\n")
	}
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B REIN_DATA\nThe data folder.\n.TP\n.B REIN_CONFIG\nThe settings file.\n.TP\n.B NO_COLOR\nIf it is set, nothing is coloured.\n")
	return b.String()
}

func sentence(text string) string { return roff(strings.ToUpper(text[:1]) + text[1:] + ".") }

// roff writes a text so that man shows it as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

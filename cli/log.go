package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"rein/app"
	"rein/terminal"
)

// newLog is what a service tells of itself on standard error. A program that collects it gets lines
// of JSON, with every request. A person at a terminal gets lines to read, and only what they should
// know: warnings and errors, unless they want to debug.
func (c *call) newLog(debug bool, redact func(string) string) *slog.Logger {
	level := slog.LevelInfo
	if terminal.Is(c.out.Stderr) {
		level = slog.LevelWarn
	}
	if debug {
		level = slog.LevelDebug
	}
	if terminal.Is(c.out.Stderr) {
		return slog.New(&lines{out: c.out.Stderr, mu: &sync.Mutex{}, level: level, redact: redact, screen: c.out.Screen})
	}
	return app.JSONLog(c.out.Stderr, level, redact)
}

// lines is a log for people: a time, how bad it is, what it is, and what belongs to it.
type lines struct {
	out    io.Writer
	mu     *sync.Mutex // of out
	level  slog.Level
	redact func(string) string
	screen terminal.Screen
	group  string
	about  string // the attributes of every line
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	about := &strings.Builder{}
	about.WriteString(l.about)
	r.Attrs(func(a slog.Attr) bool {
		l.add(about, l.group, a)
		return true
	})
	text := safe(l.redact(r.Message + about.String()))
	name, colour := "info", terminal.Quiet
	switch {
	case r.Level >= slog.LevelError:
		name, colour = "error", terminal.Bad
	case r.Level >= slog.LevelWarn:
		name, colour = "warning", terminal.Ask
	case r.Level < slog.LevelInfo:
		name = "debug"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := fmt.Fprintf(l.out, "%s %s %s\n", r.Time.Format("15:04:05"), l.screen.Paint(colour, name+":"), text)
	return err
}

// add writes an attribute that says something.
func (l *lines) add(to *strings.Builder, group string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		for _, inner := range v.Group() {
			l.add(to, group+a.Key+".", inner)
		}
		return
	}
	text := v.String()
	if text == "" || a.Key == "" {
		return
	}
	if strings.ContainsAny(text, " \n\t\"") {
		text = strconv.Quote(text)
	}
	fmt.Fprintf(to, " %s%s=%s", group, a.Key, text)
}

func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	about := &strings.Builder{}
	about.WriteString(l.about)
	for _, a := range attrs {
		l.add(about, l.group, a)
	}
	more := *l
	more.about = about.String()
	return &more
}

func (l *lines) WithGroup(name string) slog.Handler {
	more := *l
	if name != "" {
		more.group += name + "."
	}
	return &more
}

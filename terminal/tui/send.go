package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

// send sends what was typed: it steers the run that is active, or starts one.
func (m *Model) send(s edit.Sent) tea.Cmd {
	if s.Shell {
		return m.shell(s.Text)
	}
	text := strings.TrimSpace(strings.Join(append([]string{s.Text}, s.Pastes...), "\n\n"))
	if text == "" {
		return nil
	}
	if name, _, ok := api.SplitCommand(text); ok && m.isOwn(name) {
		return m.command(strings.TrimPrefix(text, "/"))
	}
	m.input.Remember(s.Text)
	text, images, err := m.attach(text)
	if err != nil {
		m.wrong(err)
		m.input.Set(s.Text)
		return nil
	}
	m.tail, m.stops = true, 0
	if e := m.active(); e != nil {
		return m.steer(e, text, images)
	}
	return m.expand(text, func(m *Model, text string) tea.Cmd {
		task := m.task
		task.Messages = []rein.Message{{Role: rein.User, Text: text, Images: images}}
		return m.launch(task)
	})
}

func (m *Model) attach(text string) (string, []rein.Image, error) {
	if m.o.Attach == nil {
		return text, nil, nil
	}
	return m.o.Attach(text)
}

// launch starts a run in the session.
func (m *Model) launch(task rein.Task) tea.Cmd {
	id := api.NewRunID(m.now)
	if m.session == "" {
		m.session = "s" + string(id)
	}
	task.Session = m.session
	e := &entry{info: api.Run{ID: id, Session: m.session, Started: m.now}}
	m.entries = append(m.entries, e)
	m.starting = m.now
	return m.start(e, task)
}

// steer sends a message to the run that is active. If that ends first, the message starts the next one.
func (m *Model) steer(e *entry, text string, images []rein.Image) tea.Cmd {
	if len(images) > 0 {
		m.wrong(rein.Errorf(rein.CodeInvalid, "a message to a running run cannot bring images: wait until it has ended, or stop it with Esc"))
		m.input.Set(text)
		return nil
	}
	c, session := m.api, m.session
	message := api.NewMessage{Text: text, ID: api.NewRunID(m.now), Task: m.task}
	var receipt rein.Receipt
	return m.call(func(ctx context.Context) (err error) {
		receipt, err = c.Say(ctx, session, message)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil {
			m.wrong(err)
			if m.input.IsEmpty() {
				m.input.Set(text)
			}
			return nil
		}
		if receipt.Started != "" {
			return m.readSession(session)
		}
		return nil
	})
}

// order sends a command to a run, and says what came of it if that cannot be seen.
func (m *Model) order(command rein.Command, done string) tea.Cmd {
	c := m.api
	return m.call(func(ctx context.Context) error {
		_, err := c.Command(ctx, command)
		return err
	}, func(m *Model, err error) tea.Cmd {
		switch {
		case rein.CodeOf(err) == rein.CodeFinished:
			m.say("the run has ended already")
		case err != nil:
			m.wrong(err)
		case done != "":
			m.say(done)
		}
		return nil
	})
}

// stop ends the active run: at the next step, or now if it was stopped before.
func (m *Model) stop() tea.Cmd {
	e := m.active()
	if e == nil {
		return nil
	}
	m.stops++
	if e.line == nil || e.line.Seq == 0 {
		e.stop = true
		m.say("stopping as soon as it has started")
		return nil
	}
	if m.stops == 1 {
		m.say("stopping after this step; Esc again stops now")
		return m.order(rein.Command{Kind: rein.CommandStop, Run: e.info.ID}, "")
	}
	return m.order(rein.Command{Kind: rein.CommandCancel, Run: e.info.ID}, "stopping now")
}

// pause pauses the active run, or lets it continue.
func (m *Model) pause() tea.Cmd {
	e := m.active()
	if e == nil {
		m.say("no run is active")
		return nil
	}
	if e.line != nil && e.line.Paused != nil {
		return m.resume(e)
	}
	return m.order(rein.Command{Kind: rein.CommandPause, Run: e.info.ID}, "")
}

// answer sends the answer to an ask.
func (m *Model) answer(ask rein.Ask, answer rein.Answer) tea.Cmd {
	answer.Shown = ask.Shown
	c := m.api
	m.cards.sent = ask.ID
	return m.call(func(ctx context.Context) error {
		_, err := c.Answer(ctx, ask.ID, api.Answer{Answer: answer})
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err == nil {
			return nil
		}
		if m.cards.sent == ask.ID {
			m.cards.sent = ""
		}
		if c := m.cards.shown; c != nil && c.Ask().ID == ask.ID {
			c.Refused(err.Error(), m.now)
		}
		m.wrong(err)
		return nil
	})
}

// shell runs a line of shell as a run of the session, under the same rules as the commands of a model.
func (m *Model) shell(line string) tea.Cmd {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		m.say("type a command after the !")
		return nil
	case m.active() != nil:
		m.say("a run is active: wait until it has ended, or stop it with Esc")
		m.input.Set("!" + line)
		return nil
	}
	task := m.task
	task.Flow, task.Model, task.Tools, task.Preset = "shell", "", nil, ""
	task.Settings = quoted(map[string]string{"command": line})
	task.Messages = []rein.Message{{Role: rein.User, Text: "! " + line}}
	return m.launch(task)
}

// waited says how long something has taken, if that is long enough to say.
func waited(since, now time.Time) string {
	if since.IsZero() || now.Sub(since) < time.Second {
		return ""
	}
	return fmt.Sprintf(" %s", span(now.Sub(since)))
}

// title is what the session is called.
func (m *Model) title() string {
	if m.info.Title != "" {
		return look.SafeLine(m.info.Title)
	}
	for _, e := range m.entries {
		if e.line != nil && e.line.Title != "" {
			return look.SafeLine(e.line.Title)
		}
	}
	return "new session"
}

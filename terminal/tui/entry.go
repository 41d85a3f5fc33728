package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/journal/timeline"
)

// An entry is one root run of the session.
type entry struct {
	info    api.Run
	line    *timeline.Timeline // nil: it was not read
	cursor  string             // after the last line of its feed
	lines   chan fedLine       // nil: it is not followed
	cancel  context.CancelFunc
	reading bool
	stop    bool // it is to be stopped as soon as it is there
}

func (e *entry) over() bool {
	if e.line != nil && e.line.Seq > 0 {
		return !e.line.Ended.IsZero()
	}
	return e.info.Status.Ended()
}

// active is the run that a message would steer, or nil.
func (m *Model) active() *entry {
	for _, e := range slices.Backward(m.entries) {
		if !e.over() {
			return e
		}
	}
	return nil
}

// newest is the last run of the session, or nil.
func (m *Model) newest() *entry {
	if len(m.entries) == 0 {
		return nil
	}
	return m.entries[len(m.entries)-1]
}

func (m *Model) entry(run rein.RunID) *entry {
	for _, e := range m.entries {
		if e.info.ID == run {
			return e
		}
	}
	return nil
}

// timelines are the runs that were read, in order.
func (m *Model) timelines() []*timeline.Timeline {
	list := make([]*timeline.Timeline, 0, len(m.entries))
	for _, e := range m.entries {
		if e.line != nil {
			list = append(list, e.line)
		}
	}
	return list
}

// A fedLine is a line of a feed, or why there are no more.
type fedLine struct {
	line api.Line
	err  error
	over bool
}

// A feedMsg is some lines of the feed of a run, as many as had come.
type feedMsg struct {
	run   rein.RunID
	from  chan fedLine
	lines []fedLine
}

// mostLines bounds what one message brings, so that keys are read in between.
const mostLines = 2000

// follow follows a run that is there, from where this screen has it.
func (m *Model) follow(e *entry) tea.Cmd {
	o := client.FollowOptions{After: e.cursor, Tree: true}
	api, run := m.api, e.info.ID
	return m.begin(e, func(ctx context.Context, yield func(fedLine) bool) {
		feed(api.Follow(ctx, run, o), yield)
	})
}

// start starts a run and follows it.
func (m *Model) start(e *entry, task rein.Task) tea.Cmd {
	api, run := m.api, e.info.ID
	return m.begin(e, func(ctx context.Context, yield func(fedLine) bool) {
		feed(api.StartAndFollow(ctx, run, task, client.FollowOptions{Tree: true}), yield)
	})
}

func feed(lines func(func(api.Line, error) bool), yield func(fedLine) bool) {
	for line, err := range lines {
		if !yield(fedLine{line: line, err: err}) || err != nil {
			return
		}
	}
	yield(fedLine{over: true})
}

func (m *Model) begin(e *entry, read func(context.Context, func(fedLine) bool)) tea.Cmd {
	e.leave()
	if e.line == nil {
		e.line = timeline.New(e.info.ID)
	}
	ctx, cancel := context.WithCancel(m.ctx)
	lines := make(chan fedLine, 256)
	e.lines, e.cancel = lines, cancel
	go func() {
		defer close(lines)
		read(ctx, func(l fedLine) bool {
			select {
			case lines <- l:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	return hear(e.info.ID, lines)
}

// leave stops following.
func (e *entry) leave() {
	if e.cancel != nil {
		e.cancel()
	}
	e.cancel, e.lines = nil, nil
}

// hear waits for lines, and takes all that there are.
func hear(run rein.RunID, lines chan fedLine) tea.Cmd {
	return func() tea.Msg {
		first, ok := <-lines
		if !ok {
			return nil
		}
		msg := feedMsg{run: run, from: lines, lines: []fedLine{first}}
		for len(msg.lines) < mostLines {
			select {
			case more, ok := <-lines:
				if !ok {
					return msg
				}
				msg.lines = append(msg.lines, more)
			default:
				return msg
			}
		}
		return msg
	}
}

// fed takes lines of a feed in.
func (m *Model) fed(msg feedMsg) tea.Cmd {
	e := m.entry(msg.run)
	if e == nil || e.lines != msg.from {
		return nil // of a session or a connection that was left
	}
	m.lost = ""
	for _, l := range msg.lines {
		switch {
		case l.err != nil:
			return m.broken(e, l.err)
		case l.over:
			e.leave()
			return m.ended(e)
		default:
			m.line(e, l.line)
		}
	}
	if e.stop && e.line.Seq > 0 {
		e.stop = false
		return tea.Batch(hear(msg.run, msg.from), m.order(rein.Command{Kind: rein.CommandStop, Run: e.info.ID}, ""))
	}
	return hear(msg.run, msg.from)
}

func (m *Model) line(e *entry, l api.Line) {
	if l.Cursor != "" {
		e.cursor = l.Cursor
	}
	switch {
	case l.Resync != "":
		e.line = timeline.New(e.info.ID)
		m.page.Clear()
	case l.Delta != nil:
		e.line.Delta(*l.Delta)
	case l.Event != nil:
		e.line.Event(*l.Event)
		if m.session == "" || e.line.Session != "" && e.line.Session != m.session && len(m.entries) == 1 {
			m.session = e.line.Session
		}
		m.starting = time.Time{}
	}
}

// ended is what follows when a run has ended: the next one of the session may have begun with a late message.
func (m *Model) ended(e *entry) tea.Cmd {
	if m.newest() == e {
		m.stops = 0
	}
	return m.readSession(m.session)
}

// broken is what follows when a feed breaks off for good.
func (m *Model) broken(e *entry, err error) tea.Cmd {
	e.leave()
	if m.ctx.Err() != nil {
		return nil
	}
	if code := rein.CodeOf(err); code != rein.CodeUnavailable && code != rein.CodeTimeout {
		m.starting = time.Time{}
		if e.line.Seq == 0 { // it did not start
			m.entries = slices.DeleteFunc(m.entries, func(other *entry) bool { return other == e })
		}
		m.wrong(err)
		return nil
	}
	m.lost = "no connection"
	return m.again(err)
}

// again reaches the data again, and follows what was followed.
func (m *Model) again(why error) tea.Cmd {
	reach := m.o.Again
	if reach == nil {
		m.lost = ""
		m.wrong(why)
		return nil
	}
	var found *client.Client
	return m.call(func(ctx context.Context) (err error) {
		found, err = reach(ctx)
		return err
	}, func(m *Model, err error) tea.Cmd {
		if err != nil {
			m.wrong(err)
			return tea.Tick(2*time.Second, func(time.Time) tea.Msg {
				return didMsg(func(m *Model) tea.Cmd { return m.again(why) })
			})
		}
		m.api, m.lost = found, ""
		m.say("the process that drove the run was gone; another one continues it")
		cmds := []tea.Cmd{m.listen()}
		for _, e := range m.entries {
			if !e.over() {
				cmds = append(cmds, m.resume(e))
			}
		}
		return tea.Batch(cmds...)
	})
}

// resume has a run driven, and follows it.
func (m *Model) resume(e *entry) tea.Cmd {
	api, run := m.api, e.info.ID
	drive := m.call(func(ctx context.Context) error { return api.Resume(ctx, run) }, func(*Model, error) tea.Cmd { return nil })
	return tea.Batch(m.follow(e), drive)
}

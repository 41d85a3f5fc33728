package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/units"
	"rein/terminal/tui/card"
	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
	"rein/terminal/tui/view"
)

// A Model is the state of the screen.
type Model struct {
	o   Options
	ctx context.Context
	api *client.Client
	t   look.Theme

	width, height int
	now           time.Time

	session  string // empty until something is sent
	info     api.Session
	entries  []*entry // the runs of the session, the oldest first
	older    bool     // there are runs before the first entry that were not read
	task     rein.Task
	usual    string       // the model that answers if nobody chose one; empty: it is not known
	modes    api.Defaults // the mode of a new session, and the loosest; empty: they are not known
	ground   look.Colours // the background of the terminal; empty: it does not say
	currency string       // of amounts of money, as the API has it; empty: it is not known
	budget   api.TreeBudget
	waiting  int // asks of other sessions that wait for this person

	page *view.Page
	top  int  // the first row of the page that is on the screen
	tail bool // the view follows the end
	seen int  // how many rows there were when it stopped following

	input *edit.Input
	cards cards
	focus focus
	over  overlay // what lies over the timeline; nil: nothing

	notice   notice
	starting time.Time // when something was sent of which no event has come; zero: nothing
	stops    int       // how often Esc was pressed for the run that is active
	leaving  time.Time // when Ctrl-C was pressed for the first time
	lost     string    // why there is no connection; empty: there is one
	typed    time.Time // when a key was pressed last
	found    string    // what was looked for in the timeline
	quitting bool

	files, ownCommands []edit.Suggestion // to complete what is typed; nil: not read yet
	lastBudget         time.Time
	lastKey            string // the key that answered the last ask
}

// focus is where keys go.
type focus int

const (
	onInput focus = iota
	onCard
	onPage
)

// A notice is a line that says what has just happened, for a while.
type notice struct {
	text  string
	bad   bool
	until time.Time
}

// cards is the ask that is shown, of those that are open.
type cards struct {
	shown *card.Card
	open  []rein.Ask
	sent  rein.AskID // the one whose answer is on its way
}

// New returns the screen before anything is on it.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if !o.Colours.Known() {
		o.Colours = look.Auto
	}
	t := look.New(o.Unicode)
	t.Paint(o.Colours, "")
	m := &Model{
		o: o, ctx: ctx, api: o.Client, t: t, now: o.Now(), width: 80, height: 24, task: o.Task,
		session: o.Session, page: view.New(t), tail: true, input: edit.New(t, nil),
	}
	m.task.Messages = nil
	m.input.Placeholder("what you want done; / commands, @ files, ! shell, F1 keys")
	return m
}

// Init begins to listen, and opens the session.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.tick(), m.listen(), m.readUsual(), m.readModes(), m.readCurrency(), tea.RequestBackgroundColor}
	if m.session != "" {
		cmds = append(cmds, m.readSession(m.session))
		if m.o.Notice != "" {
			m.say(look.SafeLine(m.o.Notice))
		}
	}
	if m.o.First != "" {
		cmds = append(cmds, m.send(edit.Sent{Text: m.o.First}))
	}
	return tea.Batch(cmds...)
}

// readUsual reads which model answers if nobody chooses one.
func (m *Model) readUsual() tea.Cmd {
	c := m.api
	var all []api.Model
	return m.call(func(ctx context.Context) (err error) {
		all, err = c.Models(ctx)
		return err
	}, func(m *Model, _ error) tea.Cmd { // without it the screen does not name it
		for _, model := range all {
			if model.Default {
				m.usual = model.Name
			}
		}
		return nil
	})
}

// readCurrency reads in which currency amounts of money are. Until it is known they are shown as numbers.
func (m *Model) readCurrency() tea.Cmd {
	c := m.api
	var me api.Me
	return m.call(func(ctx context.Context) (err error) {
		me, err = c.Me(ctx)
		return err
	}, func(m *Model, _ error) tea.Cmd {
		m.currency = me.Currency
		m.t.Currency = units.NewCurrency(me.Currency, m.o.Unicode)
		m.page.SetCurrency(m.t.Currency)
		return nil
	})
}

// A tickMsg comes a few times in a second while something happens, and once in a second otherwise: time is shown.
type tickMsg time.Time

func (m *Model) tick() tea.Cmd {
	every := time.Second
	if m.active() != nil || m.notice.text != "" || !m.starting.IsZero() {
		every /= 4
	}
	return tea.Tick(every, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.o.Now()
	cmd := m.take(msg)
	m.settle(!isInput(msg))
	return m, cmd
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 20), max(msg.Height, 6)
		m.touchCard()
	case tickMsg:
		return tea.Batch(m.tick(), m.beat())
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	case tea.BackgroundColorMsg:
		m.onGround(msg)
	case feedMsg:
		return m.fed(msg)
	case didMsg:
		return m.did(msg)
	}
	return nil
}

// A didMsg is what came of something that took time. It changes the Model when it arrives, and may lead to more.
type didMsg func(*Model) tea.Cmd

func (m *Model) did(do didMsg) tea.Cmd { return do(m) }

// call makes a command out of something that takes time, and of what is done with its result.
func (m *Model) call(do func(context.Context) error, then func(*Model, error) tea.Cmd) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		err := do(ctx)
		return didMsg(func(m *Model) tea.Cmd { return then(m, err) })
	}
}

// patience is how long an answer of the API may take. It says itself what takes longer.
const patience = 30 * time.Second

// say shows a line for a while.
func (m *Model) say(text string) { m.notice = notice{text: text, until: m.now.Add(6 * time.Second)} }

// wrong shows what went wrong, for longer.
func (m *Model) wrong(err error) {
	if err == nil || m.ctx.Err() != nil {
		return
	}
	m.notice = notice{text: look.SafeLine(err.Error()), bad: true, until: m.now.Add(20 * time.Second)}
}

// isInput reports whether a message comes from the person or the clock, so that nothing happens in the runs with it.
func isInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseWheelMsg, tickMsg:
		return true
	}
	return false
}

// settle brings the page and the cards up to date after a message. Unless something may have happened in the runs, the page
// is left as it is: it may have many thousands of items.
func (m *Model) settle(happened bool) {
	m.syncCards()
	before := m.page.Height()
	if happened || !m.page.Stays(m.textWidth(), m.now) {
		m.page.Sync(m.timelines(), m.textWidth(), m.now)
	}
	height := m.page.Height()
	switch rows := m.pageRows(); {
	case m.tail:
		m.top, m.seen = max(0, height-rows), height
	default:
		m.top = min(m.top, max(0, height-rows))
		if height < before {
			m.seen = min(m.seen, height)
		}
	}
}

package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/api/client"
	"rein/terminal/tui/look"
)

// Colours say which of the terminal's colours a screen is drawn with.
type Colours = look.Colours

// Options say what a screen shows and what it can reach.
type Options struct {
	Client *client.Client
	// Again reaches the data again after the process that drove the runs has gone; nil: it cannot be reached.
	Again func(context.Context) (*client.Client, error)

	Session string    // the session to open; empty: a new one
	Task    rein.Task // what every run that starts here gets beside what was typed
	First   string    // what to send at once; empty: nothing

	// Alone reports whether runs end with this process; nil: they do not.
	Alone func() bool

	// Attach reads the files that a text names with @: the text as it is sent, and the images; nil: an @ means nothing.
	Attach func(text string) (string, []rein.Image, error)
	// Files lists files to complete an @ with; nil: there are none.
	Files func() []string
	// Tip returns a command to try in a shell, such as "`rein resume r1`".
	Tip func(command string) string
	// Edit is the editor of the person, with its arguments; empty: there is none.
	Edit []string

	// Notice is what the person should know from the start, such as which provider answers; empty: nothing.
	Notice string

	Unicode bool    // the terminal shows more than ASCII
	Colours Colours // which the person chose; empty: Auto
	// Remember keeps the colours for the next screens; nil: nothing does.
	Remember func(Colours) error
	Mouse    bool // the terminal reports the mouse

	Now func() time.Time // the clock; nil: the system's
}

// A Left is how somebody left the screen.
type Left struct {
	Session string     // empty: nothing was sent
	Run     rein.RunID // the newest run of the session
	Active  bool       // it goes on
	Waits   bool       // it waits for a person
}

// Run shows the screen until the person leaves. Runs go on.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer, env []string) (Left, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(ctx, o)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(env), tea.WithoutSignalHandler())
	final, err := p.Run()
	if last, ok := final.(*Model); ok {
		m = last
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil // whoever ended the context knows why
	}
	return m.left(), err
}

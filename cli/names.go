package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/app"
	"rein/terminal"
)

// The IDs that rein makes are long, because nobody is to guess one. A person names a run by as much of its ID as is
// enough: a beginning, or an end, since IDs begin with the time and so begin alike; or says last.

// lastName stands for the newest of what a command is about.
const lastName = "last"

// leastEnd is how many characters of the end of an ID are a name. Fewer would often fit by chance.
const leastEnd = 4

// How many runs are looked at for one of which only a part of the ID is known: the newest.
const (
	namePages = 10
	namePage  = api.MaxLimit
)

// mostFits is how many of those that fit are listed.
const mostFits = 5

// A fit is something that a name may mean.
type fit struct{ id, status, title string }

// An unclearError is a name that fits several things.
type unclearError struct {
	noun, name string
	fits       []fit // more of them than are listed
}

func (e *unclearError) Error() string {
	n := fmt.Sprintf("%d %ss", len(e.fits), e.noun)
	if len(e.fits) > mostFits {
		n = fmt.Sprintf("more than %d %ss", mostFits, e.noun)
	}
	return fmt.Sprintf("%q fits %s: type more of the one that you mean", e.name, n)
}

// rows are those that fit, as a list shows them.
func (e *unclearError) rows() (rows [][]string) {
	for _, f := range e.fits[:min(len(e.fits), mostFits)] {
		rows = append(rows, []string{"  " + f.id, f.status, f.title})
	}
	return rows
}

// isEnd and isBeginning report whether a name is a part of an ID that can stand for it.
func isEnd(id, name string) bool { return len(name) >= leastEnd && strings.HasSuffix(id, name) }

func isBeginning(id, name string) bool { return name != "" && strings.HasPrefix(id, name) }

// runNamed returns the run that a name means: its ID, last, a beginning or an end of its ID. What stands behind the first
// dot is the way from a root to a run below it, and is typed whole. A name means the same however often it is looked up.
func (c *call) runNamed(ctx context.Context, in *client.Client, name string) (rein.RunID, error) {
	if id, ok := c.named[name]; ok {
		return id, nil
	}
	id, err := findRun(ctx, in, name)
	if err == nil {
		if c.named == nil {
			c.named = map[string]rein.RunID{}
		}
		c.named[name] = id
	}
	return id, err
}

func findRun(ctx context.Context, in *client.Client, name string) (rein.RunID, error) {
	root, below, isChild := strings.Cut(name, rein.Separator)
	var unknown error = rein.Errorf(rein.CodeNotFound, "you have started no run yet")
	if root != lastName {
		if err := rein.RunID(name).Check(); err != nil {
			return "", err
		}
		_, err := in.Run(ctx, rein.RunID(name))
		if rein.CodeOf(err) != rein.CodeNotFound {
			return rein.RunID(name), err
		}
		unknown = err
	}
	found, err := findRoot(ctx, in, root)
	switch {
	case err != nil:
		return "", err
	case found == "":
		return "", unknown
	case !isChild:
		return found, nil
	}
	id := found + rein.Separator + rein.RunID(below)
	_, err = in.Run(ctx, id)
	return id, err
}

// findRoot returns the root that a part of an ID means; empty: none.
func findRoot(ctx context.Context, in *client.Client, name string) (rein.RunID, error) {
	var fits []fit
	q := api.RunQuery{Roots: true, Newest: true, Limit: namePage}
	if name == lastName {
		q.User = rein.Host().User
	}
	for range namePages {
		page, err := in.Runs(ctx, q)
		if err != nil {
			return "", err
		}
		for _, run := range page.Runs {
			id := string(run.ID)
			switch {
			case name == lastName && !isBackground(run.Session):
				return run.ID, nil
			case name != lastName && (isBeginning(id, name) || isEnd(id, name)):
				fits = append(fits, fit{id, terminal.StatusWord(run), titleOf(run)})
			}
		}
		if q.After = page.Next; q.After == "" || len(fits) > mostFits {
			break
		}
	}
	switch len(fits) {
	case 0:
		return "", nil
	case 1:
		return rein.RunID(fits[0].id), nil
	}
	return "", &unclearError{"run", name, fits}
}

// isBackground reports whether a session holds what rein does by itself, such as remembering.
func isBackground(session string) bool { return strings.HasPrefix(session, "background-") }

func titleOf(run rein.RunInfo) string {
	if run.Erased {
		return "(erased)"
	}
	return run.Title
}

// theRun is runNamed for commands that send something to a run.
func (c *call) theRun(ctx context.Context, l *app.App, name string) (rein.RunID, error) {
	id, err := c.runNamed(ctx, l.Client, name)
	return id, c.noRun(err)
}

// seenRun is runNamed for commands that look.
func (c *call) seenRun(ctx context.Context, v *app.View, name string) (rein.RunID, error) {
	id, err := c.runNamed(ctx, v.Client, name)
	return id, c.unknownRun(err, v.Place)
}

// lookUp is runNamed for commands that read the data themselves, and so say themselves what is wrong with it. A name that
// means nothing is returned as it is.
func (c *call) lookUp(ctx context.Context, name string) (rein.RunID, error) {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return rein.RunID(name), nil
	}
	defer v.Close()
	id, err := c.runNamed(ctx, v.Client, name)
	if unclear, ok := errors.AsType[*unclearError](err); ok {
		return "", unclear
	}
	if err != nil {
		return rein.RunID(name), nil
	}
	return id, nil
}

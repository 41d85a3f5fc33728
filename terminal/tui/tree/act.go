package tree

import (
	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
)

// Kind is what a person wants.
type Kind int

const (
	None    Kind = iota
	Open         // the timeline of the run
	Answer       // the ask
	Message      // to the run: somebody writes it first
	Modify       // what the run works on: somebody writes it first
	Comment      // on the run: somebody writes it first
	Pause
	Resume
	Stop
	Delete // the run and everything below it; Confirm is asked first
	Back   // out of the tree
)

// An Act is what a key leads to.
type Act struct {
	Kind    Kind
	Run     rein.RunID
	Ask     rein.AskID // for Answer; it can be one of a run below
	Confirm string     // what to ask before it is done, for what cannot be undone
	Taken   bool       // the key was for the tree
}

// act turns a key into what a person wants of the chosen run, or says why that cannot be.
func (v *Tree) act(kind Kind, t *timeline.Timeline) Act {
	a := Act{Kind: kind, Run: t.Run, Taken: true}
	ended := !t.Ended.IsZero()
	switch kind {
	case None, Open, Comment, Back:
		return a
	case Answer:
		ask, ok := oldest(t)
		if !ok {
			return v.refused("nobody is asked anything here; n goes to a run that waits for you")
		}
		a.Run, a.Ask = ask.Run, ask.ID
	case Delete:
		a.Confirm = confirmed(t)
	case Pause:
		if t.Paused != nil {
			a.Kind = Resume
		}
	}
	if ended {
		return v.refused("this run has ended: c leaves a comment on it")
	}
	return a
}

func (v *Tree) refused(why string) Act {
	v.hint = why
	return Act{Taken: true}
}

// confirmed is what somebody is asked before a run is deleted.
func confirmed(t *timeline.Timeline) string {
	const most = 60
	text := "Delete “" + short(title(t), most) + "”? It ends now"
	_, unfinished := runs(t)
	if below := unfinished - 1; below > 0 {
		text += ", with " + units.Count(int64(below), "unfinished run") + " below it"
	}
	return text + ". What it found is not used. The log stays. This cannot be undone."
}

func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

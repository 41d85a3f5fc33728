package kit

import (
	"errors"

	"rein"
	"rein/internal/quote"
)

// Hear adds what people said meanwhile to the conversation. What they want instead of the task comes
// last in it, and says so.
func Hear(run rein.Run, task rein.Task, talk []rein.Message) ([]rein.Message, error) {
	items, err := run.Inbox()
	for _, item := range items {
		talk = append(talk, Told(task, item))
	}
	return talk, err
}

// Told is what was said to the run, as a message for the model. What another run says is not what a person wants.
func Told(task rein.Task, item rein.Item) rein.Message {
	if item.From != "" {
		return rein.Message{Role: rein.Developer, Text: AsTold(task, item)}
	}
	return rein.Message{Role: rein.User, Text: AsTold(task, item)}
}

// AsTold is what a person or another run said, as the model reads it.
func AsTold(task rein.Task, item rein.Item) string {
	switch {
	case item.From != "":
		return Say(task, "from run") + "\n" + quote.Untrusted("run "+string(item.From), item.Text)
	case item.Kind != rein.CommandModify:
		return item.Text
	case item.Cause != "":
		return Say(task, "instead of the whole", item.Text)
	}
	return Say(task, "instead", item.Text)
}

// Interruptible does what people may interrupt. What they want instead becomes part of the conversation, which
// do is given, and it is done again.
func Interruptible(run rein.Run, task rein.Task, talk []rein.Message, do func(talk []rein.Message) error) ([]rein.Message, error) {
	for {
		var err error
		if talk, err = Hear(run, task, talk); err == nil {
			err = do(talk)
		}
		if !errors.Is(err, rein.ErrInterrupted) {
			return talk, err
		}
	}
}

// Ends reports whether the error says that a person has ended the run.
func Ends(err error) bool {
	return errors.Is(err, rein.ErrStopped) || errors.Is(err, rein.ErrCancelled) || errors.Is(err, rein.ErrDeleted)
}

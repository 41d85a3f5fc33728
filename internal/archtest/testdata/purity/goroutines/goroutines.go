package goroutines

import "rein"

func Flow(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	go run.Inbox() // want go
	go func() {    // want go
	}()
	return rein.Outcome{}, nil
}

package branches

import "rein"

func Flow(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	err := run.Parallel(
		func(rein.Run) error {
			_, err := run.Inbox() // want branch
			return err
		},
		func(r rein.Run) error {
			return r.Parallel(func(own rein.Run) error {
				_, err := own.Inbox()
				_, _ = r.Inbox() // want branch
				return err
			})
		},
	)
	return rein.Outcome{}, err
}

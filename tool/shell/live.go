package shell

import (
	"context"
	"slices"

	"rein"
)

// Live lists the commands that run, the oldest first, without the secrets in their lines.
func (j *Jobs) Live() ([]Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all, err := j.kept(rein.Place{})
	return slices.DeleteFunc(all, func(about Job) bool { return j.running[about.Handle] == nil }), err
}

// Stop ends a command, and returns when nothing of it is left.
func (j *Jobs) Stop(ctx context.Context, of rein.Place, handle string) error {
	_, err := j.stop(ctx, of, handle)
	return err
}

package files

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"rein"
)

// A Known is a file that a run has read or written, and the SHA-256 of what it held then. Of one that it removed the
// hash is empty.
type Known struct{ Path, Hash string }

// Past returns the files that the run of a call knows, the oldest first. It must come from the run's log, so that it
// also holds after a crash and in another process.
type Past func(context.Context, rein.Invocation) ([]Known, error)

// unchanged lets a call be shown only if the files that it changes are what the run saw of them last: a model that
// read something else would write over what it does not know. The call is pinned to what is shown, so nothing can
// change after that.
func (w writer) unchanged(show func(context.Context, rein.Invocation) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	if w.past == nil {
		return show
	}
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		shown, err := show(ctx, inv)
		if err != nil {
			return shown, err
		}
		var now []Written
		if err := json.Unmarshal([]byte(shown.Pin["shown"]), &now); err != nil {
			return rein.Shown{}, err
		}
		known, err := w.past(ctx, inv)
		if err != nil {
			return rein.Shown{}, err
		}
		return shown, w.root.compare(now, known)
	}
}

// compare reports the first file that is not what the run saw last.
func (r *Root) compare(now []Written, known []Known) error {
	last := map[string]string{}
	for _, k := range known {
		if local, err := r.within(k.Path); err == nil {
			last[filepath.ToSlash(filepath.Clean(local))] = k.Hash
		}
	}
	for _, f := range now {
		hash, ok := last[f.Path]
		before, _, _ := strings.Cut(f.Before, "+") // a mode is not read
		switch {
		case !ok || hash == before:
		case before == "":
			return rein.Errorf(rein.CodeConflict, "%s was removed since you read it: nothing was changed; look again before you write it", quoted(f.Path))
		default:
			return rein.Errorf(rein.CodeConflict, "%s was changed since you read it, by someone else or by a command: nothing was changed; read it again, then change it", quoted(f.Path))
		}
	}
	return nil
}

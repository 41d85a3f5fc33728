package export

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"rein"
	"rein/journal/timeline"
)

// runs returns the runs that are exported, in the order of the conversation, page by page.
func (x *exporter) runs(ctx context.Context) iter.Seq2[rein.RunInfo, error] {
	return func(yield func(rein.RunInfo, error) bool) {
		if x.Run != "" {
			yield(x.Client.Run(ctx, x.Run))
			return
		}
		for after, more := rein.RunID(""), true; more; {
			page, err := x.Client.SessionHistory(ctx, x.session.ID, after)
			if err != nil {
				yield(rein.RunInfo{}, err)
				return
			}
			for _, info := range page.Runs {
				if !yield(info, nil) {
					return
				}
			}
			after, more = page.Next, page.Next != ""
		}
	}
}

// fold reads the log of a run, and of those below it, into its timeline.
func (x *exporter) fold(ctx context.Context, run rein.RunID) (*folded, error) {
	f := &folded{timeline.New(run), map[rein.RunID]logHead{}}
	for cursor, more := "", true; more; {
		page, err := x.Client.Events(ctx, run, cursor, true)
		if err != nil {
			return nil, fmt.Errorf("read the log of run %s: %w", run, err)
		}
		for _, line := range page.Lines {
			if e := line.Event; e != nil && f.Event(*e) {
				f.heads[e.Run] = logHead{e.Run, e.Seq, e.Hash}
			}
		}
		cursor, more = page.Next, page.More
	}
	return f, nil
}

// logs lists where the logs of the tree end.
func (f *folded) logs() []logHead {
	return slices.SortedFunc(maps.Values(f.heads), func(a, b logHead) int { return cmp.Compare(a.Run, b.Run) })
}

// files writes which files the session has. A rein that keeps none says so, and that is no reason to fail.
func (x *exporter) files(ctx context.Context) error {
	if x.Run != "" {
		return nil
	}
	list, err := x.Client.Files(ctx, x.session.ID)
	if code := rein.CodeOf(err); code == rein.CodeUnavailable || err == nil && len(list) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list the files of session %s: %w", x.session.ID, err)
	}
	p := &files{}
	for _, f := range list {
		kept := file{Name: f.Name, Type: f.Type, Size: f.Size, Changed: f.Changed, Run: f.Run}
		if isPicture(f.Type) {
			kept.Picture = x.picture(rein.Image{Type: f.Type, Name: f.Name, Size: f.Size}, func() ([]byte, error) {
				return x.Client.File(ctx, x.session.ID, f.Name)
			})
		}
		p.All = append(p.All, kept)
	}
	return x.form.put(p)
}

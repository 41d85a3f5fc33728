package storetest

import (
	"bytes"
	"strings"

	"rein"
	"rein/store"
)

// named is an event that names a content, and keeps it.
func named(content []byte) store.Draft {
	text := store.NewText(content)
	d := note("made")
	d.Data = rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Images: []rein.Image{{Type: "image/png", SHA256: text.Hash}}}}
	d.Keep = []store.Text{text}
	return d
}

func (f *fixture) kept(run rein.RunID, content []byte) (bool, error) {
	data, err := f.store.Kept(f.ctx, run, store.NewText(content).Hash)
	return bytes.Equal(data, content), err
}

var keepTests = []test{
	{"what an event names is kept, for the runs that name it", func(f *fixture) {
		picture, brought := bytes.Repeat([]byte{0, '"', 0xff, '\\'}, 500), []byte("short")
		s := f.root("r")
		s.Start.Task.Messages[0].Images = []rein.Image{{SHA256: store.NewText(brought).Hash}}
		s.Keep = []store.Text{store.NewText(brought)}
		f.start(s)
		f.driver("r").append(named(picture), named(picture))
		f.drive("s").append(named(picture))
		for _, run := range []rein.RunID{"r", "s"} {
			if same, err := f.kept(run, picture); !same || err != nil {
				f.Errorf("run %s: %v", run, err)
			}
		}
		if same, err := f.kept("r", brought); !same || err != nil {
			f.Errorf("of a task: %v", err)
		}
		_, err := f.kept("s", brought)
		f.refused(err, rein.CodeNotFound)
		_, err = f.kept("nobody", picture)
		f.refused(err, rein.CodeNotFound)
	}},
	{"it goes with the last run that names it", func(f *fixture) {
		picture := []byte(strings.Repeat("picture", 100))
		for _, run := range []rein.RunID{"r", "s"} {
			d := f.drive(run)
			d.append(named(picture))
			d.finish(rein.EndDone)
		}
		for i, run := range []rein.RunID{"r", "s"} {
			if err := f.store.Erase(f.ctx, These(run)); err != nil {
				f.Fatal(err)
			}
			_, err := f.kept(run, picture)
			f.refused(err, rein.CodeNotFound)
			if same, err := f.kept("s", picture); i == 0 && (!same || err != nil) {
				f.Errorf("it went with the first: %v", err)
			}
		}
	}},
	{"an append that is refused keeps nothing", func(f *fixture) {
		d := f.drive("r")
		d.epoch++
		_, err := d.try(named([]byte("picture")))
		f.refused(err, rein.CodeStale)
		_, err = f.kept("r", []byte("picture"))
		f.refused(err, rein.CodeNotFound)
	}},
	{"one that is missing is found by the audit", func(f *fixture) {
		d := f.drive("r")
		draft := named([]byte("picture"))
		draft.Keep = nil
		d.append(draft)
		verdict, err := f.store.Verify(f.ctx, "r")
		if err != nil || len(verdict.Wrong) != 1 || !strings.Contains(verdict.Wrong[0], "its image") {
			f.Errorf("%q %v", verdict.Wrong, err)
		}
		d.finish(rein.EndDone)
		if err := f.store.Erase(f.ctx, These("r")); err != nil { // else the test would not be sound
			f.Fatal(err)
		}
	}},
}

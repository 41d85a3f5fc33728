package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"rein"
)

// selectKept finds a content among those that the run refers to: nobody gets at another run's by its hash.
const selectKept = `SELECT t.data FROM runs r JOIN text_refs f ON f.run_n = r.n JOIN texts t ON t.n = f.text_n WHERE r.id = ? AND t.hash = ?`

// Kept implements store.Logs.
func (s *Store) Kept(ctx context.Context, run rein.RunID, hash rein.Hash) (data []byte, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		data, err = v.kept(run, hash)
		return err
	})
	return data, err
}

func (v *snapshot) kept(run rein.RunID, hash rein.Hash) (data []byte, err error) {
	err = v.tx.QueryRowContext(v.ctx, selectKept, string(run), hash[:]).Scan(&data)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, rein.Errorf(rein.CodeNotFound, "run %s has no content %s", run, hash)
	case err != nil:
		return nil, err
	case sha256.Sum256(data) != hash:
		return nil, rein.Errorf(rein.CodeDamaged, "content %s of run %s is not what was written: restore a backup", hash, run)
	}
	return data, nil
}

// named is how an event that names a content has it in its payload.
var named = []byte(`"sha256":"`)

// contents checks that the contents which an event names are there, as they were written.
func (a *audit) contents(l *logRow) {
	if l.Erased || !bytes.Contains(l.Data, named) {
		return
	}
	for _, image := range imagesOf(l.Event) {
		if !image.IsReference() {
			continue
		}
		if _, err := a.kept(a.Run, image.SHA256); err != nil {
			a.wrong("event %d: its image: %v", l.Seq, err)
		}
	}
}

// imagesOf returns the images of an event: of a task, of what a prompt adds, of a tool's result.
func imagesOf(e rein.Event) (images []rein.Image) {
	payload, err := rein.Decode(e)
	if err != nil {
		return nil
	}
	var messages []rein.Message
	switch p := payload.(type) {
	case *rein.RunStart:
		messages = p.Task.Messages
	case *rein.StepStart:
		if p.Prompt != nil {
			messages = p.Prompt.Add
		}
	case *rein.StepEnd:
		if p.Result != nil {
			images = p.Result.Images
		}
	}
	for _, m := range messages {
		images = append(images, m.Images...)
	}
	return images
}

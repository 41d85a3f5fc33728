package vault

import (
	"context"
	"fmt"
	"time"

	"rein/vault/chunk"
	"rein/vault/index"
	"rein/vault/rank"
)

const (
	// wordsTime bounds how long a search waits until the words of a new vault are indexed; those of
	// 1,500 notes take less than a second.
	wordsTime = 10 * time.Second
	// A search makes vectors of the passages that have none and that it is about to rank, so many and for
	// so long: what is asked for should not wait for all the rest.
	neededPieces = 16
	neededTime   = 2 * time.Second
)

// waitWords returns when the first look through the folder has ended, or has taken too long.
func (v *Vault) waitWords(ctx context.Context) error {
	select {
	case <-v.scanned:
		return nil
	default:
	}
	late := time.NewTimer(wordsTime)
	defer late.Stop()
	select {
	case <-v.scanned:
	case <-late.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// behind says what of the folder is not in the index yet.
func (v *Vault) behind() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []string
	building := v.working.Phase == "words"
	select {
	case <-v.scanned:
	default:
		building = true
	}
	if building {
		all = append(all, "the index is being built: notes may be missing")
	}
	if n := v.index.Waiting(); n > 0 && v.embedder != nil {
		all = append(all, fmt.Sprintf("%d passages have no vectors yet and are found by words only: their vectors are being made", n))
	}
	if v.writeErr != nil {
		all = append(all, "the index is behind: "+v.writeErr.Error())
	}
	return all
}

// makeNeeded makes the vectors that are missing of the passages that fit the words of a search best. A
// process may end long before it has made all of them, and still every search leaves some behind.
func (v *Vault) makeNeeded(ctx context.Context, s *search) {
	v.mu.Lock()
	down := v.embedErr != nil && !stopped(v.embedErr)
	v.mu.Unlock()
	if down || v.index.Waiting() == 0 {
		return
	}
	need := v.needed(s)
	if len(need) == 0 {
		return
	}
	v.need(1)
	defer v.need(-1)
	ctx, cancel := context.WithTimeout(ctx, neededTime)
	defer cancel()
	b := &batch{vault: v, meter: newMeter(v, "vectors", v.index.Waiting()), size: firstTexts}
	defer b.meter.end()
	for _, m := range need {
		if b.addNote(ctx, m) != nil {
			return // the search goes on with what there is
		}
	}
	_ = b.flush(ctx)
}

// need counts searches for which the vectors of all else wait.
func (v *Vault) need(n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.needing += n
}

// needed lists the passages without vectors among those that words rank first, by note.
func (v *Vault) needed(s *search) (need []index.Missing) {
	_ = v.index.Look(func(view *index.View) error {
		allowed := view.Allowed(s.Filter)
		for _, text := range s.Texts {
			scores := view.Words(text).Score
			for i := range scores {
				if !allowed[i] || scores[i] == 0 {
					scores[i] = none
				}
			}
			for _, c := range rank.Top(neededPieces, scores) {
				if path, key, ok := view.Lacks(c.Piece); ok {
					need = append(need, index.Missing{Path: path, Keys: map[chunk.Hash]bool{key: true}})
				}
			}
		}
		return nil
	})
	return need[:min(len(need), neededPieces)]
}

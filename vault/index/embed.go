package index

import (
	"maps"
	"math"
	"os"
	"slices"

	"rein"
	"rein/vault/chunk"
)

// AddVectors keeps what was made of passages: for each a vector per window. Searches see them when it
// returns; they are safe from a crash a second later at most, or after Flush. Vectors of another
// dimension than the index has are refused.
func (x *Index) AddVectors(made map[chunk.Hash][][]float32) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.RLock()
	v := x.vec
	x.mu.RUnlock()
	if v == nil {
		return errClosed()
	}
	var all []passageVectors
	for _, key := range slices.SortedFunc(maps.Keys(made), func(a, b chunk.Hash) int { return slices.Compare(a[:], b[:]) }) {
		windows := made[key]
		if len(windows) == 0 {
			continue
		}
		for _, w := range windows {
			if err := checkVector(w, v.dim); err != nil {
				return err
			}
		}
		if _, ok := v.slots[key]; !ok { // only this goroutine writes slots
			all = append(all, passageVectors{key, windows[:min(len(windows), maxWindows)]})
		}
	}
	if len(all) == 0 {
		return nil
	}
	publish, err := v.write(all)
	if err != nil {
		return err
	}
	x.publishVectors(publish, all)
	if v.isDue() {
		return v.commit()
	}
	return nil
}

func (x *Index) publishVectors(publish func(), all []passageVectors) {
	x.mu.Lock()
	defer x.mu.Unlock()
	publish()
	for _, p := range all {
		for _, at := range x.waiting[p.key] {
			at.seg.slots[at.i] = x.vec.slots[p.key]
		}
		delete(x.waiting, p.key)
	}
}

// Flush makes safe what AddVectors was given.
func (x *Index) Flush() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.vec == nil { // changed under writing only
		return nil
	}
	return x.vec.commit()
}

func checkVector(w []float32, dim int) error {
	if len(w) != dim {
		return rein.Errorf(rein.CodeInvalid, "a vector of %d numbers does not fit an index of %d: vectors of two models cannot be compared", len(w), dim)
	}
	for _, f := range w {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
			return rein.Errorf(rein.CodeInvalid, "a vector has a number that is none")
		}
	}
	return nil
}

// compactVectors writes the vectors anew without those of passages that are gone, if most are.
func (x *Index) compactVectors() error {
	live := map[chunk.Hash]slot{}
	rows := 0
	for _, s := range x.segs {
		for p := range s.slots {
			key := s.key(p)
			at, ok := x.vec.slots[key]
			if _, had := live[key]; ok && !had && s.alive[p] {
				live[key] = at
				rows += int(at.count)
			}
		}
	}
	if x.vec.rows < 4*blockRows || rows*2 > x.vec.rows || len(x.segs) == 0 {
		return nil
	}
	old, name := x.vec, x.newName("vectors-")
	fresh, err := openVectors(x.dir, name, old.dim)
	if err != nil {
		return err
	}
	if err := old.copyTo(fresh, live); err != nil {
		fresh.close()
		return err
	}
	was := x.m.Vectors
	x.vec, x.m.Vectors = fresh, name
	old.close()
	if err := x.m.write(x.dir); err != nil {
		return err
	}
	for _, file := range vectorFiles(x.dir, was) {
		_ = os.Remove(file)
	}
	return nil
}

func (v *vectors) copyTo(fresh *vectors, live map[chunk.Hash]slot) error {
	buffer := make([]byte, v.dim*4)
	var batch []passageVectors
	flush := func() error {
		publish, err := fresh.write(batch)
		if err != nil {
			return err
		}
		publish()
		batch = batch[:0]
		return fresh.commit()
	}
	for key, at := range live {
		p := passageVectors{key: key}
		for i := range at.count {
			w := make([]float32, v.dim)
			if err := v.exactRow(int(at.first+i), w, buffer); err != nil {
				return err
			}
			p.windows = append(p.windows, w)
		}
		if batch = append(batch, p); len(batch) == 1000 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

package vault

import (
	"sync"

	"rein/vault/index"
	"rein/vault/rank"
)

// one is the evidence that one query has for every piece.
type one struct {
	words *index.Matches
	near  *index.Near // nil: there are no vectors
	names map[int]named
}

type named struct {
	score float64
	name  string
}

func newOne(view *index.View, text string, vector []float32) (*one, error) {
	o := &one{names: map[int]named{}}
	var err error
	var scan sync.WaitGroup
	if vector != nil && view.Dim() > 0 {
		scan.Go(func() { o.near, err = view.Near(vector) })
	}
	o.words = view.Words(text)
	scan.Wait()
	if err != nil {
		return nil, err
	}
	weights := map[string]float64{}
	for _, t := range o.words.Terms {
		weights[t.Text] = t.IDF
	}
	for _, n := range view.Names(text) {
		o.addName(view, n, weights)
	}
	return o, nil
}

// addName credits a note that the query names: its first piece most, the others somewhat.
func (o *one) addName(view *index.View, n index.Named, weights map[string]float64) {
	score := rank.NameWhole
	switch {
	case n.How == "tag":
		score = rank.TagWhole
	case !n.Whole:
		share, all := 0.0, 0.0
		for _, w := range n.Words {
			share += weights[w]
		}
		for _, w := range weights {
			all += w
		}
		score = rank.NamePart * share / max(all, share, 1e-9)
	}
	found := view.Piece(n.Piece)
	for i := range found.Note.Pieces() {
		piece, s := n.Piece-found.Ordinal+i, score
		if i > 0 {
			s *= rank.OtherPieces
		}
		if s > o.names[piece].score {
			o.names[piece] = named{s, n.How + " " + n.Name}
		}
	}
}

// parts returns the evidence for a piece; not ok if there is none.
func (o *one) parts(piece int) (rank.Parts, bool) {
	p := rank.Parts{Words: float64(o.words.Score[piece]), Rare: rank.RareWord * o.words.Rare[piece]}
	if n, ok := o.names[piece]; ok {
		p.Name, p.Named = n.score, n.name
	}
	if o.near != nil {
		if c := o.near.Cosine[piece]; c != index.None {
			p.Vectors, p.Vector = true, float64(c)
		}
	}
	return p, p.Words > 0 || p.Name > 0 || p.Vector >= nearEnough
}

// exact returns how near candidates are exactly; nothing if there are no vectors.
func (o *one) exact(list []rank.Candidate) ([]float32, error) {
	if o.near == nil {
		return nil, nil
	}
	pieces := make([]int, len(list))
	for i, c := range list {
		pieces[i] = c.Piece
	}
	return o.near.Exact(pieces)
}

// none marks a piece that is no candidate.
const none = -1

// scores returns about what each piece scores. It says the same as parts, fast.
func (o *one) scores(view *index.View, allowed []bool, short int) []float32 {
	all := view.Numbers()
	view.EachSize(func(first int, sizes []uint32) {
		n := len(sizes)
		out, words, allowed := all[first:][:n], o.words.Score[first:][:n], allowed[first:][:n]
		if o.near == nil {
			for i := range out {
				out[i] = score(words[i], index.None)
			}
		} else {
			for i, cosine := range o.near.Cosine[first:][:n] {
				out[i] = score(words[i], cosine)
			}
		}
		for i, size := range sizes {
			if int(size) < short && out[i] > 0 {
				out[i] *= float32(rank.Shortness(int(size), short))
			}
			if !allowed[i] {
				out[i] = none
			}
		}
	})
	special := func(piece int) {
		if p, ok := o.parts(piece); ok && allowed[piece] {
			p.Short = rank.Shortness(view.Size(piece), short)
			all[piece] = float32(p.Score())
		}
	}
	for piece := range o.names {
		special(piece)
	}
	for piece := range o.words.Rare {
		special(piece)
	}
	return all
}

// score adds up what words and vectors say of a piece.
func score(words, cosine float32) float32 {
	if words == 0 && cosine < nearEnough {
		return none
	}
	near := max(0, cosine)
	if cosine == index.None {
		near = min(words, rank.Unseen)
	}
	return rank.WordsWeight*words + rank.VectorWeight*near
}

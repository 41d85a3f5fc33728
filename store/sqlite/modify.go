package sqlite

import "rein"

// modify records a change of what a run is to do, and repeats it to everything below that has not ended
// and is not ending: their work is a part of what was changed.
func (w *writer) modify(h *head, c *sent) (rein.Receipt, error) {
	receipt, err := w.take(h, c)
	if err != nil {
		return receipt, err
	}
	ids, err := w.unfinishedBelow(h)
	if err != nil {
		return receipt, err
	}
	for _, id := range ids {
		below, err := w.head(id)
		if err != nil {
			return receipt, err
		}
		if below.ending != "" {
			continue
		}
		follow, err := following(c, id, receipt.Command)
		if err != nil {
			return receipt, err
		}
		if err := w.countFollowing(below, follow); err != nil {
			return receipt, err
		}
		if _, err := w.take(below, follow); err != nil {
			return receipt, err
		}
		receipt.Touched = append(receipt.Touched, id)
	}
	return receipt, nil
}

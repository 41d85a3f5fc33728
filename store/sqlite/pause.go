package sqlite

import "rein"

// isPause reports whether the command pauses runs or resumes them.
func isPause(k rein.CommandKind) bool { return k == rein.CommandPause || k == rein.CommandResume }

// pause records a command that holds a run or lets it go on, and repeats it to everything below.
func (w *writer) pause(h *head, c *sent) (rein.Receipt, error) {
	if h.ending != "" && c.Kind == rein.CommandPause {
		return rein.Receipt{}, rein.Errorf(endingCode(h.ending), "run %s is ending (%s): it cannot be paused", h.id, h.ending)
	}
	below, err := w.pausedOtherwise(h, c)
	if err != nil {
		return rein.Receipt{}, err
	}
	if len(below) == 0 && !h.pausedOtherwise(c) {
		return w.obeyed(h, c, c.Kind)
	}
	receipt, err := w.pauseOne(h, c)
	if err != nil {
		return receipt, err
	}
	for _, run := range below {
		follow, err := following(c, run.id, receipt.Command)
		if err != nil {
			return receipt, err
		}
		if _, err := w.pauseOne(run, follow); err != nil {
			return receipt, err
		}
		receipt.Touched = append(receipt.Touched, run.id)
	}
	return receipt, nil
}

// pausedOtherwise returns the unfinished runs below that the command changes.
func (w *writer) pausedOtherwise(h *head, c *sent) (runs []*head, err error) {
	ids, err := w.unfinishedBelow(h)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		below, err := w.head(id)
		if err != nil {
			return nil, err
		}
		if below.pausedOtherwise(c) {
			runs = append(runs, below)
		}
	}
	return runs, nil
}

// pausedOtherwise reports whether the command changes the run. One that is ending is not held any more.
func (h *head) pausedOtherwise(c *sent) bool {
	return h.ending == "" && h.paused != (c.Kind == rein.CommandPause)
}

func (w *writer) pauseOne(h *head, c *sent) (rein.Receipt, error) {
	h.paused = c.Kind == rein.CommandPause && h.ending == ""
	return w.record(h, c, rein.ReceiptApplied, "")
}

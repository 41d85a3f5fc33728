package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"rein"
)

// maxCached bounds what the writer remembers, whatever the number of runs that wait.
const maxCached = 4096

// A head is what the writer must know of a run to append to it.
type head struct {
	id                    rein.RunID
	n, session, household int64
	done, paused          bool
	mode                  rein.Mode
	status                rein.Status
	ending                rein.CommandKind
	epoch, seq, command   int64
	wake                  sql.NullInt64 // microseconds
	started, changed      int64         // microseconds
	account               *account
	driven                bool // its account counts it
	hash                  rein.Hash
	digest                rein.Hash    // zero: erased
	noAsks                bool         // it has never opened an ask; false: not known
	ledger                *rein.Ledger // of a root; nil: not looked up
	outcome               []byte       // as it will be kept; nil: the run has not ended, or it is kept
}

// A textKey is what a text is known by.
type textKey struct {
	household int64
	hash      rein.Hash
}

// wakeBy makes the run due at the given time, if it is not due earlier.
func (h *head) wakeBy(at time.Time) {
	if !h.wake.Valid || h.wake.Int64 > at.UnixMicro() {
		h.wake = sql.NullInt64{Int64: at.UnixMicro(), Valid: true}
	}
}

func (h *head) finished() error {
	return rein.Errorf(rein.CodeFinished, "run %s has ended (%s)", h.id, h.status)
}

// head returns what is known of a run, or CodeNotFound.
func (w *writer) head(id rein.RunID) (*head, error) {
	w.usedHeads = append(w.usedHeads, id)
	if h := w.heads[id]; h != nil {
		return h, nil
	}
	h := &head{id: id}
	var hash, digest []byte
	var user string
	err := w.getHead.QueryRowContext(context.Background(), id).Scan(&h.n, &h.session, &h.household, &user, &h.done,
		&h.status, &h.ending, &h.paused, &h.mode, &h.epoch, &h.seq, &h.command, &h.wake, &h.started, &h.changed, &hash, &digest, &h.driven)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound(id)
	}
	if err != nil {
		return nil, err
	}
	copy(h.hash[:], hash)
	copy(h.digest[:], digest)
	if h.account, err = w.accountOf(h.household, user); err != nil {
		return nil, err
	}
	w.heads[id] = h
	return h, nil
}

func notFound(id rein.RunID) error {
	return rein.Errorf(rein.CodeNotFound, "there is no run %q", string(id))
}

// saveSeq writes a head of which only the log has grown.
func (w *writer) saveSeq(h *head) error {
	used, overrun := h.spent()
	return w.put(w.setSeq, h.seq, h.hash[:], h.changed, used, overrun, h.n)
}

func (w *writer) saveHead(h *head) error {
	used, overrun := h.spent()
	err := w.put(w.setHead, h.seq, h.hash[:], h.changed, h.done, string(h.status), string(h.ending), h.paused, h.epoch, h.command, h.wake, h.driven,
		used, overrun, h.outcome, h.n)
	h.outcome = nil
	return err
}

// spent packs what has changed of the ledger; nil leaves the columns as they are.
func (h *head) spent() (used, overrun []byte) {
	if h.ledger == nil {
		return nil, nil
	}
	return notNull(packAmount(h.ledger.Used)), notNull(packAmount(h.ledger.Overrun))
}

// payer returns the root of the tree that the run is in, with its ledger. Whoever changes the ledger saves
// the root.
func (w *writer) payer(id rein.RunID) (*head, error) {
	root, err := w.head(id.Root())
	if err == nil && root.ledger == nil {
		root.ledger, err = scanLedger(w.getLedger.QueryRowContext(context.Background(), root.n), root.id)
	}
	return root, err
}

func scanLedger(row *sql.Row, root rein.RunID) (*rein.Ledger, error) {
	l := &rein.Ledger{Root: root}
	var cap, used, overrun []byte
	if err := row.Scan(&cap, &l.Cap.Depth, &used, &overrun); err != nil {
		return nil, err
	}
	var errs [3]error
	l.Cap.Amount, errs[0] = unpackAmount(cap)
	l.Used, errs[1] = unpackAmount(used)
	l.Overrun, errs[2] = unpackAmount(overrun)
	return l, errors.Join(errs[:]...)
}

// forget empties the cache: the transaction that it followed did not happen.
func (w *writer) forget() {
	w.heads = map[rein.RunID]*head{}
	w.known = map[textKey]int64{}
	w.households = map[string]int64{}
	w.houses = map[int64]*house{}
	w.dirty = nil
	w.folded, w.typed = unknownMark, unknownMark
}

// forgetUsed drops what the request under way has touched: it was undone.
func (w *writer) forgetUsed() {
	for _, id := range w.usedHeads {
		delete(w.heads, id)
	}
	clear(w.known)
}

// trim keeps the cache within its bound. It runs between transactions only, because a request may
// hold on to a head. Which ones go does not matter: they can be read again.
func (w *writer) trim() {
	for id := range w.heads {
		if len(w.heads) <= w.limit {
			break
		}
		delete(w.heads, id)
	}
	if len(w.known) > w.limit {
		clear(w.known)
	}
}

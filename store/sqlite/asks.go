package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"rein"
	"rein/store"
)

// openAsk adds an ask. In a run that is already ending it opens withdrawn: nobody should be asked
// by a run that will not read the answer.
func (w *writer) openAsk(h *head, ask rein.Ask) error {
	if h.ending != "" {
		ask = closed(ask, rein.Answer{State: rein.AskWithdrawn}, ask.Opened)
	}
	blob, err := w.keep(h, ask)
	if err != nil {
		return err
	}
	h.noAsks = false
	added, err := w.changeOne(w.addAsk, string(ask.ID), h.n, string(ask.State), blob)
	if err == nil && !added {
		return rein.Errorf(rein.CodeConflict, "ask %s exists already", ask.ID)
	}
	if err == nil {
		err = w.listAsk(h.household, h.account.user, ask, "")
	}
	if err == nil && ask.State != rein.AskPending {
		err = w.listAsk(h.household, h.account.user, ask, ask.State)
	}
	return err
}

// ask returns an ask of the run.
func (w *writer) ask(h *head, id rein.AskID) (ask rein.Ask, err error) {
	var blob []byte
	err = w.getAsk.QueryRowContext(context.Background(), string(id), h.n).Scan(&blob)
	if errors.Is(err, sql.ErrNoRows) {
		return ask, rein.Errorf(rein.CodeNotFound, "run %s has no ask %q", h.id, string(id))
	}
	if err != nil {
		return ask, err
	}
	return decodeAsk(blob, w.texts(h.household))
}

func decodeAsk(blob []byte, lookup func(rein.Hash) ([]byte, bool)) (ask rein.Ask, err error) {
	data, err := store.Unpack(blob, lookup)
	if err != nil {
		return ask, err
	}
	if err := json.Unmarshal(data, &ask); err != nil {
		return ask, rein.Errorf(rein.CodeDamaged, "an ask cannot be read: %w", err)
	}
	return ask, nil
}

// texts looks up texts inside the transaction.
func (w *writer) texts(household int64) func(rein.Hash) ([]byte, bool) {
	return func(hash rein.Hash) (text []byte, found bool) {
		err := w.getText.QueryRowContext(context.Background(), hash[:], household).Scan(&text)
		return text, err == nil
	}
}

func closed(ask rein.Ask, answer rein.Answer, at time.Time) rein.Ask {
	ask.State, ask.Answer, ask.Closed = answer.State, answer, stamp(at)
	return ask
}

// closeAsk is the one way out of pending.
func (w *writer) closeAsk(h *head, ask rein.Ask, answer rein.Answer, at time.Time) error {
	blob, err := w.keep(h, closed(ask, answer, at))
	if err != nil {
		return err
	}
	changed, err := w.changeOne(w.setAsk, string(answer.State), blob, string(ask.ID))
	if err == nil && !changed {
		return rein.Errorf(rein.CodeInternal, "ask %s was not pending when it was closed", ask.ID)
	}
	if err != nil {
		return err
	}
	return w.listAsk(h.household, h.account.user, ask, answer.State)
}

// notPending says who closed the ask, if someone did.
func notPending(ask rein.Ask) error {
	if ask.State == rein.AskPending {
		return nil
	}
	by, text := ask.Answer.By, ""
	if by == "" {
		by = "the run's end"
	}
	if ask.Answer.Text != "" {
		text = " (" + rein.Clip(ask.Answer.Text, maxTitle) + ")"
	}
	return rein.Errorf(rein.CodeClosed, "ask %s is closed: %s%s by %s at %s",
		ask.ID, ask.State, text, by, ask.Closed.Format(time.RFC3339))
}

// withdrawAsks closes all open asks of the run.
func (w *writer) withdrawAsks(h *head, by string, at time.Time) error {
	if h.noAsks {
		return nil
	}
	blobs, err := w.pendingBlobs(h)
	if err != nil {
		return err
	}
	for _, blob := range blobs {
		ask, err := decodeAsk(blob, w.texts(h.household))
		if err != nil {
			return err
		}
		if err := w.closeAsk(h, ask, rein.Answer{State: rein.AskWithdrawn, By: by}, at); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) pendingBlobs(h *head) (blobs [][]byte, err error) {
	rows, err := w.pendingAsks.QueryContext(context.Background(), h.n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var blob []byte
		if err := rows.Scan(&blob); err != nil {
			return nil, err
		}
		blobs = append(blobs, blob)
	}
	return blobs, rows.Err()
}

// mayAnswer refuses an answer that whoever gives it may not give. What the engine itself takes back is nobody's answer.
func (w *writer) mayAnswer(h *head, ask rein.Ask, answer rein.Answer) error {
	if w.store.roles == nil || answer.By == system && answer.State == rein.AskDeclined {
		return nil
	}
	house, err := w.house(h.household)
	if err != nil {
		return err
	}
	return w.store.roles.MayAnswer(context.Background(), w.conn, store.Answering{Household: house.name, Owner: h.account.user, Ask: ask, Answer: answer})
}

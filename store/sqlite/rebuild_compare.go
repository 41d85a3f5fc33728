package sqlite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"rein"
)

// compare says where what people see of the run is not what its log makes of it.
func (r *rebuild) compare() error {
	if r.h == nil {
		return nil
	}
	if err := r.w.saveHead(r.h); err != nil {
		return err
	}
	for _, part := range []func() error{r.compareRun, r.compareAsks, r.compareReceipts} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rebuild) compareRun() error {
	has, err := r.row.finish(r.texts(r.row.household))
	if err != nil {
		r.wrong("its outcome cannot be read: %v", err)
		return nil
	}
	want, err := r.w.info(r.h)
	if err != nil {
		return err
	}
	want.Erased = r.Erased > 0
	if want.Erased && want.Outcome != nil {
		want.Outcome = &rein.RunEnd{Outcome: rein.Outcome{End: want.Outcome.End}}
	}
	r.allow(has, &want)
	r.differ("", has, want)
	return r.compareFlags(want)
}

// allow leaves out what the run's log does not have: who claimed the run, what its tree used, and that it was to be looked at
// sooner.
func (r *rebuild) allow(has rein.RunInfo, want *rein.RunInfo) {
	want.Epoch, want.Digest, want.Used = has.Epoch, has.Digest, has.Used // the ledger is compared with the whole tree
	if r.row.isOld {
		want.Workspace = ""
	}
	if want.Status.Ended() {
		return
	}
	if has.Status == rein.StatusRunning && has.Epoch > 0 {
		want.Status, want.WakeAt = rein.StatusRunning, has.WakeAt
	}
	if want.WakeAt.IsZero() || !has.WakeAt.IsZero() && has.WakeAt.Before(want.WakeAt) {
		want.WakeAt = has.WakeAt
	}
}

// compareFlags compares the columns that queries select runs by.
func (r *rebuild) compareFlags(want rein.RunInfo) error {
	var done bool
	var depth int
	if err := r.tx.QueryRowContext(r.ctx, `SELECT done, depth FROM runs WHERE n = ?`, r.row.n).Scan(&done, &depth); err != nil {
		return err
	}
	if done != want.Status.Ended() {
		r.wrong("its status is listed as ended: %v; the log says %v", done, want.Status.Ended())
	}
	if depth != r.Run.Depth() {
		r.wrong("it is listed as %d deep; its ID says %d", depth, r.Run.Depth())
	}
	return nil
}

func (r *rebuild) compareAsks() error {
	memory := &snapshot{ctx: r.ctx, tx: r.w.conn}
	rebuilt, err := memory.asks(asksOf, r.h.n)
	if err != nil {
		return err
	}
	for _, want := range rebuilt {
		has, found := r.asks[want.ID]
		delete(r.asks, want.ID)
		if !found {
			r.wrong("ask %s is missing", want.ID)
			continue
		}
		r.differ(fmt.Sprintf("ask %s: ", want.ID), has, want.Ask)
		var state rein.AskState
		if err := r.tx.QueryRowContext(r.ctx, `SELECT state FROM asks WHERE id = ? AND run_n = ?`, string(want.ID), r.row.n).Scan(&state); err != nil {
			return err
		}
		if state != want.State {
			r.wrong("ask %s: it is listed as %q; the log says %q", want.ID, state, want.State)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.asks)) {
		r.wrong("ask %s: the log never opened it", id)
	}
	return nil
}

func (r *rebuild) compareReceipts() error {
	memory := &snapshot{ctx: r.ctx, tx: r.w.conn}
	rebuilt, err := memory.receiptRows(r.h.n)
	if err != nil {
		return err
	}
	for _, seq := range slices.Sorted(maps.Keys(rebuilt)) {
		has, want := r.receipts[seq], rebuilt[seq]
		delete(r.receipts, seq)
		if has == nil {
			r.wrong("the receipt of command %d is missing", seq)
			continue
		}
		if has.Reason == "" {
			want.Reason = "" // programs before accounts gave none
		}
		r.differ(fmt.Sprintf("receipt of command %d: ", seq), has, want)
	}
	for _, seq := range slices.Sorted(maps.Keys(r.receipts)) {
		r.wrong("receipt of command %d: the log has no such command", seq)
	}
	return nil
}

// differ names the fields that are not what the log says.
func (a *audit) differ(of string, has, want any) {
	one, other := fields(has), fields(want)
	names := maps.Clone(one)
	maps.Copy(names, other)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(one[name], other[name]) {
			a.wrong("%s%s is %s; the log says %s", of, name, value(one[name]), value(other[name]))
		}
	}
}

// fields splits a value as it is shown.
func fields(value any) (parts map[string]json.RawMessage) {
	data, err := marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &parts)
	}
	if err != nil {
		panic(fmt.Sprintf("%T cannot be compared: %v", value, err)) // it was read from JSON
	}
	return parts
}

func value(data json.RawMessage) string {
	if data == nil {
		return "not set"
	}
	return rein.Clip(string(data), maxTitle)
}

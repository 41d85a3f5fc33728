package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"rein"
	"rein/store"
)

// flushAfter is how long an event may stay in memory that nothing depends on yet. What follows from
// a lost one (a pure call, a model's reply) is simply done again.
const flushAfter = time.Millisecond

// note records an event without waiting for the disk. Whatever is dispatched later waits for a
// write, which takes all noted events along in order: so the log never holds an effect without the
// steps that led to it.
func (d *drive) note(drafts ...store.Draft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.exitIfOver()
	for _, draft := range drafts {
		d.log.buffer = append(d.log.buffer, d.stamp(draft))
		d.learnOwn(draft)
	}
	d.flushLater()
}

// flushLater sees to it that what is noted becomes durable soon. It is called with mu held.
func (d *drive) flushLater() {
	switch {
	case d.log.flushing:
		return
	case d.log.flusher == nil:
		d.log.flusher = time.AfterFunc(flushAfter, d.flushSoon)
	default:
		d.log.flusher.Reset(flushAfter)
	}
	d.log.flushing = true
}

// flushSoon runs in a goroutine of its own.
func (d *drive) flushSoon() {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	d.log.flushing = false
	d.mu.Unlock()
	if err := d.appendLocked(); err != nil {
		d.giveUp(err)
	}
}

// write records events, with all that were noted before, and returns when they are durable. An
// error means that these events were refused, by a condition that one of them carries, and that
// the caller may try something else. Errors that leave nothing to try do not return: they unwind.
func (d *drive) write(drafts ...store.Draft) error { return d.refusal(d.append(drafts...)) }

// writeAsSeen is write for events that follow from what has reached the run: nothing more is taken in
// between making them and naming the newest command to the store, which refuses them if there is a
// newer one. The caller then reads what came, with refresh, and decides again. prepare is called with
// writing held and without mu.
func (d *drive) writeAsSeen(prepare func() []store.Draft) error {
	return d.refusal(func() error {
		d.log.writing.Lock()
		defer d.log.writing.Unlock()
		d.checkOver()
		return d.appendLocked(prepare()...)
	}())
}

// refusal returns an error that leaves something to try: the store refused these events, for a reason that
// the caller knows how to record or to wait out. After another one there is no way on, and it exits.
func (d *drive) refusal(err error) error {
	switch rein.CodeOf(err) {
	case "", rein.CodeBudget, rein.CodeLimit, rein.CodeQuota, rein.CodeUnseen, rein.CodeConflict, rein.CodeNotFound,
		rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted, rein.CodePaused:
		return err
	}
	if isCommitFailure(err) {
		return err
	}
	d.fail(err)
	return nil
}

// flush makes what was noted durable.
func (d *drive) flush() {
	if err := d.append(); err != nil {
		d.fail(err)
	}
}

// append appends what was noted and these events, unless the drive is over.
func (d *drive) append(drafts ...store.Draft) error {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.checkOver()
	return d.appendLocked(drafts...)
}

// checkOver is exitIfOver for a caller that does not hold mu.
func (d *drive) checkOver() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.exitIfOver()
}

// appendLocked appends the buffer and the given drafts. If they are refused, what was buffered stays
// so, before anything that was noted meanwhile. If somebody else wrote in between, what they wrote is read
// before this returns. It is called with writing held, and takes mu only around the write.
func (d *drive) appendLocked(drafts ...store.Draft) error {
	d.mu.Lock()
	noted := d.log.buffer
	d.log.buffer = nil
	batch := store.Batch{Run: d.id, Epoch: d.log.epoch, Seen: d.mail.seen, Drafts: noted}
	for _, draft := range drafts {
		batch.Drafts = append(batch.Drafts, d.stamp(draft))
	}
	d.mu.Unlock()
	if len(batch.Drafts) == 0 && d.log.birth == nil {
		return nil
	}
	events, err := d.writeOut(batch)

	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.log.buffer = append(noted[:len(noted):len(noted)], d.log.buffer...)
		return err
	}
	// What was noted has been learnt when it was; what is written is learnt now that it counts.
	for _, draft := range drafts {
		d.learnOwn(draft)
		d.log.settled = d.log.settled || draft.Status != ""
	}
	if len(events) == 0 {
		return nil // the run is just being born: nobody can have written to it
	}
	if events[0].Seq != d.log.seq+1 {
		return d.readLocked() // somebody wrote before our events: read what
	}
	d.log.seq = events[len(events)-1].Seq // a batch is contiguous
	return nil
}

// writeOut hands a batch to the store. It is not cut off: whether it happened must be known.
func (d *drive) writeOut(batch store.Batch) ([]rein.Event, error) {
	if d.log.birth != nil {
		return nil, d.writeStart(batch.Drafts)
	}
	return d.opts.Store.Append(context.Background(), batch)
}

// learnOwn takes in an event that this drive wrote: the flow has just asked for its step.
func (d *drive) learnOwn(draft store.Draft) {
	d.learn(draft.Kind, draft.Step, draft.Data)
	if r := d.log.steps[draft.Step.Step()]; r != nil {
		r.used = true
	}
}

// stamp gives an event the time at which it happened here, not the one at which it is written.
func (d *drive) stamp(draft store.Draft) store.Draft {
	if draft.At.IsZero() {
		draft.At = d.opts.Now()
	}
	return draft
}

// refresh reads what others have written since.
func (d *drive) refresh() {
	d.log.writing.Lock()
	d.mu.Lock()
	err := d.readLocked()
	d.mu.Unlock()
	d.log.writing.Unlock()
	if err != nil {
		d.fail(err)
	}
}

// catchUp is refresh for other goroutines than the run's own: it never exits. A drive that is over, or has
// not read its log yet, need not be told.
func (d *drive) catchUp() {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state > draining || !d.log.loaded {
		return
	}
	if err := d.readLocked(); err != nil {
		d.unwindLocked(lost, err)
	}
}

// readLocked takes in the commands that others have written since. It is called with writing and mu
// held, and lets go of mu while it reads.
func (d *drive) readLocked() error {
	if d.log.damaged {
		return d.readRowLocked()
	}
	after := d.log.seq
	d.mu.Unlock()
	var commands []rein.Event
	last := after
	var failed error
	for ev, err := range d.opts.Store.Events(context.Background(), d.id, after) {
		if err != nil {
			failed = err
			break
		}
		last = ev.Seq
		if ev.Kind.Command() != "" {
			commands = append(commands, ev)
		}
	}
	d.mu.Lock()
	if failed != nil {
		return failed
	}
	d.log.seq = last
	for _, ev := range commands {
		if err := d.mail.receive(d.id, ev); err != nil {
			return rein.Errorf(rein.CodeDamaged, "command %d of run %s cannot be read: %w", ev.Seq, d.id, err)
		}
	}
	if len(commands) > 0 {
		d.interrupt()
		d.waits.broadcast()
	}
	return nil
}

// readRowLocked is readLocked for a log that cannot be read. It learns enough to record that, and to
// end the run when a person wants it ended.
func (d *drive) readRowLocked() error {
	d.mu.Unlock()
	info, err := d.opts.Store.Run(context.Background(), d.id)
	children := map[rein.RunID]bool{}
	for run, failed := range d.opts.Store.Runs(context.Background(), store.Filter{Tree: d.id}) {
		if err = cmp.Or(err, failed); err == nil && run.ID.Parent() == d.id {
			children[run.ID] = run.Status.Ended()
		}
	}
	d.mu.Lock()
	if err != nil {
		return err
	}
	d.log.seq, d.mail.seen, d.mail.ending, d.mail.paused, d.mail.children = info.Seq, info.Command, info.Ending, info.Paused, children
	d.waits.broadcast()
	return nil
}

// isCommitFailure reports whether an append was refused because of what a tool writes with it to our own
// tables. The events are fine then: the call has failed, not the run.
func isCommitFailure(err error) bool { return errors.Is(err, store.ErrCommit) }

package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"

	"rein"
	"rein/store"
)

// What a task belongs to that does not say.
const (
	defaultHousehold = "home"
	defaultUser      = "owner"
)

// A starting is a Start that is ready to be written.
type starting struct {
	store.Start
	payload *payload
	spend   rein.Amount
	first   *batch // plain events of a root that are written with its start; nil: none
}

// Start implements store.Writer.
func (s *Store) Start(ctx context.Context, start store.Start) (info rein.RunInfo, started bool, err error) {
	ready, err := prepareStart(start)
	if err != nil {
		return info, false, err
	}
	first, err := prepareFirst(start)
	if err != nil {
		return info, false, err
	}
	if first != nil && first.plain && start.Run.Parent() == "" {
		ready.first, first = first, nil
	}
	err = s.submit(ctx, &request{once: start.Commit != nil || first != nil && first.calls, do: func(w *writer) error {
		h, isNew, err := w.start(ready)
		if err != nil {
			return err
		}
		started = isNew
		if isNew && first != nil {
			if _, err := w.appendBatch(ctx, first); err != nil {
				return err
			}
		}
		if isNew && h.id.Parent() == "" && !h.done {
			info = ready.info(h)
			return nil
		}
		info, err = w.info(h)
		return err
	}})
	if err != nil {
		return rein.RunInfo{}, false, err
	}
	return info, started, nil
}

// prepareFirst prepares what is appended to a new run at once; nil if there is nothing.
func prepareFirst(s store.Start) (*batch, error) {
	if len(s.Drafts) == 0 {
		return nil, nil
	}
	if !s.Claim {
		return nil, rein.Errorf(rein.CodeInvalid, "start run %s: only a run that is claimed can start with events", s.Run)
	}
	return prepareBatch(store.Batch{Run: s.Run, Epoch: 1, Drafts: s.Drafts})
}

// info is the run that was just started.
func (s *starting) info(h *head) rein.RunInfo {
	task := s.Start.Start.Task
	info := rein.RunInfo{
		ID: h.id, Household: task.Household, User: task.User, Session: task.Session, Flow: task.Flow, Title: title(task), Workspace: task.Workspace, Used: h.ledger.Used,
		Status: h.status, Mode: h.mode, Epoch: h.epoch, Digest: h.digest, Seq: h.seq, Started: stamp(s.At), Changed: micros(h.changed),
	}
	if h.wake.Valid {
		info.WakeAt = micros(h.wake.Int64)
	}
	return info
}

func prepareStart(s store.Start) (*starting, error) {
	if err := s.Run.Check(); err != nil {
		return nil, err
	}
	reserve := s.Start.Reserve
	if reserve.Positive() != reserve {
		return nil, rein.Errorf(rein.CodeInvalid, "start run %s: its reserve is less than nothing", s.Run)
	}
	if err := checkAmount(reserve); err != nil {
		return nil, err
	}
	task := &s.Start.Task
	if s.Run.Parent() == "" {
		if task.Budget == nil {
			return nil, rein.Errorf(rein.CodeInvalid, "start run %s: its task has no budget", s.Run)
		}
		if err := checkAmount(task.Budget.Amount); err != nil {
			return nil, err
		}
		task.Household = cmp.Or(task.Household, defaultHousehold)
		task.User = cmp.Or(task.User, defaultUser)
		task.Session = cmp.Or(task.Session, string(s.Run))
	}
	p, err := newPayload(&s.Start)
	if err != nil {
		return nil, err
	}
	p.texts = append(p.texts, s.Keep...)
	return &starting{Start: s, payload: p, spend: reserve.Plus(rein.Amount{Runs: 1})}, nil
}

// start creates the run, or finds the same one.
func (w *writer) start(s *starting) (h *head, started bool, err error) {
	h, err = w.startAlone(s)
	if h != nil || err != nil {
		return h, err == nil, err
	}
	h, err = w.existing(s.Run)
	if err == nil {
		// The digest of an erased run is gone, and with it the means to tell two tasks apart.
		if h.digest != s.Digest && h.digest != (rein.Hash{}) {
			return nil, false, rein.Errorf(rein.CodeConflict, "run %s exists with another task: choose another ID", s.Run)
		}
		return h, false, nil
	}
	if rein.CodeOf(err) != rein.CodeNotFound {
		return nil, false, err
	}
	h = s.head()
	if s.Run.Parent() == "" {
		err = w.startRoot(h, s)
	} else {
		err = w.startChild(h, s)
	}
	return h, err == nil, err
}

// head is that of the new run.
func (s *starting) head() *head {
	h := &head{id: s.Run, status: rein.StatusReady, digest: s.Digest, noAsks: true}
	if s.Claim {
		h.status, h.epoch = rein.StatusRunning, 1
	} else {
		h.wakeBy(s.At)
	}
	return h
}

// startAlone starts a root that has a session of its own, as most do: neither is looked for before it is made.
// Without a head or an error nothing has happened: something stands against it, and start finds out what.
func (w *writer) startAlone(s *starting) (*head, error) {
	if s.Start.Start.Task.Session != string(s.Run) || s.Run.Parent() != "" || w.heads[s.Run] != nil {
		return nil, nil
	}
	h := s.head()
	if w.admitRoot(h, s) != nil {
		return nil, nil // but if the run exists, that is no refusal
	}
	w.usedHeads = append(w.usedHeads, s.Run)
	isNew, err := w.newSession(w.addOwnSession, h, s)
	if err != nil || !isNew {
		return nil, err
	}
	return h, w.create(h, s)
}

// existing is head for a run that most likely does not exist: to find that out costs less than to
// ask for everything.
func (w *writer) existing(id rein.RunID) (*head, error) {
	if w.heads[id] == nil {
		var n int64
		err := w.findRun.QueryRowContext(context.Background(), string(id)).Scan(&n)
		if errors.Is(err, sql.ErrNoRows) {
			w.usedHeads = append(w.usedHeads, id)
			return nil, errNew
		}
		if err != nil {
			return nil, err
		}
	}
	return w.head(id)
}

var errNew = rein.Errorf(rein.CodeNotFound, "there is no such run yet")

func (w *writer) startRoot(h *head, s *starting) error {
	if err := w.admitRoot(h, s); err != nil {
		return err
	}
	if err := w.joinSession(h, s); err != nil {
		return err
	}
	return w.create(h, s)
}

// admitRoot refuses a root that its budget or its user's quota does not allow.
func (w *writer) admitRoot(h *head, s *starting) error {
	h.ledger = &rein.Ledger{Root: s.Run, Cap: *s.Start.Start.Task.Budget}
	if err := reserveRun(h.ledger, s); err != nil {
		return err
	}
	if err := w.openAccount(h, s); err != nil {
		return err
	}
	return w.mayStart(h, s)
}

func (w *writer) startChild(h *head, s *starting) error {
	parent, err := w.checkAncestors(s.Run)
	if err != nil {
		return err
	}
	if err := w.checkOwner(parent, s); err != nil {
		return err
	}
	root, err := w.payer(s.Run)
	if err != nil {
		return err
	}
	if err := reserveRun(root.ledger, s); err != nil {
		return err
	}
	h.session, h.household, h.account = parent.session, parent.household, parent.account
	if err := w.mayStart(h, s); err != nil {
		return err
	}
	if err := w.create(h, s); err != nil {
		return err
	}
	if err := w.followMode(h, parent, s.At); err != nil {
		return err
	}
	return w.saveSeq(root)
}

// checkAncestors returns the parent, if neither it nor anything above it is ending or has ended, and it is not paused.
func (w *writer) checkAncestors(id rein.RunID) (parent *head, err error) {
	for up := id.Parent(); up != ""; up = up.Parent() {
		h, err := w.head(up)
		if err != nil {
			return nil, err
		}
		if h.done {
			return nil, h.finished()
		}
		if h.ending != "" {
			return nil, rein.Errorf(endingCode(h.ending), "run %s cannot start: run %s is ending (%s)", id, up, h.ending)
		}
		if parent == nil {
			parent = h
		}
	}
	if parent.paused {
		return nil, rein.Errorf(rein.CodePaused, "run %s cannot start: run %s is paused; it can when that is resumed", id, parent.id)
	}
	return parent, nil
}

func endingCode(k rein.CommandKind) rein.Code {
	switch k {
	case rein.CommandCancel:
		return rein.CodeCancelled
	case rein.CommandDelete:
		return rein.CodeDeleted
	}
	return rein.CodeStopped
}

// checkOwner refuses a child that says it belongs to someone else than its parent.
func (w *writer) checkOwner(parent *head, s *starting) error {
	task := s.Start.Start.Task
	if task.Household == "" && task.User == "" && task.Session == "" {
		return nil
	}
	info, err := w.info(parent)
	if err != nil {
		return err
	}
	if differs(task.Household, info.Household) || differs(task.User, info.User) || differs(task.Session, info.Session) {
		return rein.Errorf(rein.CodeForbidden, "run %s must be of the household, user and session of its parent: %s, %s, %s",
			s.Run, info.Household, info.User, info.Session)
	}
	return nil
}

func differs(given, is string) bool { return given != "" && given != is }

// reserveRun takes the run itself and its reserve from the tree's budget.
func reserveRun(l *rein.Ledger, s *starting) error {
	if depth := s.Run.Depth(); depth > l.Cap.Depth {
		return rein.Errorf(rein.CodeLimit, "run %s is %d deep; the budget of run %s allows %d", s.Run, depth, l.Root, l.Cap.Depth)
	}
	if l.Used.Runs+s.spend.Runs > l.Cap.Runs {
		return rein.Errorf(rein.CodeLimit, "run %s is one too many; the budget of run %s allows %d runs", s.Run, l.Root, l.Cap.Runs)
	}
	if err := l.Reserve(s.spend); err != nil {
		return err
	}
	l.Used = l.Used.Plus(s.spend)
	return nil
}

// joinSession finds or makes the session of a root.
func (w *writer) joinSession(h *head, s *starting) error {
	task := s.Start.Start.Task
	var household, user string
	err := w.getSession.QueryRowContext(context.Background(), task.Session).Scan(&h.session, &h.household, &household, &user)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = w.newSession(w.addSession, h, s)
		return err
	}
	if err != nil {
		return err
	}
	if household != task.Household || user != task.User {
		return rein.Errorf(rein.CodeForbidden, "session %s is not of user %s of household %s", task.Session, task.User, task.Household)
	}
	if s.Begins {
		return rein.Errorf(rein.CodeConflict, "session %s exists: choose another ID", task.Session)
	}
	if !s.Exclusive {
		return w.put(w.startSession, s.At.UnixMicro(), h.session)
	}
	var active rein.RunID
	err = w.getActive.QueryRowContext(context.Background(), h.session).Scan(&active)
	if errors.Is(err, sql.ErrNoRows) {
		return w.put(w.startSession, s.At.UnixMicro(), h.session)
	}
	if err != nil {
		return err
	}
	return rein.Errorf(rein.CodeBusy, "session %s has a run under way: send a message to run %s, or wait until it ends", task.Session, active)
}

// newSession makes the session of a root, unless it exists.
func (w *writer) newSession(st change, h *head, s *starting) (isNew bool, err error) {
	task := s.Start.Start.Task
	if err := w.household(h, task.Household); err != nil {
		return false, err
	}
	h.session, isNew, err = w.insert(st, task.Session, h.household, task.User, s.At.UnixMicro())
	return isNew, err
}

// household finds or makes a household. There are few of them, so their numbers are remembered; one
// that a rolled-back transaction made is forgotten with everything else.
func (w *writer) household(h *head, name string) (err error) {
	if n, ok := w.households[name]; ok {
		h.household = n
		return nil
	}
	isNew, err := w.changeOne(w.addHousehold, name)
	if err != nil {
		return err
	}
	if err := w.getHousehold.QueryRowContext(context.Background(), name).Scan(&h.household); err != nil {
		return err
	}
	if isNew {
		w.newHouseholds = append(w.newHouseholds, h.household)
	}
	w.households[name] = h.household
	return nil
}

// openAccount finds or makes the account of a root's user. Whether the session is theirs is seen later.
func (w *writer) openAccount(h *head, s *starting) (err error) {
	task := s.Start.Start.Task
	if err := w.household(h, task.Household); err != nil {
		return err
	}
	h.account, err = w.accountOf(h.household, task.User)
	return err
}

// create writes the run's row and its first events. What they spend is counted before anything is written.
func (w *writer) create(h *head, s *starting) error {
	task := s.Start.Start.Task
	by := task.User
	if s.Run.Parent() != "" {
		by = "" // its parent started it
	}
	h.started = s.At.UnixMicro()
	w.heads[h.id] = h
	if err := w.countStart(h, s); err != nil {
		return err
	}
	w.rows.reset()
	w.rows.add(h.next(rein.Event{Kind: rein.RunStarted, At: s.At, By: by, Spend: s.spend}, s.payload), s.payload)
	if s.first != nil {
		if err := w.spendFirst(h, s); err != nil {
			return err
		}
		for i := range s.first.drafts {
			d := &s.first.drafts[i]
			w.rows.add(h.next(d.event(), &d.payload), &d.payload)
		}
	}
	if err := w.addRow(h, s); err != nil {
		return err
	}
	if err := w.putRows(h); err != nil || s.Commit == nil {
		return err
	}
	return w.runCommit(context.Background(), s.Commit)
}

// spendFirst counts what the first events of a root spend.
func (w *writer) spendFirst(h *head, s *starting) error {
	// The start itself is not weighed yet.
	if err := w.mayReserve(h, s.first, rein.Quota{Bytes: s.payload.mostSize()}); err != nil {
		return err
	}
	if _, err := w.spendTree(s.first); err != nil {
		return err
	}
	return w.spendDay(h, s.first)
}

// addRow writes the run's row, as its first events leave it.
func (w *writer) addRow(h *head, s *starting) (err error) {
	task := s.Start.Start.Task
	most, depth := h.budget()
	used, overrun := h.spent()
	h.n, _, err = w.insert(w.addRun, string(s.Run), h.session, s.Run.Depth(), string(h.status), h.epoch, h.seq, h.started, h.changed,
		h.wake, h.hash[:], s.Digest[:], task.Flow, title(task), most, depth, used, overrun, task.Workspace)
	if err == nil {
		w.newest = h.n
		err = w.startMode(h, task.Mode)
	}
	return err
}

// budget is what the tree may use at most; NULL for a child.
func (h *head) budget() (most []byte, depth sql.NullInt64) {
	if h.ledger == nil {
		return nil, depth
	}
	return notNull(packAmount(h.ledger.Cap.Amount)), sql.NullInt64{Int64: int64(h.ledger.Cap.Depth), Valid: true}
}

func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

const maxTitle = 120

// title returns the first line of what was last asked.
func title(task rein.Task) string {
	for i := len(task.Messages) - 1; i >= 0; i-- {
		m := task.Messages[i]
		if m.Role != rein.User {
			continue
		}
		line, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD"))
		return rein.Clip(line, maxTitle)
	}
	return ""
}

package sqlite

import (
	"context"
	"errors"
	"time"

	"rein"
	"rein/store"
)

// eventBytes is what an event counts for beside its payload: its row, hashes and index.
const eventBytes = 200

// A tally is what is counted of an account.
type tally struct {
	driven, bytes       int64
	hour, frames        int64 // frames of that hour
	day, tokens, micros int64 // of that day
}

// at returns the tally as it stands at that time. Hours and days that are over are not counted;
// a clock that was set back does not make them count again.
func (t tally) at(hour, day int64) tally {
	if hour > t.hour {
		t.hour, t.frames = hour, 0
	}
	if day > t.day {
		t.day, t.tokens, t.micros = day, 0, 0
	}
	return t
}

// add counts a change in the hour and day that the tally is at.
func (t *tally) add(q rein.Quota) {
	t.driven += q.Driven
	t.frames += q.Frames
	t.bytes += q.Bytes
	t.tokens += q.Tokens
	t.micros += q.Micros
}

func (t tally) quota() rein.Quota {
	return rein.Quota{Driven: t.driven, Frames: t.frames, Bytes: t.bytes, Tokens: t.tokens, Micros: t.micros}
}

// An account is what the writer knows of a user's account: the row as the transaction under way will
// leave it. It is written once per transaction, however many requests have changed it.
type account struct {
	tally
	n     int64
	user  string
	house *house
	dirty bool
	saved int64 // the request that its tally was last saved for
}

// A house is the accounts of a household, all of them, and their sum.
type house struct {
	tally
	n     int64
	name  string
	of    map[string]*account // by user
	saved int64

	kept      map[string]int64 // bytes beside logs, by user
	keptAll   int64
	keptKnown bool // kept is as the transaction has it

	money map[string]roleMoney // what roles let users spend, by user, of those who were asked for
}

// accountOf returns the account of a user, and makes it if there is none.
func (w *writer) accountOf(household int64, user string) (*account, error) {
	h, err := w.house(household)
	if err != nil {
		return nil, err
	}
	if a := h.of[user]; a != nil {
		return a, nil
	}
	n, _, err := w.insert(w.addAccount, household, user)
	if err != nil {
		return nil, err
	}
	a := &account{n: n, user: user, house: h}
	h.of[user] = a
	w.newAccounts = append(w.newAccounts, a)
	return a, nil
}

func (w *writer) house(n int64) (*house, error) {
	if h := w.houses[n]; h != nil {
		return h, nil
	}
	h := &house{n: n, of: map[string]*account{}}
	if err := w.getHouseName.QueryRowContext(context.Background(), n).Scan(&h.name); err != nil {
		return nil, err
	}
	rows, err := w.getAccounts.QueryContext(context.Background(), n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		a := &account{house: h}
		if err := rows.Scan(&a.n, &a.user, &a.driven, &a.bytes, &a.hour, &a.frames, &a.day, &a.tokens, &a.micros); err != nil {
			return nil, err
		}
		h.of[a.user] = a
	}
	h.sum()
	w.houses[n] = h
	return h, rows.Err()
}

// sum adds the accounts up, in the newest hour and day of any of them.
func (h *house) sum() {
	for _, a := range h.of {
		h.hour, h.day = max(h.hour, a.hour), max(h.day, a.day)
	}
	for _, a := range h.of {
		h.add(a.at(h.hour, h.day).quota())
	}
}

// change counts something in the account and its household. The request under way may still be
// refused: then undoAccounts takes it back.
func (w *writer) change(a *account, q rein.Quota, at time.Time) error {
	w.saveTallies(a)
	hour, day := store.Hour(at), store.Day(at)
	if day > a.day && (a.tokens != 0 || a.micros != 0) {
		if err := w.put(w.addAccountDay, a.n, a.day, a.tokens, a.micros); err != nil {
			return err
		}
	}
	a.tally, a.house.tally = a.at(hour, day), a.house.at(hour, day)
	a.add(q)
	a.house.add(q)
	return nil
}

// weigh counts bytes, which no hour or day has.
func (w *writer) weigh(a *account, bytes int64) {
	w.saveTallies(a)
	a.bytes += bytes
	a.house.bytes += bytes
}

// giveBack counts tokens and money as not used after all, on the day on which they were reserved.
func (w *writer) giveBack(a *account, day, tokens, micros int64, at time.Time) error {
	if err := w.change(a, rein.Quota{}, at); err != nil {
		return err
	}
	if day >= a.day {
		return w.change(a, rein.Quota{Tokens: tokens, Micros: micros}, at)
	}
	return w.put(w.addAccountDay, a.n, day, tokens, micros)
}

// saveTallies keeps the account as it was before the request under way.
func (w *writer) saveTallies(a *account) {
	if a.saved != w.request {
		a.saved = w.request
		w.undo = append(w.undo, undo{account: a, was: a.tally, dirty: a.dirty})
	}
	if a.house.saved != w.request {
		a.house.saved = w.request
		w.undo = append(w.undo, undo{house: a.house, was: a.house.tally})
	}
	if !a.dirty {
		a.dirty = true
		w.dirty = append(w.dirty, a)
	}
}

// An undo is what an account was before a request.
type undo struct {
	account *account
	house   *house
	was     tally
	dirty   bool
}

// undoAccounts takes back what the request under way has counted.
func (w *writer) undoAccounts() {
	for _, u := range w.undo {
		if u.account != nil {
			u.account.tally, u.account.dirty = u.was, u.dirty
		} else {
			u.house.tally = u.was
		}
	}
	for _, a := range w.newAccounts {
		delete(a.house.of, a.user)
		a.dirty = false
	}
	w.forgetKept()
	for _, n := range w.newHouseholds {
		delete(w.houses, n)
		w.households = map[string]int64{}
	}
}

// flushAccounts writes what the transaction under way has changed.
func (w *writer) flushAccounts() error {
	for _, a := range w.dirty {
		if !a.dirty {
			continue
		}
		a.dirty = false
		if err := w.put(w.setAccount, a.driven, a.bytes, a.hour, a.frames, a.day, a.tokens, a.micros, a.n); err != nil {
			return err
		}
	}
	clear(w.dirty)
	w.dirty = w.dirty[:0]
	return nil
}

// allows refuses growth beyond the limits of the user or the household; before is what the request
// under way has asked for already.
func (w *writer) allows(a *account, before, growth rein.Quota, code rein.Code, at time.Time) error {
	if w.limits == (store.Limits{}) && w.store.roles == nil {
		return nil
	}
	if growth.Bytes > 0 {
		if err := w.lookUpKept(a.house); err != nil {
			return err
		}
	}
	hour, day := store.Hour(at), store.Day(at)
	mine := rein.Account{Household: a.house.name, User: a.user, Used: a.at(hour, day).quota().Plus(before), Most: w.limits.User}
	mine.Used.Bytes += a.house.kept[a.user]
	all := rein.Account{Household: a.house.name, Used: a.house.at(hour, day).quota().Plus(before), Most: w.limits.Household}
	all.Used.Bytes += a.house.keptAll
	if a.user != "" {
		if err := w.limitMoney(&mine, a, growth); err != nil {
			return err
		}
		if err := store.Refuses(mine, growth, code, at); err != nil {
			return err
		}
	}
	return store.Refuses(all, growth, code, at)
}

// lookUpKept reads what the users of a household keep beside logs, unless it is known. Triggers count
// that, so it is not known once somebody's function has written.
func (w *writer) lookUpKept(h *house) error {
	if h.keptKnown {
		return nil
	}
	rows, err := w.getKept.QueryContext(context.Background(), h.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	h.kept, h.keptAll = map[string]int64{}, 0
	for rows.Next() {
		var user string
		var bytes int64
		if err := rows.Scan(&user, &bytes); err != nil {
			return err
		}
		h.kept[user] = bytes
		h.keptAll += bytes
	}
	h.keptKnown = rows.Err() == nil
	return rows.Err()
}

func (w *writer) forgetKept() {
	for _, h := range w.houses {
		h.keptKnown, h.money = false, nil
	}
}

// roleMoney is what a user may spend in a day because of their role.
type roleMoney struct {
	role rein.UserRole
	most int64
}

// limitMoney lowers what the user of an account may spend to what their role lets them, if they are about to spend
// something. The role is looked up again once somebody's function has written: that may be another role.
func (w *writer) limitMoney(mine *rein.Account, a *account, growth rein.Quota) error {
	if w.store.roles == nil || growth.Micros <= 0 {
		return nil
	}
	found, known := a.house.money[a.user]
	if !known {
		var err error
		if found.most, found.role, err = w.store.roles.DayMicros(context.Background(), w.conn, a.house.name, a.user); err != nil {
			return err
		}
		if a.house.money == nil {
			a.house.money = map[string]roleMoney{}
		}
		a.house.money[a.user] = found
	}
	store.ByRole(mine, found.role, found.most)
	return nil
}

// setDriven counts the run as driven, or not.
func (w *writer) setDriven(h *head, driven bool) {
	if h.driven == driven {
		return
	}
	h.driven = driven
	by := int64(1)
	if !driven {
		by = -1
	}
	w.saveTallies(h.account)
	h.account.driven += by
	h.account.house.driven += by
}

// Room is asked by store.Room.
func (t *toolTx) Room(_ context.Context, household, user string, bytes int64) error {
	if t.conn == nil {
		return errors.New("the transaction is over")
	}
	at := head{}
	if err := t.w.household(&at, household); err != nil {
		return err
	}
	a, err := t.w.accountOf(at.household, user)
	if err != nil {
		return err
	}
	a.house.keptKnown = false // this very function may have written
	return t.w.allows(a, rein.Quota{}, rein.Quota{Bytes: bytes}, rein.CodeQuota, time.Now())
}

// Spend implements store.Accounts.
func (s *Store) Spend(ctx context.Context, sp store.Spending) error {
	if err := checkAmount(rein.Amount{Tokens: sp.Tokens, Micros: sp.Micros}); err != nil {
		return err
	}
	return s.submit(ctx, &request{do: func(w *writer) error {
		at := head{}
		if err := w.household(&at, sp.Household); err != nil {
			return err
		}
		a, err := w.accountOf(at.household, sp.User)
		if err != nil {
			return err
		}
		growth := rein.Quota{Tokens: sp.Tokens, Micros: sp.Micros}
		if sp.Reserve {
			if err := w.allows(a, rein.Quota{}, growth, rein.CodeQuota, sp.At); err != nil {
				return err
			}
		}
		if sp.Reserved.IsZero() {
			return w.change(a, growth, sp.At)
		}
		return w.giveBack(a, store.Day(sp.Reserved), sp.Tokens, sp.Micros, sp.At)
	}})
}

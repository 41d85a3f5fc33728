package memory

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A Summary says what a session or a day was about.
type Summary struct {
	Kind  SummaryKind `json:"kind"`
	About string      `json:"about"` // the session's ID, or the day as 2006-01-02
	Text  string      `json:"text"`
	From  time.Time   `json:"from"`
	At    time.Time   `json:"at"` // when what it sums up ended
}

// SummaryKind says what a summary sums up.
type SummaryKind string

const (
	OfSession SummaryKind = "session"
	OfDay     SummaryKind = "day"
)

// How many summaries are read at most.
const (
	maxSessions = 5
	maxDays     = 7
)

// Summaries returns the owner's summaries of the newest sessions but those given, and after them of the newest days.
func Summaries(ctx context.Context, q store.Query, o Owner, without []string) ([]Summary, error) {
	args := []any{}
	for _, session := range without {
		args = append(args, session)
	}
	which := `about NOT IN (?` + strings.Repeat(`, ?`, max(len(args)-1, 0)) + `) ORDER BY ended DESC, n DESC LIMIT ?`
	if len(args) == 0 {
		args = append(args, "")
	}
	sessions, err := summaries(ctx, q, which, o, OfSession, append(args, maxSessions)...)
	if err != nil {
		return nil, err
	}
	days, err := summaries(ctx, q, `about <> ? ORDER BY ended DESC, n DESC LIMIT ?`, o, OfDay, "", maxDays)
	return append(sessions, days...), err
}

// SummariesBetween returns the owner's summaries of the sessions that ended from one moment up to
// another, the oldest first.
func SummariesBetween(ctx context.Context, q store.Query, o Owner, from, to time.Time) ([]Summary, error) {
	return summaries(ctx, q, `ended >= ? AND ended < ? ORDER BY ended, n LIMIT ?`, o, OfSession, micros(from), micros(to), maxOther)
}

// AllSummaries returns all summaries of the owner, sessions first, the newest of each first.
func AllSummaries(ctx context.Context, q store.Query, o Owner) ([]Summary, error) {
	return listAll(ctx, q, scanSummary, selectSummaries+` ORDER BY kind DESC, ended DESC, n DESC`, o.Household, o.User)
}

func summaries(ctx context.Context, q store.Query, which string, o Owner, kind SummaryKind, args ...any) ([]Summary, error) {
	return list(ctx, q, scanSummary, selectSummaries+` AND kind = ? AND `+which, append([]any{o.Household, o.User, string(kind)}, args...)...)
}

const selectSummaries = `SELECT kind, about, text, began, ended FROM session_summaries WHERE household = ? AND user_name = ?`

func scanSummary(rows *sql.Rows) (s Summary, size int, err error) {
	var from, to int64
	err = rows.Scan(&s.Kind, &s.About, &s.Text, &from, &to)
	s.From, s.At = timeOf(from), timeOf(to)
	return s, len(s.Text), err
}

// SaveSummary keeps a summary in the place of an earlier one of the same session or day.
func SaveSummary(ctx context.Context, tx rein.Tx, o Owner, by Origin, s Summary, now time.Time) error {
	s.Text = clip(strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s.Text, "\uFFFD"), "\x00", "")), MaxSummary)
	switch {
	case s.Kind != OfSession && s.Kind != OfDay:
		return rein.Errorf(rein.CodeInvalid, "summary of %q: it must be of a session or a day", s.Kind)
	case s.About == "" || s.Text == "":
		return rein.Errorf(rein.CodeInvalid, "a summary needs what it is about, and a text")
	}
	err := exec(ctx, tx, `DELETE FROM session_summaries WHERE household = ? AND user_name = ? AND kind = ? AND about = ?`,
		o.Household, o.User, string(s.Kind), s.About)
	if err != nil {
		return err
	}
	err = exec(ctx, tx, `INSERT INTO session_summaries (household, user_name, kind, about, text, began, ended, created, run, step)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		o.Household, o.User, string(s.Kind), s.About, s.Text, micros(s.From), micros(s.At), micros(now), string(by.Run), string(by.Step))
	if err != nil {
		return err
	}
	return exec(ctx, tx, `DELETE FROM session_summaries WHERE household = ? AND user_name = ? AND n NOT IN
		(SELECT n FROM session_summaries WHERE household = ? AND user_name = ? ORDER BY ended DESC, n DESC LIMIT ?)`,
		o.Household, o.User, o.Household, o.User, keepRows)
}

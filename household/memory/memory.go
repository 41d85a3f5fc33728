// Package memory has the tables for what rein knows about people: memories, snapshots, preferences
// and summaries of conversations. Readers pass a store.Query; only a tool's Commit writes. No user
// sees what belongs to another, except snapshots that are meant for the household.
package memory

import (
	"context"
	"database/sql"
	"math"
	"strings"
	"time"
	"unicode"

	"rein"
	"rein/store"
)

// An Owner is whose memory is read or written.
type Owner struct{ Household, User string }

// OwnerOf returns whose memory a run may read and write.
func OwnerOf(task *rein.Task) (Owner, error) {
	if task == nil || task.Household == "" || task.User == "" {
		return Owner{}, rein.Errorf(rein.CodeInvalid, "the task names no household or no user: there is nobody whose memory it could be")
	}
	return Owner{task.Household, task.User}, nil
}

// An Origin is the step that writes. The rows of one origin are written once, however often.
type Origin struct {
	Run  rein.RunID
	Step rein.StepKey
}

// What is kept and read at most. Of what is too much the oldest goes.
const (
	MaxText    = 500  // bytes of a memory, a snapshot, or a preference's value
	MaxSummary = 4000 // bytes
	keepRows   = 500  // of one kind and user
	maxOthers  = 100  // memories of others that are for everyone
	maxOther   = 50
	maxBytes   = 50_000
)

// line makes a text one line of characters that can be printed, and not too long: nothing that is
// remembered can look like more than one thing.
func line(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return clip(strings.Join(strings.Fields(text), " "), MaxText)
}

// clip is rein.Clip for a row, which has so many bytes at most with the mark of the cut.
func clip(text string, most int) string {
	if len(text) > most {
		text = rein.Clip(text, most-len("…"))
	}
	return text
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func timeOf(n int64) time.Time { return time.UnixMicro(n).UTC() }

// list reads rows in the order of the query, until they are too long together.
func list[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, int, error), query string, args ...any) ([]T, error) {
	return listUpTo(ctx, q, maxBytes, scan, query, args...)
}

// listAll reads all rows of the query.
func listAll[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, int, error), query string, args ...any) ([]T, error) {
	return listUpTo(ctx, q, math.MaxInt, scan, query, args...)
}

func listUpTo[T any](ctx context.Context, q store.Query, left int, scan func(*sql.Rows) (T, int, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		item, size, err := scan(rows)
		if err != nil {
			return nil, err
		}
		if left -= size; left < 0 {
			break
		}
		all = append(all, item)
	}
	return all, rows.Err()
}

func exec(ctx context.Context, tx rein.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

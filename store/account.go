package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
)

// Limits bound what each user and each household may use. A part that is zero is no limit.
type Limits struct{ User, Household rein.Quota }

// Hour and Day number the hours and days of accounts, from 1970 on. Days are those of UTC, whatever
// zone people live in: so an account can be counted again from the logs alone.
func Hour(at time.Time) int64 { return floor(at, time.Hour) }

// Day is described at Hour.
func Day(at time.Time) int64 { return floor(at, 24*time.Hour) }

func floor(at time.Time, unit time.Duration) int64 {
	n, seconds := at.Unix(), int64(unit/time.Second)
	if n < 0 {
		n -= seconds - 1
	}
	return n / seconds
}

// Renew sets when an account counts from zero again, as seen at that time.
func Renew(a *rein.Account, at time.Time) {
	a.NextHour = time.Unix((Hour(at)+1)*3600, 0).UTC()
	a.NextDay = time.Unix((Day(at)+1)*86400, 0).UTC()
}

// Refuses says why an account does not allow growth, or nil. Only parts that grow are looked at, so
// that who is at one limit may still do what needs nothing of it.
func Refuses(a rein.Account, growth rein.Quota, code rein.Code, at time.Time) error {
	used, more, most := a.Used.Parts(), growth.Parts(), a.Most.Parts()
	for i, name := range rein.QuotaParts {
		if more[i] > 0 && most[i] > 0 && used[i]+more[i] > most[i] {
			return refusal(a, name, used[i], more[i], most[i], code, at)
		}
	}
	return nil
}

func refusal(a rein.Account, part string, used, more, most int64, code rein.Code, at time.Time) error {
	Renew(&a, at)
	err := &rein.Error{Code: code, Dim: part}
	switch who := holder(a); part {
	case "driven":
		err.Msg = fmt.Sprintf("%s has %d runs under way, and %d is the most: wait until one ends or waits for a person, or stop one", who, used, most)
	case "frames":
		err.RetryAfter = a.NextHour.Sub(at)
		err.Msg = fmt.Sprintf("%s has started runs and sent messages %d times this hour, and %d is the most: try again at %s", who, used, most, a.NextHour.Format("15:04 MST"))
	case "bytes":
		err.Msg = fmt.Sprintf("%s keeps %s in logs, files and staged notes, this needs %s more, and %s is the most: delete files of sessions, discard staged notes or erase old runs", who, Size(used), Size(more), Size(most))
	case "day_tokens":
		err.RetryAfter = a.NextDay.Sub(at)
		err.Msg = fmt.Sprintf("the day's tokens of %s do not reach: %d of %d are used or reserved and this needs %d; they renew at %s", who, used, most, more, renewal(a.NextDay))
	case "day_micros":
		// Without a currency: the text is recorded, and a replay under other settings must give the same.
		err.RetryAfter = a.NextDay.Sub(at)
		err.Msg = fmt.Sprintf("the day's money of %s does not reach: %s of %s is used or reserved and this needs %s; it renews at %s", who, money(used), money(most), money(more), renewal(a.NextDay))
	}
	setting := "limits." + kindOf(a) + "." + settingOf[part]
	if part == "day_micros" && a.Role != "" {
		setting = "roles." + string(a.Role) + ".day_money"
	}
	err.Msg += " (the limit is " + setting + ")"
	return err
}

// ByRole lowers the money that a user may spend in a day to that of their role, which the account then names.
func ByRole(a *rein.Account, role rein.UserRole, most int64) {
	if most > 0 && (a.Most.Micros == 0 || most < a.Most.Micros) {
		a.Most.Micros, a.Role = most, role
	}
}

// settingOf names the setting of each limit.
var settingOf = map[string]string{"driven": "driven", "frames": "frames", "bytes": "megabytes", "day_tokens": "day_tokens", "day_micros": "day_money"}

func kindOf(a rein.Account) string {
	if a.User == "" {
		return "household"
	}
	return "user"
}

func holder(a rein.Account) string {
	if a.User == "" {
		return "household " + a.Household
	}
	return "user " + a.User
}

func renewal(at time.Time) string { return at.Format("2006-01-02 15:04 MST") }

func money(micros int64) string {
	text := fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)
	return text[:max(len(strings.TrimRight(text, "0")), len(text)-4)]
}

// Size writes a number of bytes for people.
func Size(bytes int64) string {
	unit, name := int64(1), "bytes"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if bytes < 1000*unit {
			break
		}
		unit, name = unit*1000, next
	}
	if unit == 1 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.1f %s", float64(bytes)/float64(unit), name)
}

// Accounts are what users and households use. They change in the transaction of what they count:
// of the start of a run, the event that spends, the message, the file.
//
// A start beyond a limit is CodeQuota, and so is a message; a driver's reservation beyond the day's
// tokens or money, or the bytes, is CodeBudget, as a spent budget is. What ends a run, and an answer
// to an ask, is never refused.
type Accounts interface {
	// Accounts returns what a household uses at that time: as a whole first, then each of its users by
	// name; or one user alone, who may have used nothing yet. What is no user's counts for the whole only.
	Accounts(ctx context.Context, household, user string, at time.Time) ([]rein.Account, error)

	// Spend counts tokens and money that were used outside of runs, such as those of embeddings, for
	// the household; a user may be empty. Growth with reserve set is refused with CodeQuota beyond the
	// limits of the day.
	Spend(ctx context.Context, s Spending) error

	// VerifyAccounts counts everything again and returns what the accounts have wrong.
	VerifyAccounts(ctx context.Context) (wrong []string, err error)
}

// A Spending is what was used outside of runs, or given back.
type Spending struct {
	Household, User string
	Tokens, Micros  int64
	At              time.Time
	Reserve         bool
	// Reserved is when that was reserved which is given back; zero is At.
	Reserved time.Time
}

// Room refuses with CodeQuota what a user may not keep: so many bytes more in tables of our own. It is
// for a Commit or a Write that is about to add them; the store counts by itself what is there.
func Room(ctx context.Context, tx rein.Tx, household, user string, bytes int64) error {
	counts, ok := tx.(interface {
		Room(ctx context.Context, household, user string, bytes int64) error
	})
	if !ok {
		return rein.Errorf(rein.CodeInternal, "this transaction does not know who may keep what")
	}
	return counts.Room(ctx, household, user, bytes)
}

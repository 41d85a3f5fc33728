package people

import (
	"context"
	"database/sql"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// A Ground is where rules hold: for the runs of a user in a workspace, as long as it has this folder, and for those of
// the session only in it.
type Ground struct{ Household, User, Workspace, Root, Session string }

// KeepRules keeps what an answer to an ask about a tool allows beyond one call. Each rule is named by its ask and pattern:
// to keep it again changes nothing, also if it was revoked meanwhile.
func (p *People) KeepRules(ctx context.Context, at Ground, tool string, ask rein.Ask, answer rein.Answer) error {
	return p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, pattern := range ask.Offers.Of(answer.Scope) {
			r := rein.Rule{
				ID: digest.Listed(8, string(ask.ID), string(answer.Scope), pattern), Household: at.Household, User: at.User, Workspace: at.Workspace, Root: at.Root,
				Tool: tool, Scope: answer.Scope, Pattern: pattern, Ask: ask.ID, By: answer.By, Created: p.now(),
			}
			if r.Scope == rein.ScopeSession {
				r.Session = at.Session
			}
			if err := p.insertRule(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *People) insertRule(ctx context.Context, tx rein.Tx, r rein.Rule) error {
	known, err := rules(ctx, tx, with("id = ?", r.ID))
	if err != nil || len(known) > 0 {
		return err
	}
	return ruleRecords.insert(ctx, tx, p.chain(), r.ID, r.Household, r.User, r.Workspace, r.Root, r.Tool, string(r.Scope), r.Session, r.Pattern, string(r.Ask), r.By, micros(r.Created), int64(0), "")
}

// Granted returns what holds now for a tool. Nothing does for a user who is disabled.
func (p *People) Granted(ctx context.Context, at Ground, tool string) (held rein.Granted, err error) {
	where := with(`household = ? AND user_name = ? AND workspace = ? AND root = ? AND tool = ? AND revoked = 0 AND (scope = ? OR scope = ? AND session = ?)
		AND NOT EXISTS (SELECT 1 FROM users u WHERE u.household = rules.household AND u.name = rules.user_name AND u.disabled > 0)`,
		at.Household, at.User, at.Workspace, at.Root, tool, string(rein.ScopeAlways), string(rein.ScopeSession), at.Session)
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err := rules(ctx, q, where)
		for _, r := range found {
			if r.Scope == rein.ScopeSession {
				held.Session = append(held.Session, r.Pattern)
			} else {
				held.Always = append(held.Always, r.Pattern)
			}
		}
		return err
	})
	return held, err
}

// A RuleFilter narrows a list of rules.
type RuleFilter struct {
	User, Workspace string
	Revoked         bool // list those that were revoked too
	After           string
	Limit           int // at most 1000, which 0 means
}

// maxRules is how many rules one answer has at most.
const maxRules = 1000

// ListRules returns the rules of the asker, or of their household if they are an admin, the oldest first. more says that
// there are others after them.
func (p *People) ListRules(ctx context.Context, by rein.Identity, f RuleFilter) (found []rein.Rule, more bool, err error) {
	if by.Household == "" || !by.May(rein.ScopeRead) {
		return nil, false, rein.Errorf(rein.CodeForbidden, "this needs the scope %q", rein.ScopeRead)
	}
	if f.Limit <= 0 || f.Limit > maxRules {
		f.Limit = maxRules
	}
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		where, err := f.where(ctx, q, by)
		if err != nil {
			return err
		}
		where.sql += " ORDER BY created, id LIMIT ?"
		where.args = append(where.args, f.Limit+1)
		found, err = rules(ctx, q, where)
		return err
	})
	if len(found) > f.Limit {
		found, more = found[:f.Limit], true
	}
	return found, more, err
}

// where selects what the asker may see of a list.
func (f RuleFilter) where(ctx context.Context, q store.Query, by rein.Identity) (clause, error) {
	all := with("household = ?", by.Household)
	and := func(sql string, args ...any) {
		all.sql, all.args = all.sql+" AND "+sql, append(all.args, args...)
	}
	if !by.May(rein.ScopeAdmin) {
		and("user_name = ?", by.User)
	}
	if f.User != "" {
		and("user_name = ?", f.User)
	}
	if f.Workspace != "" {
		and("workspace = ?", f.Workspace)
	}
	if !f.Revoked {
		and("revoked = 0")
	}
	if f.After != "" {
		last, err := seenRule(ctx, q, by, f.After)
		if err != nil {
			return all, err
		}
		and("(created, id) > (?, ?)", micros(last.Created), last.ID)
	}
	return all, nil
}

// seenRule returns a rule that the asker may see. Another's does not exist for them.
func seenRule(ctx context.Context, q store.Query, by rein.Identity, id string) (rein.Rule, error) {
	found, err := rules(ctx, q, with("household = ? AND id = ?", by.Household, id))
	if err == nil && (len(found) == 0 || found[0].User != by.User && !by.May(rein.ScopeAdmin)) {
		err = rein.Errorf(rein.CodeNotFound, "there is no rule %.80q: look at the list of rules", id)
	}
	if err != nil {
		return rein.Rule{}, err
	}
	return found[0], nil
}

// RevokeRule ends a rule, and with it those that allow the same in the same place: they came from approvals of other
// calls. It holds for the next call. The rule's user may, and an admin. Revoking it again changes nothing.
func (p *People) RevokeRule(ctx context.Context, by rein.Identity, id string) (r rein.Rule, err error) {
	if !by.May(rein.ScopeAct) {
		return r, rein.Errorf(rein.CodeForbidden, "this needs the scope %q", rein.ScopeAct)
	}
	err = p.write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if r, err = seenRule(ctx, tx, by, id); err != nil || !r.Revoked.IsZero() {
			return err
		}
		same := with("household = ? AND user_name = ? AND workspace = ? AND root = ? AND tool = ? AND scope = ? AND session = ? AND pattern = ? AND revoked = 0",
			r.Household, r.User, r.Workspace, r.Root, r.Tool, string(r.Scope), r.Session, r.Pattern)
		r.Revoked, r.RevokedBy = p.now(), by.User
		if _, err := ruleRecords.update(ctx, tx, p.chain(), with("revoked = ?, revoked_by = ?", micros(r.Revoked), by.User), same); err != nil {
			return err
		}
		return p.note(ctx, tx, by, rein.RuleRevoked, r.Household, r.User, strings.Join([]string{r.ID, r.Tool, string(r.Scope)}, ", "))
	})
	return r, err
}

// RulesOf returns all rules of a household, for an erasure.
func RulesOf(ctx context.Context, q store.Query, household string) ([]rein.Rule, error) {
	return rules(ctx, q, with("household = ? ORDER BY created, id", household))
}

// EraseRules removes rules, in the transaction of an erasure.
func (p *People) EraseRules(ctx context.Context, tx rein.Tx, gone []rein.Rule) error {
	if err := p.chain().begin(ctx, tx); err != nil {
		return err
	}
	for _, r := range gone {
		if _, err := ruleRecords.remove(ctx, tx, p.chain(), with("id = ?", r.ID)); err != nil {
			return err
		}
	}
	return nil
}

func rules(ctx context.Context, q store.Query, where clause) ([]rein.Rule, error) {
	return list(ctx, q, scanRule, `SELECT `+strings.Join(ruleRecords.columns, ", ")+` FROM rules WHERE `+where.sql, where.args...)
}

func scanRule(rows *sql.Rows) (r rein.Rule, err error) {
	var created, revoked int64
	err = rows.Scan(&r.ID, &r.Household, &r.User, &r.Workspace, &r.Root, &r.Tool, &r.Scope, &r.Session, &r.Pattern, &r.Ask, &r.By, &created, &revoked, &r.RevokedBy)
	r.Created, r.Revoked = timeOf(created), timeOf(revoked)
	return r, err
}

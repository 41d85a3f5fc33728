package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"rein"
)

// Ledger implements store.Views.
func (s *Store) Ledger(ctx context.Context, root rein.RunID) (ledger rein.Ledger, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		l, err := v.ledger(root)
		if err == nil {
			ledger = *l
		}
		return err
	})
	return ledger, err
}

func (v *snapshot) ledger(root rein.RunID) (*rein.Ledger, error) {
	l, err := scanLedger(v.tx.QueryRowContext(v.ctx,
		`SELECT l.cap, l.depth, l.used, l.overrun FROM ledgers l JOIN runs r ON r.n = l.run_n WHERE r.id = +?`, string(root)), root)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no ledger of run %q: name the root of a tree", string(root))
	}
	return l, err
}

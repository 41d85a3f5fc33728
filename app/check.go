package app

import (
	"context"
	"fmt"
	"time"

	"rein"
	"rein/store"
)

// checkWords says how the check of the database goes that follows an unclean end. It is empty if there is
// nothing to say.
func checkWords(c store.Check) string {
	switch {
	case c.Wrong != "":
		return "the database is damaged, so nothing is written to it: restore a backup: " + c.Wrong
	case c.Running():
		return fmt.Sprintf("checking the database after an unclean end, since %s: %d of %d tables are intact, now %s",
			c.Began.Format(time.RFC3339), c.Done, c.Tables, c.Now)
	}
	return ""
}

// watchCheck logs how the check goes.
func (s *Service) watchCheck(ctx context.Context) error {
	c := s.store.Check()
	if c.Began.IsZero() {
		return nil
	}
	s.log.Warn("the database was not closed properly, so it is being checked in the background; rein doctor checks it whole")
	err := s.store.Checked(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		s.log.Error("the check of the database found damage, so nothing is written to it", "error", err)
		return nil
	}
	s.log.Info("the check of the database found nothing wrong", "seconds", time.Since(c.Began).Seconds())
	return nil
}

// damaged says why a service takes no work whose database was found damaged.
func (s *Service) damaged() error {
	if c := s.store.Check(); c.Wrong != "" {
		return rein.Errorf(rein.CodeUnavailable, "the database is damaged: an admin sees more in GET /v1/health")
	}
	return nil
}

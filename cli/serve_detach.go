package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"rein/app"
)

// maxServeLog is how long the log of a server may be when one starts in the background; then it begins again.
const maxServeLog = 8 << 20

// detach starts the server in the background, and returns when it answers.
func (c *call) detach(ctx context.Context) error {
	if os.Getpid() == 1 {
		return usagef("the first process of a container cannot start a server in the background, because all others end with it: use rein serve without --detach")
	}
	p, err := c.setup().FolderPlace()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case s := <-c.signals:
			cancel(left{s})
		case <-ctx.Done():
		}
	}()
	if err := c.startServer(ctx, p); err != nil {
		if cause, ok := errors.AsType[left](context.Cause(ctx)); ok {
			return cause
		}
		return err
	}
	return c.tellDetached(ctx, p)
}

// startServer starts the server and waits until it is ready. If it cannot start, this command ends as it did.
func (c *call) startServer(ctx context.Context, p app.Place) error {
	b, err := c.spawn(ctx, p, p.ServeLogPath(), maxServeLog, c.serveWords()...)
	if err != nil {
		return fmt.Errorf("start the server in the background: %w", err)
	}
	if b.says == ready {
		return nil
	}
	select {
	case <-b.ended:
	case <-time.After(endPatience):
		return fmt.Errorf("the server reported %q and has not ended: %s may say why", b.says, safe(p.ServeLogPath()))
	case <-ctx.Done():
		return ctx.Err()
	}
	if b.says == "" {
		b.says = fmt.Sprintf("the server ended before it was ready: %s may say why", p.ServeLogPath())
	}
	c.note("rein: %s", safe(b.says))
	if code := b.cmd.ProcessState.ExitCode(); code > 0 {
		return quiet(code)
	}
	return errWrong
}

// serveWords are the command and the flags of this one, for the server in the background.
func (c *call) serveWords() []string {
	words := []string{"serve"}
	for _, f := range []struct{ flag, value string }{{"--listen", c.listen}, {"--model", c.model}, {"--root", c.root}, {"--vault", c.vault}} {
		if f.value != "" {
			words = append(words, f.flag, f.value)
		}
	}
	if c.force {
		words = append(words, "--force-root")
	}
	return words
}

// tellDetached asks the server where it is, and prints that.
func (c *call) tellDetached(ctx context.Context, p app.Place) error {
	a := app.Dial(ctx, p)
	if a == nil {
		return fmt.Errorf("the server started and does not answer any more: %s may say why", safe(p.ServeLogPath()))
	}
	health, err := a.Health(ctx)
	if err != nil {
		return err
	}
	c.print("rein serves in the background\n\n")
	c.print("  address  %s\n", safe(health.URL))
	c.print("  log in   %s prints a link\n", c.tip("login"))
	c.print("  log      %s\n", safe(p.ServeLogPath()))
	c.print("\n%s shows it, %s ends it; its runs are kept.\n", c.tip("serve status"), c.tip("serve quit"))
	return nil
}

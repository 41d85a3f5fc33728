package telegram

import (
	"context"
	"time"
)

// Split and MaxText are what tests look at.
var (
	Split = split
	Units = units
)

const MaxText = maxText

// OnPause has a function wait in place of a clock.
func (b *Bot) OnPause(wait func(ctx context.Context, d time.Duration)) { b.pause = wait }

// OnStep tells a function what the bot has done.
func (b *Bot) OnStep(f func(step string)) { b.hook = f }

// Trouble says what keeps the bot from working now; empty: nothing does.
func (b *Bot) Trouble() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.trouble
}

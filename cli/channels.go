package cli

import (
	"context"
	"strings"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func channelsCommand() command {
	return command{
		name: "channels", does: "list where you get messages outside of rein",
		more:  `Lists your addresses of mail, browsers, chats and webhooks. Messages are also in rein itself: rein messages shows them. A channel that is not verified gets nothing.`,
		flags: lookFlags, run: runChannels,
	}
}

func runChannels(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	all, err := v.Channels(ctx)
	if err != nil {
		return err
	}
	rows := [][]string{{"ID", "KIND", "STATE", "MUTED", "ADDRESS"}}
	for _, ch := range all {
		if c.json {
			if err := c.printJSON(ch); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{ch.ID, ch.Kind, channelState(ch), strings.Join(ch.Muted, ","), strings.TrimSpace(ch.Address + " " + ch.Label)})
	}
	switch {
	case c.json:
	case len(all) == 0:
		c.print("there are no channels: messages are in rein only; %s adds an address of mail\n", c.tip("channels add ADDRESS"))
	default:
		c.columns(rows)
	}
	return nil
}

func channelState(ch api.Channel) string {
	switch {
	case !ch.Gone.IsZero():
		return "gone since " + units.Day(ch.Gone)
	case ch.Verified.IsZero():
		return "not verified"
	}
	return "works"
}

func channelsAddCommand() command {
	var label string
	return command{
		name: "channels add", args: "ADDRESS|telegram", does: "get messages by mail or in Telegram", least: 1, most: 1,
		more: `Sends a code to an address of mail. Repeat it with rein channels verify, and messages go there from then on. rein needs a mail server for it: mail.host and mail.from in the settings.

For telegram it prints a code. Send it to the bot within ten minutes, and the chat is yours: you talk to your assistant there, and get your messages. rein needs a bot for it: telegram.token in the settings.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&label, "label TEXT", "what you call it")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if c.args[0] == "telegram" {
				return c.linkedTo(ctx, c.pair(ctx))
			}
			return c.linkedTo(ctx, func(l *app.App) error {
				ch, err := l.AddChannel(ctx, api.NewChannel{Kind: "mail", Address: c.args[0], Label: label})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(ch)
				}
				if !ch.Verified.IsZero() {
					c.print("channel %s works\n", safe(ch.ID))
					return nil
				}
				c.print("a code was sent to %s; %s verifies the channel\n", safe(ch.Address), c.tip("channels verify "+ch.ID+" CODE"))
				return nil
			})
		},
	}
}

// pair prints a code with which a chat becomes the user's.
func (c *call) pair(ctx context.Context) func(*app.App) error {
	return func(l *app.App) error {
		code, err := l.NewPairingCode(ctx)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(code)
		}
		c.print("send %s to @%s in Telegram before %s, or open %s\n", safe(code.Code), safe(code.Bot), units.Day(code.Expires), safe(code.Link))
		return nil
	}
}

func channelsVerifyCommand() command {
	return command{
		name: "channels verify", args: "ID [CODE]", does: "prove that a channel is yours", least: 1, most: 2,
		more:  `Repeats the code that was sent to the channel. Without a code another one is sent. A code is good for 15 minutes and five tries.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if len(c.args) == 1 {
					if err := l.SendChannelCode(ctx, c.args[0]); err != nil {
						return err
					}
					return c.done("sent", c.args[0], "another code was sent to channel %s\n", safe(c.args[0]))
				}
				ch, err := l.VerifyChannel(ctx, c.args[0], c.args[1])
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(ch)
				}
				c.print("channel %s works\n", safe(ch.ID))
				return nil
			})
		},
	}
}

// done says that something was done to a channel.
func (c *call) done(what, id, format string, args ...any) error {
	if c.json {
		return c.printJSON(map[string]string{what: id})
	}
	c.print(format, args...)
	return nil
}

func channelsTestCommand() command {
	return command{
		name: "channels test", args: "ID", does: "send a test message to a channel now", least: 1, most: 1,
		more:  `Sends the message at once, whatever the hour, and says why if the channel does not take it.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if err := l.TestChannel(ctx, c.args[0]); err != nil {
					return err
				}
				return c.done("sent", c.args[0], "a test message was sent to channel %s\n", safe(c.args[0]))
			})
		},
	}
}

func channelsMuteCommand() command {
	return command{
		name: "channels mute", args: "ID [KIND]...", does: "choose which messages do not go to a channel", least: 1, most: anyNumber,
		more:  `KIND is reminder, result, alarm, notice or ask. Without one every kind goes there.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				ch, err := l.ChangeChannel(ctx, c.args[0], api.ChannelChange{Muted: append([]string{}, c.args[1:]...)})
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(ch)
				}
				if len(ch.Muted) == 0 {
					c.print("every kind of message goes to channel %s\n", safe(ch.ID))
					return nil
				}
				c.print("these messages do not go to channel %s: %s\n", safe(ch.ID), safe(strings.Join(ch.Muted, ", ")))
				return nil
			})
		},
	}
}

func channelsRemoveCommand() command {
	return command{
		name: "channels remove", args: "ID", does: "get no more messages at a channel", least: 1, most: 1,
		more:  `What waits to be sent there is dropped. Messages stay in rein.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if err := l.RemoveChannel(ctx, c.args[0]); err != nil {
					return err
				}
				return c.done("removed", c.args[0], "channel %s is removed\n", safe(c.args[0]))
			})
		},
	}
}

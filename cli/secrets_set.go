package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// secretFlags are the flags of the commands that change secrets.
type secretFlags struct{ shared bool }

func (s *secretFlags) flags(c *call) []flagDef {
	return append([]flagDef{on(&s.shared, "shared", "the secret belongs to the household, and settings can name it; only for admins")}, append(lookFlags(c), keyFlag(c))...)
}

func secretsSetCommand() command {
	var s secretFlags
	return command{
		name: "secrets set", args: "NAME", does: "keep a key, a password or a token", least: 1, most: 1,
		more: `Asks for the value without showing what you type, or reads it from standard input, as in rein secrets set NAME < FILE. It is never an argument, which other users and the history of the shell would see. A line end after it is removed.

The value is sealed with the key file of the data folder. Nothing shows it again, and what tools and models write that contains it is masked. Settings name a secret that was set with --shared as secret:NAME where they name an environment variable, as in key_env.`,
		flags: s.flags, run: s.set,
	}
}

func (s *secretFlags) set(ctx context.Context, c *call) error {
	value, err := c.secretText(ctx, c.args[0])
	if err != nil {
		return err
	}
	return c.linked(ctx, func(l *app.App) error {
		set, err := l.SetSecret(ctx, c.args[0], value, s.shared)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(set)
		}
		c.print("secret %s is set\n", safe(set.Name))
		return nil
	})
}

// secretText reads a value: what is typed and not shown, or standard input.
func (c *call) secretText(ctx context.Context, name string) (string, error) {
	var text string
	if terminal.Is(c.stdin) {
		fmt.Fprintf(c.out.Stderr, "Value of %s (it is not shown): ", safe(name))
		line, err := terminal.ReadHidden(ctx, c.stdin)
		fmt.Fprintln(c.out.Stderr)
		if err != nil {
			return "", err
		}
		text = line
	} else {
		data, err := io.ReadAll(io.LimitReader(c.stdin, api.MaxSecret+2))
		if err != nil {
			return "", err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	}
	switch {
	case text == "":
		return "", usagef("the value is empty: type it, or give it on standard input, as in rein secrets set %s < FILE", safe(name))
	case len(text) > api.MaxSecret:
		return "", usagef("the value has more than %s", units.Size(api.MaxSecret))
	case !utf8.ValidString(text):
		return "", usagef("the value is not text in UTF-8: encode it first, as in base64 FILE | rein secrets set %s", safe(name))
	}
	return text, nil
}

func secretsRemoveCommand() command {
	var s secretFlags
	return command{
		name: "secrets remove", args: "NAME", does: "remove a secret", least: 1, most: 1,
		more:  `Removes your own secret or, with --shared, the household's. Backups that were made before still have it, sealed.`,
		flags: s.flags, run: s.remove,
	}
}

func (s *secretFlags) remove(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		if err := l.RemoveSecret(ctx, c.args[0], s.shared); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"removed": c.args[0]})
		}
		c.print("secret %s is removed\n", safe(c.args[0]))
		return nil
	})
}

func secretsRekeyCommand() command {
	return command{
		name: "secrets rekey", does: "seal every secret with a new key",
		more:  `Makes a new key, seals the secrets of all users with it, and replaces the key file. It also makes a key if the old one is lost, and lists the secrets that must be set again. Backups that were made before need a copy of the old key.`,
		flags: func(c *call) []flagDef { return append(lookFlags(c), keyFlag(c)) },
		run:   runSecretsRekey,
	}
}

func runSecretsRekey(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		done, err := l.RekeySecrets(ctx)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(done)
		}
		c.print("%s sealed with a new key\n", units.Count(int64(done.Sealed), "secret"))
		for _, name := range done.Lost {
			c.print("lost, set it again: %s\n", safe(name))
		}
		return nil
	})
}

package cli

import (
	"context"
	"path/filepath"

	"rein/sandbox"
)

// sandboxFlags are the flags of rein sandbox alone.
type sandboxFlags struct {
	in          string
	network     bool
	read, write []string
	hidden      []string
}

func sandboxCommand() command {
	var s sandboxFlags
	return command{
		name: "sandbox", args: "COMMAND [ARG]...", does: "run one command in the box that tools run in", least: 1, most: anyNumber, watches: true,
		more: `The command can write in the folder and in a new /tmp. It can read the system's programs. It sees nothing else, has no network, and gets none of your environment. Write -- before the command, so that its flags are its own. rein exits with the command's exit code, or 128 and the signal that ended it.

rein doctor lists what contains commands on this machine.`,
		flags: s.flags, run: s.run,
	}
}

func (s *sandboxFlags) flags(*call) []flagDef {
	return []flagDef{
		text(&s.in, "in DIR", "the folder in which the command works; default: the current folder"),
		on(&s.network, "network", "let it use the network"),
		each(&s.read, "read PATH", "let it read PATH"),
		each(&s.write, "write PATH", "let it write PATH"),
		each(&s.hidden, "hide PATH", "hide PATH, which lies in a folder that it can see"),
	}
}

func (s *sandboxFlags) run(ctx context.Context, c *call) error {
	p := sandbox.Policy{Network: s.network}
	var err error
	if p.Workspace, err = filepath.Abs(s.in); err != nil {
		return err
	}
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{s.read, &p.ReadOnly}, {s.write, &p.Writable}, {s.hidden, &p.Hidden}} {
		for _, path := range list.from {
			if path, err = filepath.Abs(path); err != nil {
				return err
			}
			*list.to = append(*list.to, path)
		}
	}
	p.Hidden = append(p.Hidden, c.kept()...)
	proc, err := sandbox.Start(ctx, sandbox.Detect(ctx), p, sandbox.Command{Argv: c.args, Stdin: c.stdin, Stdout: flushed{c}, Stderr: c.out.Stderr})
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go c.passSignals(proc, done)
	result, err := proc.Wait()
	if err != nil {
		return err
	}
	if result.Ended != "" {
		c.note("the box ended the command: %s", result.Ended)
	}
	if result.ExitCode != 0 {
		return quiet(result.ExitCode)
	}
	return nil
}

// kept lists what no command may see, even if it works in the home folder.
func (c *call) kept() []string {
	var out []string
	if home := c.env.Get("HOME"); filepath.IsAbs(home) {
		out = sandbox.Keys(home)
	}
	if place, err := c.setup().Place(); err == nil && filepath.IsAbs(place.Folder) {
		out = append(out, place.Folder)
	}
	return out
}

// passSignals gives the command the signals that rein gets.
func (c *call) passSignals(p *sandbox.Process, done <-chan struct{}) {
	for {
		select {
		case sig := <-c.signals:
			_ = p.Signal(sig) // it may have ended
		case <-done:
			return
		}
	}
}

// flushed shows output as it comes.
type flushed struct{ c *call }

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.c.out.Stdout.Write(b)
	if err == nil {
		err = f.c.out.Stdout.Flush()
	}
	return n, err
}

package cli

import (
	"context"

	"rein"
	"rein/app/config"
	"rein/internal/units"
	"rein/people"
	"rein/server"
)

// banner says, once and clearly, where the service is and who answers.
func (c *call) banner(ctx context.Context, s *service) error {
	c.print("rein %s\n\n", version())
	c.print("  address  %s\n", s.url)
	if s.settings.Server.URL != "" { // a proxy stands before it
		c.print("  listens  %s\n", s.address)
	}
	if err := c.printLogin(ctx, s); err != nil {
		return err
	}
	c.print("  API      %s/docs\n", s.url)
	c.print("  model    %s\n", modelLine(s.settings))
	if s.library != nil {
		c.print("  notes    %s\n", s.library.path)
	} else {
		c.print("  notes    none (--vault DIR names a folder of them)\n")
	}
	c.print("  files    %s\n", safe(c.files.says()))
	c.print("  data     %s\n", s.place.folder)
	c.print("\nCtrl-C ends it; what is under way is kept.\n")
	return c.stdout.Flush()
}

// printLogin prints a link that logs the owner in, to a terminal only: what is no terminal is likely
// to be kept, in a journal or a file, where others can read it.
func (c *call) printLogin(ctx context.Context, s *service) error {
	if !c.screen.text {
		c.print("  log in   `rein login` prints a link\n")
		return nil
	}
	link, err := s.people.NewLoginLink(ctx, rein.Host(), rein.Host().User)
	if err != nil {
		return err
	}
	c.print("  log in   %s%s\n", s.url, server.LoginPath(link))
	c.print("           (good once, within %s; `rein login` makes another)\n", units.Span(people.LinkLife))
	return nil
}

func modelLine(settings *config.Config) string {
	m, ok := settings.Models[settings.Model]
	switch {
	case settings.Model == config.KindOffline:
		return "offline (built in: it follows rules and is no LLM; `rein models` shows others)"
	case ok && m.Model != "":
		return settings.Model + " (" + m.Kind + ", " + m.Model + ")"
	}
	return settings.Model
}

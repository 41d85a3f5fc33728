package cli

import (
	"context"

	"rein/app"
	"rein/app/config"
	"rein/internal/units"
)

// banner says, once and clearly, where the service is and who answers.
func (c *call) banner(ctx context.Context, s *app.Service) error {
	c.print("rein %s\n\n", app.Version())
	c.print("  address  %s\n", s.URL())
	if s.Settings().Server.URL != "" { // a proxy stands before it
		c.print("  listens  %s\n", s.Address())
	}
	if err := c.printLogin(ctx, s); err != nil {
		return err
	}
	c.print("  API      %s/docs\n", s.URL())
	c.print("  model    %s\n", modelLine(s.Settings()))
	if notes := s.Notes(); notes != "" {
		c.print("  notes    %s\n", notes)
	} else {
		c.print("  notes    none (--vault DIR names a folder of notes)\n")
	}
	c.print("  files    %s\n", safe(c.setup().Files().String()))
	c.print("  data     %s\n", s.Data())
	c.print("\nCtrl-C shuts it down; runs in progress are kept.\n")
	return c.out.Stdout.Flush()
}

// printLogin prints a link that logs the owner in, to a terminal only: what is no terminal is likely
// to be kept, in a journal or a file, where others can read it.
func (c *call) printLogin(ctx context.Context, s *app.Service) error {
	if !c.out.Screen.Text {
		c.print("  log in   `rein login` prints a link\n")
		return nil
	}
	link, err := s.LoginURL(ctx)
	if err != nil {
		return err
	}
	c.print("  log in   %s\n", link)
	c.print("           (works once, within %s; `rein login` makes another)\n", units.Span(app.LoginLife))
	return nil
}

func modelLine(settings *config.Config) string {
	m, ok := settings.Models[settings.Model]
	switch {
	case settings.ChosenByKey() != "":
		return byKey(settings)
	case settings.Model == config.KindOffline:
		return "offline (built in: it follows fixed rules and is not an LLM; `rein models` lists others)"
	case ok && m.Model != "":
		return settings.Model + " (" + m.Kind + ", " + m.Model + ")"
	}
	return settings.Model
}

package app

import (
	"context"
	"strings"

	"rein/internal/units"
)

// checkSecrets looks at the key file, and at whether every secret can be opened.
func (d *doctor) checkSecrets(ctx context.Context, s *Data) error {
	box := d.setup.boxOf(s)
	if err := box.Keys.Check(); err != nil {
		d.find(Wrong, "secrets", "until this is right rein uses no secret: `chmod 600 "+box.Keys.Path()+"` if others can read it, else put your copy there, or name it with secret_key_file", "%v", err)
		return ctx.Err()
	}
	lost, all, err := box.Lost(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(Wrong, "secrets", restore, "%v", err)
	case len(lost) > 0:
		d.find(Wrong, "secrets", "put the key back into "+box.Keys.Path()+", or make a new one with "+d.tip("secrets rekey")+" and set them again with "+d.tip("secrets set NAME"), "%s cannot be opened: %s", units.Count(int64(len(lost)), "secret"), strings.Join(lost[:min(10, len(lost))], ", "))
	case all == 0:
		d.find(Fine, "secrets", "", "none are kept")
	default:
		d.find(Fine, "secrets", "", "%s, sealed with %s", units.Count(int64(all), "secret"), box.Keys.Path())
	}
	return nil
}

package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"rein"
	"rein/api/client"
	"rein/app"
	"rein/terminal/export"
)

// exportFlags are the flags of rein export alone.
type exportFlags struct {
	html, markdown bool
	file           string
	force          bool
	run            string
	images         int
	server         serverFlags
}

// How large an image may be that a page embeds, in megabytes.
const (
	usualImage = 2
	mostImage  = 32
)

func exportCommand() command {
	e := exportFlags{images: usualImage}
	return command{
		name: "export", args: "[SESSION]", does: "write a session as a page or as Markdown", most: 1,
		more: `Writes all runs of SESSION in order: what people, models and tools said and did, who answered what, which sources were cited, what it cost and how it ended. SESSION can be last, an end or a beginning of the ID, or a part of the title. If it names no session but a run, only that run is written. A run that has not ended is written as it is now.

--html is one page that needs nothing else: no scripts, nothing from the network, light or dark as the reader's system is. --md is Markdown in which every text of a person, a model or a tool stands in a fence. Both mask secrets, and show the head of the hash chain of each log, as rein audit verify RUN --json prints it.

It changes nothing, and works beside a running rein. --server exports from a rein on another machine; its token is in the variable REIN_TOKEN, or in a file that --token-file names.`,
		flags: e.flags, run: e.do,
	}
}

func (e *exportFlags) flags(c *call) []flagDef {
	return joinFlags([]flagDef{
		on(&e.html, "html", "write one HTML page"),
		on(&e.markdown, "md", "write Markdown"),
		text(&e.file, "o FILE", "write to FILE, for you alone to read; default: standard output"),
		on(&e.force, "force", "replace FILE if it exists"),
		text(&e.run, "run RUN", "write only this run, with those below it"),
		number(&e.images, "images MB", fmt.Sprintf("embed images of up to MB megabytes each in the page, 0: none; default: %d", usualImage)),
	}, e.server.flags(), placeFlags(c))
}

func (e *exportFlags) do(ctx context.Context, c *call) error {
	form, err := e.form()
	if err != nil {
		return err
	}
	if err := e.check(c); err != nil {
		return err
	}
	in, place, done, err := e.open(ctx, c)
	if err != nil {
		return err
	}
	defer done()
	session, run, err := e.find(ctx, c, in, place)
	if err != nil {
		return err
	}
	o := export.Options{
		Client: in, Session: session, Run: run, Form: form, MaxImage: int64(e.images) * 1_000_000, Version: app.Version(), Now: time.Now(),
		Currency: currencyOf(ctx, in, true),
	}
	if e.file == "" || e.file == "-" {
		return e.wrong(c, run, export.Write(ctx, c.out.Stdout, o))
	}
	err = writeWhole(e.file, e.force, func(to io.Writer) error { return export.Write(ctx, to, o) })
	if err != nil {
		return e.wrong(c, run, err)
	}
	c.note("wrote %s", safe(e.file))
	return nil
}

// form is what was asked for or, if nothing was, what the name of the file says.
func (e *exportFlags) form() (export.Form, error) {
	suffix := strings.ToLower(filepath.Ext(e.file))
	switch {
	case e.html && e.markdown:
		return "", usagef("--html and --md are two forms: give one of them")
	case e.html:
		return export.HTML, nil
	case e.markdown:
		return export.Markdown, nil
	case suffix == ".html" || suffix == ".htm":
		return export.HTML, nil
	case suffix == ".md":
		return export.Markdown, nil
	}
	return "", usagef("say which form: --html or --md, or name a file that ends in .html or .md with -o FILE")
}

// check refuses what does not fit together, before anything is read.
func (e *exportFlags) check(c *call) error {
	switch {
	case len(c.args) == 0 && e.run == "":
		return usagef("name a session, or last, as rein sessions lists them; or name a run with --run RUN")
	case len(c.args) > 0 && e.run != "":
		return usagef("%q and --run %s name two things: give one of them", c.args[0], e.run)
	case e.images < 0 || e.images > mostImage:
		return usagef("--images cannot be %d: it is a number from 0 to %d", e.images, mostImage)
	case e.force && (e.file == "" || e.file == "-"):
		return usagef("--force replaces a file: name it with -o FILE")
	case e.file != "" && e.file != "-" && !e.force:
		return vacant(e.file)
	}
	return nil
}

// open returns a client of the data here, or of another rein. The place is where the data is, if it is here.
func (e *exportFlags) open(ctx context.Context, c *call) (in *client.Client, place *app.Place, done func(), err error) {
	if e.server.url != "" {
		in, err = e.server.dial(c)
		return in, nil, func() {}, err
	}
	v, err := c.setup().Look(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return v.Client, &v.Place, func() { v.Close() }, nil
}

// find returns the session that is meant and, if only one run is, that run.
func (e *exportFlags) find(ctx context.Context, c *call, in *client.Client, place *app.Place) (session string, run rein.RunID, err error) {
	if e.run != "" {
		return e.findRun(ctx, c, in, place, e.run)
	}
	n := sessionName{name: c.args[0], titled: true}
	if place != nil {
		n.user = rein.Host().User
	}
	found, err := n.find(ctx, in)
	switch code := rein.CodeOf(err); {
	case err == nil:
		return found.ID, "", nil
	case (code == rein.CodeNotFound || code == rein.CodeInvalid) && n.name != lastName:
		session, run, err := e.findRun(ctx, c, in, place, n.name)
		if code := rein.CodeOf(err); code == rein.CodeNotFound || code == rein.CodeInvalid {
			return "", "", rein.Errorf(rein.CodeNotFound, "no session and no run %.100q: %s lists the sessions", n.name, c.tip("sessions"))
		}
		return session, run, err
	}
	return "", "", err
}

func (e *exportFlags) findRun(ctx context.Context, c *call, in *client.Client, place *app.Place, name string) (string, rein.RunID, error) {
	id, err := c.runNamed(ctx, in, name)
	if err == nil {
		var info rein.RunInfo
		if info, err = in.Run(ctx, id); err == nil {
			return info.Session, id, nil
		}
	}
	if place != nil {
		err = c.unknownRun(err, *place)
	}
	return "", "", err
}

// wrong says what to do about a log that is damaged.
func (e *exportFlags) wrong(c *call, run rein.RunID, err error) error {
	if rein.CodeOf(err) != rein.CodeDamaged || e.server.url != "" {
		return err
	}
	verify := "audit verify"
	if run != "" {
		verify += " " + string(run)
	}
	return fmt.Errorf("%w; %s lists what is wrong", err, c.tip(verify))
}

package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/household/agenda"
	"rein/household/agenda/ics"
	"rein/server/port"
	"rein/server/wire"
)

const calendarMedia = "text/calendar"

// importPatience is how long reading one file may take.
const importPatience = 30 * time.Second

func (s *server) importAgenda(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayChange(r, who, "agenda", "change the agenda"); err != nil {
		return err
	}
	data, err := wire.ReadBody(w, r, ics.MaxFile)
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return wire.Refuse(http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the file has more than %d bytes: export a shorter time, or split the file", ics.MaxFile))
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	reading, cancel := context.WithTimeout(r.Context(), importPatience)
	defer cancel()
	file, err := ics.Read(reading, data, s.Agenda.Zone())
	if err != nil {
		return err
	}
	ctx, release := lasting(r)
	defer release()
	done, err := s.Agenda.Book.Import(ctx, ownerOf(who), file.Events)
	if err != nil {
		return err
	}
	s.agendaChanged(who, true)
	told := api.AgendaImport{Added: done.Added, Updated: done.Updated, Unchanged: done.Unchanged, Remarks: file.Remarks}
	for _, skipped := range file.Skipped {
		told.Skipped = append(told.Skipped, api.SkippedAgendaEvent{UID: skipped.UID, Title: skipped.Title, Why: skipped.Why})
	}
	for _, refused := range done.Refused {
		told.Skipped = append(told.Skipped, api.SkippedAgendaEvent{UID: refused.Event.UID, Title: refused.Event.Title, Why: refused.Why})
	}
	return answer(w, http.StatusOK, told)
}

func (s *server) exportAgenda(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	all, err := s.Agenda.Book.OwnAll(r.Context(), ownerOf(who))
	if err != nil {
		return err
	}
	return sendCalendar(w, r, all, who.User)
}

// sendCalendar answers with a file. A browser saves it.
func sendCalendar(w http.ResponseWriter, r *http.Request, events []agenda.Event, name string) error {
	data, err := ics.Write(events, name)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	h := w.Header()
	h.Set("Content-Type", calendarMedia+"; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="agenda.ics"`)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(data)))
	return nil
}

func (s *server) showAgendaFeed(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	f, ok, err := s.Agenda.Book.FeedOf(r.Context(), ownerOf(who))
	if err == nil && !ok {
		err = rein.Errorf(rein.CodeNotFound, "no address shows your agenda to other programs: `rein agenda feed` creates one")
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.AgendaFeed{Created: f.Created})
}

func (s *server) newAgendaFeed(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := readsToo(who); err != nil { // whoever has the address reads
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	secret, f, err := s.Agenda.Book.NewFeed(ctx, ownerOf(who))
	if err != nil {
		return err
	}
	made := api.AgendaFeed{Path: "/v1/agenda/feed/" + secret + ".ics", Created: f.Created}
	if base := s.Agenda.URL(); base != "" {
		made.URL = strings.TrimSuffix(base, "/") + made.Path
	}
	return answer(w, http.StatusCreated, made)
}

func (s *server) endAgendaFeed(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Agenda.Book.EndFeed(ctx, ownerOf(who)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// readAgendaFeed answers whoever has the secret. One that is wrong counts as a credential that was refused.
func (s *server) readAgendaFeed(w http.ResponseWriter, r *http.Request, _ rein.Identity) error {
	owner, err := s.Agenda.Book.FeedFor(r.Context(), strings.TrimSuffix(r.PathValue("secret"), ".ics"))
	if err == nil && s.People != nil {
		err = s.stillThere(r.Context(), owner)
	}
	if err != nil {
		if err = port.Refused(r.Context(), err); rein.CodeOf(err) == rein.CodeUnauthenticated {
			err = rein.Errorf(rein.CodeNotFound, "%w", err) // no log-in would help
		}
		return err
	}
	all, err := s.Agenda.Book.Seen(r.Context(), owner)
	if err != nil {
		return err
	}
	return sendCalendar(w, r, all, owner.User)
}

// stillThere refuses the feed of a user who was disabled.
func (s *server) stillThere(ctx context.Context, o agenda.Owner) error {
	all, err := s.People.ListUsers(ctx, rein.Identity{Household: o.Household, Role: rein.Owner, Scopes: rein.Scopes()})
	for _, u := range all {
		if u.Name == o.User && u.Disabled.IsZero() {
			return nil
		}
	}
	if err == nil {
		err = agenda.ErrNoFeed
	}
	return err
}

// apiOccurrence is an occurrence as the API has it.
func apiOccurrence(o agenda.Occurrence) api.AgendaOccurrence {
	e := o.Event
	return api.AgendaOccurrence{
		Event: e.ID, Occurrence: o.Of.Text(e.AllDay), Title: e.Title, Place: e.Place, Start: o.Start, End: o.End,
		AllDay: e.AllDay, Free: e.Free, Repeats: e.Repeats(), Changed: o.Change, Shared: e.Shared, User: e.User,
	}
}

func apiConflict(c agenda.Conflict) api.AgendaConflict {
	return api.AgendaConflict{At: c.Own.Start, Other: apiOccurrence(c.Other)}
}

// apiEvent is an event as the API has it.
func apiEvent(e agenda.Event) api.AgendaEvent {
	text := func(w agenda.Wall) string { return w.Text(e.AllDay) }
	shown := api.AgendaEvent{
		ID: e.ID, UID: e.UID, User: e.User, By: e.By, Title: e.Title, Place: e.Place, Notes: e.Notes, Start: text(e.Start), End: e.EndText(), Zone: e.Zone,
		AllDay: e.AllDay, Free: e.Free, Rule: e.Rule, Alarms: e.Alarms, Shared: e.Shared, Version: e.Version(), Created: e.Created, Updated: e.Updated,
	}
	if len(e.Dates) > 0 {
		shown.Dates = each(e.Dates, text)
	}
	if len(e.Skips) > 0 {
		shown.Skips = each(e.Skips, text)
	}
	for _, c := range e.Changes {
		end := agenda.Event{Start: c.Start, End: c.End, AllDay: c.AllDay}.EndText()
		shown.Changes = append(shown.Changes, api.AgendaChange{Occurrence: text(c.Of), Title: c.Title, Place: c.Place, Notes: c.Notes, Start: c.Start.Text(c.AllDay), End: end, AllDay: c.AllDay})
	}
	return shown
}

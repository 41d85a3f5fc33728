package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/household/agenda"
	"rein/internal/civil"
	"rein/internal/speech"
	"rein/server/wire"
)

// An Agenda is the events of users, with where they live.
type Agenda struct {
	Book agenda.Book
	// Zone returns the time zone of people who name none.
	Zone func() string
	// URL returns the address of the server; empty: it has none.
	URL func() string
}

func (s *server) agendaOperations() []operation {
	window := []parameter{
		{name: "from", about: "from when, such as 2026-11-24 or 2026-11-24T09:00; default: now"},
		{name: "to", about: "until when, the same way; a day counts to its end; default: 7 days later"},
		{name: "zone", about: "the time zone of these times; default: that of the settings"},
	}
	which := []parameter{
		{name: "scope", about: "which occurrences of an event that repeats are meant", words: scopes()},
		{name: "occurrence", about: "which one is meant, as the list has it; needed for one and following"},
		{name: "version", about: "refuse it (409) if the event says something else by now"},
	}
	return []operation{
		{
			method: "GET", path: "/v1/agenda/events", name: "listAgenda", tag: "agenda", summary: "List what happens in your agenda between two times, with the events that others in the household share",
			needs: rein.ScopeRead, wide: true, query: window, answers: ok(api.Agenda{}), do: s.withAgenda(s.listAgenda),
		},
		{
			method: "POST", path: "/v1/agenda/events", name: "addAgendaEvent", tag: "agenda", summary: "Add an event to your agenda. The answer says what it conflicts with",
			needs: rein.ScopeAct, once: true, body: api.NewAgendaEvent{}, answers: []reply{{status: http.StatusCreated, value: api.WrittenAgendaEvent{}}}, do: s.withAgenda(s.addAgendaEvent),
		},
		{
			method: "GET", path: "/v1/agenda/events/{id}", name: "showAgendaEvent", tag: "agenda", summary: "Get an event",
			needs: rein.ScopeRead, answers: ok(api.AgendaEvent{}), do: s.withAgenda(s.showAgendaEvent),
		},
		{
			method: "PATCH", path: "/v1/agenda/events/{id}", name: "changeAgendaEvent", tag: "agenda", summary: "Change an event of yours, or some occurrences of one that repeats",
			needs: rein.ScopeAct, body: api.AgendaEventEdit{}, answers: ok(api.WrittenAgendaEvent{}), do: s.withAgenda(s.changeAgendaEvent),
		},
		{
			method: "DELETE", path: "/v1/agenda/events/{id}", name: "deleteAgendaEvent", tag: "agenda", summary: "Delete an event of yours, or some occurrences of one that repeats",
			needs: rein.ScopeAct, query: which, answers: []reply{{status: http.StatusNoContent}}, do: s.withAgenda(s.deleteAgendaEvent),
		},
		{
			method: "GET", path: "/v1/agenda/free", name: "findFreeTime", tag: "agenda", summary: "Find times at which nothing is in your agenda. Of others only the events count that they share",
			needs: rein.ScopeRead, wide: true, answers: ok(api.AgendaFree{}), do: s.withAgenda(s.findFreeTime),
			query: append(slices.Clone(window),
				parameter{name: "minutes", about: "how long it must be", most: 24 * 60},
				parameter{name: "day_start", about: "the earliest time of a day; default: 09:00"},
				parameter{name: "day_end", about: "the latest time of a day; default: 18:00"},
				parameter{name: "days", about: "the days on which it can be, such as mo,tu,we; default: all"},
				parameter{name: "with", about: "members of the household who must be free too, with commas between them; default: what anyone shares counts"},
				parameter{name: "limit", about: "how many times at most; default: 5", most: 100}),
		},
		{
			method: "POST", path: "/v1/agenda/import", name: "importAgenda", tag: "agenda", summary: "Add the events of an iCalendar file to your agenda. Events that are there already, by their UID, are updated",
			needs: rein.ScopeAct, media: "text/calendar", answers: ok(api.AgendaImport{}), do: s.withAgenda(s.importAgenda),
		},
		{
			method: "GET", path: "/v1/agenda/export", name: "exportAgenda", tag: "agenda", summary: "Download your events as an iCalendar file",
			needs: rein.ScopeRead, wide: true, answers: []reply{{status: http.StatusOK, media: calendarMedia}}, do: s.withAgenda(s.exportAgenda),
		},
		{
			method: "GET", path: "/v1/agenda/feed", name: "showAgendaFeed", tag: "agenda", summary: "Get whether other programs can read your agenda at an address, and since when. The address itself is shown only once, by the answer that creates it",
			needs: rein.ScopeRead, later: true, answers: ok(api.AgendaFeed{}), do: s.withAgenda(s.showAgendaFeed),
		},
		{
			method: "POST", path: "/v1/agenda/feed", name: "newAgendaFeed", tag: "agenda", summary: "Create the address at which other programs read your agenda, without a log-in. The one before stops working",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusCreated, value: api.AgendaFeed{}}}, do: s.withAgenda(s.newAgendaFeed),
		},
		{
			method: "DELETE", path: "/v1/agenda/feed", name: "endAgendaFeed", tag: "agenda", summary: "Revoke that address. It stops working at once",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withAgenda(s.endAgendaFeed),
		},
		{
			method: "GET", path: "/v1/agenda/feed/{secret}", name: "readAgendaFeed", tag: "agenda", summary: "Read an agenda by its secret address: the events of its user, and those that the household sees. It needs no log-in",
			answers: []reply{{status: http.StatusOK, media: calendarMedia}, {status: http.StatusNotModified}}, do: s.withAgenda(s.readAgendaFeed),
		},
	}
}

func scopes() (all []string) {
	for _, scope := range agenda.Scopes() {
		all = append(all, string(scope))
	}
	return all
}

func (s *server) withAgenda(do handler) handler {
	if s.Agenda != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process keeps no agenda: send the request to the process that owns the data")
	}
}

func ownerOf(who rein.Identity) agenda.Owner {
	return agenda.Owner{Household: who.Household, User: who.User}
}

// readsToo refuses a sender who may write and not read: what is answered is what the agenda has.
func readsToo(who rein.Identity) error {
	if !who.May(rein.ScopeRead) {
		return lacks(who, rein.ScopeRead)
	}
	return nil
}

// window reads the times and the zone of a question.
func (s *server) window(r *http.Request) (w agenda.Window, zone string, err error) {
	query := r.URL.Query()
	if zone = query.Get("zone"); zone == "" {
		zone = s.Agenda.Zone()
	}
	if w.Zone, err = civil.Zone(zone); err != nil {
		return w, zone, err
	}
	w.From = s.Agenda.Book.Time()
	if from := query.Get("from"); from != "" {
		if w.From, err = agenda.Instant(from, w.Zone); err != nil {
			return w, zone, rein.Errorf(rein.CodeInvalid, "from: %w", err)
		}
	}
	w.To = w.From.In(w.Zone).AddDate(0, 0, 7)
	if to := query.Get("to"); to != "" {
		if w.To, err = agenda.Instant(to, w.Zone); err != nil {
			return w, zone, rein.Errorf(rein.CodeInvalid, "to: %w", err)
		}
		if len(to) == len(time.DateOnly) {
			w.To = w.To.In(w.Zone).AddDate(0, 0, 1)
		}
	}
	return w, zone, nil
}

func (s *server) listAgenda(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	window, zone, err := s.window(r)
	if err != nil {
		return err
	}
	all, err := s.Agenda.Book.List(r.Context(), ownerOf(who), window)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Agenda{Occurrences: each(all, apiOccurrence), Zone: zone})
}

func (s *server) showAgendaEvent(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	e, err := s.Agenda.Book.Get(r.Context(), ownerOf(who), r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, apiEvent(e))
}

func (s *server) addAgendaEvent(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayChange(r, who, "agenda", "change the agenda"); err != nil {
		return err
	}
	var body api.NewAgendaEvent
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	by, err := requestOrigin(r, body.Key)
	if err != nil {
		return err
	}
	e, err := agenda.Draft{
		Title: body.Title, Place: body.Place, Notes: body.Notes, Start: body.Start, End: body.End, Minutes: body.Minutes, Zone: body.Zone,
		AllDay: body.AllDay, Free: body.Free, Rule: body.Rule, Alarms: body.Alarms, Shared: body.Shared,
	}.Event(ownerOf(who), s.Agenda.Zone())
	if err != nil {
		return err
	}
	e.ID = agenda.NewID(rein.RunID("request:"+who.Household+":"+who.User), rein.StepKey(by.Step))
	e.UID = e.ID + "@rein"
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Agenda.Book.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return s.Agenda.Book.Add(ctx, tx, e) }); err != nil {
		return err
	}
	return s.answerEvent(ctx, w, http.StatusCreated, who, e.ID, "")
}

// answerEvent answers with an event that was written, and tells those who see it.
func (s *server) answerEvent(ctx context.Context, w http.ResponseWriter, status int, who rein.Identity, id, next string) error {
	written := api.WrittenAgendaEvent{}
	e, err := s.Agenda.Book.Get(ctx, ownerOf(who), id)
	if err != nil {
		return err
	}
	written.Event = apiEvent(e)
	s.agendaChanged(who, e.Shared)
	if next != "" {
		if e, err = s.Agenda.Book.Get(ctx, ownerOf(who), next); err != nil {
			return err
		}
		shown := apiEvent(e)
		written.Next = &shown
	}
	zone := agenda.ZoneOf(s.Agenda.Zone())
	conflicts, err := s.Agenda.Book.Conflicts(ctx, e, zone)
	if err != nil {
		return err
	}
	written.Conflicts = each(conflicts, apiConflict)
	written.Remarks = remarks(e, zone, s.Agenda.Book.Time())
	return answer(w, status, written)
}

// remarks says where the clocks change at the time of an event within a year.
func remarks(e agenda.Event, zone *time.Location, now time.Time) (lines []string) {
	first, ok, err := e.Next(time.Time{}, zone)
	if err != nil || !ok || e.AllDay {
		return nil
	}
	from := first.Start
	if now.After(from) {
		from = now
	}
	all, _ := e.Occurrences(from, from.AddDate(1, 0, 0), zone, agenda.MaxOccurrences)
	for _, o := range all {
		day, wall := speech.Day("en", o.Start, now), o.Event.Start.Format("15:04")
		switch o.Fit {
		case civil.Missing:
			lines = append(lines, "the clocks change on "+day+": "+wall+" does not exist, so the event begins at "+o.Start.Format("15:04"))
		case civil.Twice:
			lines = append(lines, "the clocks change on "+day+": "+wall+" comes twice, and the first one counts")
		}
	}
	return lines
}

// agendaChanged lets those who see an event know that something changed.
func (s *server) agendaChanged(who rein.Identity, shared bool) {
	user := who.User
	if shared {
		user = ""
	}
	s.Live.Household(who.Household, user, api.TopicAgenda)
}

func (s *server) changeAgendaEvent(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := s.mayChange(r, who, "agenda", "change the agenda"); err != nil {
		return err
	}
	var body api.AgendaEventEdit
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	book, owner, id := s.Agenda.Book, ownerOf(who), r.PathValue("id")
	was, err := book.Own(ctx, owner, id)
	if err != nil {
		return err
	}
	of, err := was.ReadOccurrence(body.Occurrence)
	if err != nil {
		return err
	}
	scope, err := was.Choose(agenda.Scope(body.Scope), of)
	if err != nil {
		return err
	}
	if !was.Repeats() {
		of = nil
	}
	edit, err := agenda.Amendment{
		Title: body.Title, Place: body.Place, Notes: body.Notes, Start: body.Start, End: body.End, Minutes: body.Minutes, Zone: body.Zone,
		AllDay: body.AllDay, Free: body.Free, Rule: body.Rule, Alarms: body.Alarms, Shared: body.Shared,
	}.Read(was, of)
	if err != nil {
		return err
	}
	by, err := requestOrigin(r, "")
	if err != nil {
		return err
	}
	becomes, err := was.Apply(scope, of, edit, string(by.Step))
	if err != nil {
		return err
	}
	version := body.Version
	if version == "" {
		version = was.Version()
	}
	next := ""
	err = book.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := book.Replace(ctx, tx, owner, version, becomes.Event); err != nil || becomes.Next == nil {
			return err
		}
		next = becomes.Next.ID
		return book.Add(ctx, tx, *becomes.Next)
	})
	if err != nil {
		return err
	}
	s.agendaChanged(who, was.Shared)
	return s.answerEvent(ctx, w, http.StatusOK, who, id, next)
}

func (s *server) deleteAgendaEvent(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if err := readsToo(who); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	query, book, owner, id := r.URL.Query(), s.Agenda.Book, ownerOf(who), r.PathValue("id")
	was, err := book.Own(ctx, owner, id)
	if err != nil {
		return err
	}
	of, err := was.ReadOccurrence(query.Get("occurrence"))
	if err != nil {
		return err
	}
	left, gone, err := was.Without(agenda.Scope(query.Get("scope")), of)
	if err != nil {
		return err
	}
	version := query.Get("version")
	if version == "" {
		version = was.Version()
	}
	err = book.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if gone {
			return book.Delete(ctx, tx, owner, version, id)
		}
		return book.Replace(ctx, tx, owner, version, left)
	})
	if err != nil {
		return err
	}
	s.agendaChanged(who, was.Shared)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// weekdayNames are how days are named in a question.
var weekdayNames = map[string]time.Weekday{"mo": time.Monday, "tu": time.Tuesday, "we": time.Wednesday, "th": time.Thursday, "fr": time.Friday, "sa": time.Saturday, "su": time.Sunday}

func (s *server) findFreeTime(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	search := agenda.Search{Length: time.Duration(number(r, "minutes", 60)) * time.Minute, Most: number(r, "limit", 5)}
	var err error
	if search.Window, _, err = s.window(r); err != nil {
		return err
	}
	if now := s.Agenda.Book.Time(); search.From.Before(now) {
		search.From = now.Truncate(time.Minute)
	}
	for _, part := range []struct {
		name, otherwise string
		to              *int
	}{{"day_start", "09:00", &search.DayStart}, {"day_end", "18:00", &search.DayEnd}} {
		text := query.Get(part.name)
		if text == "" {
			text = part.otherwise
		}
		if *part.to, err = agenda.ParseClock(text); err != nil {
			return rein.Errorf(rein.CodeInvalid, "%s: %w", part.name, err)
		}
	}
	for _, name := range words(query.Get("days")) {
		day, ok := weekdayNames[strings.ToLower(name)]
		if !ok {
			return rein.Errorf(rein.CodeInvalid, "days: there is no day %.20q; available: mo, tu, we, th, fr, sa, su", name)
		}
		search.Days = append(search.Days, day)
	}
	if search.With, err = s.membersNamed(r.Context(), who, words(query.Get("with"))); err != nil {
		return err
	}
	found, err := s.Agenda.Book.Free(r.Context(), ownerOf(who), search)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.AgendaFree{Free: each(found, func(f agenda.Slot) api.AgendaSlot {
		return api.AgendaSlot{Start: f.Start.In(search.Zone), End: f.End.In(search.Zone)}
	})})
}

// membersNamed refuses names that nobody in the sender's household has.
func (s *server) membersNamed(ctx context.Context, who rein.Identity, names []string) ([]string, error) {
	if len(names) == 0 || s.People == nil {
		return names, nil
	}
	all, err := s.People.ListUsers(ctx, rein.Identity{Household: who.Household, Role: rein.Owner, Scopes: rein.Scopes()})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(u rein.UserInfo) bool { return u.Name == name }) {
			return nil, rein.Errorf(rein.CodeInvalid, "with: there is no %.60q in the household", name)
		}
	}
	return names, nil
}

// words are the parts of a text between commas.
func words(text string) (all []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}

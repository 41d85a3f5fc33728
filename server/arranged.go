package server

import (
	"context"
	"net/http"
	"strings"

	"rein"
	"rein/api"
	"rein/household/page"
	"rein/server/wire"
	"rein/store"
)

// arrangeOperations are about how people arrange their sessions.
func (s *server) arrangeOperations() []operation {
	return []operation{
		{
			method: "PATCH", path: "/v1/sessions/{id}", name: "changeSession", tag: "sessions", summary: "Give a session a title, pin or archive it",
			needs: rein.ScopeAct, body: api.ChangedSession{}, answers: ok(api.Session{}), do: s.withPage(s.changeSession),
		},
	}
}

func (s *server) withPage(do handler) handler {
	if s.Page != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process does not keep how people arrange their sessions: send the request to the process that owns the data")
	}
}

// A sessionList is a page of the sessions that somebody sees.
type sessionList struct {
	*server
	filter store.SessionFilter
	marks  map[string]page.Mark
	from   map[string]rein.Branch // of each branch
	want   int
	found  []api.Session
}

func (s *server) listSessions(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, query, limit := r.Context(), r.URL.Query(), number(r, "limit", api.DefaultLimit)
	if who.Household == "" {
		return answer(w, http.StatusOK, api.Sessions{Sessions: []api.Session{}})
	}
	user, err := userOf(query.Get("user"), who)
	if err != nil {
		return err
	}
	after := query.Get("after")
	if after != "" {
		if _, err := s.sessionOf(ctx, after, who); err != nil {
			return err
		}
	}
	l := &sessionList{server: s, want: limit + 1, filter: store.SessionFilter{Household: who.Household, User: user, Text: query.Get("q"), Recent: true, For: answers(who), Adult: who.Role.IsAdult()}}
	if l.marks, err = s.marks(ctx, who.Household, user); err != nil {
		return err
	}
	if l.from, err = s.branchesOf(ctx, who.Household); err != nil {
		return err
	}
	if flag(r, "archived") {
		err = l.archived(ctx, after)
	} else {
		err = l.current(ctx, after)
	}
	if err != nil {
		return err
	}
	page := api.Sessions{Sessions: append([]api.Session{}, l.found[:min(len(l.found), limit)]...)}
	if len(l.found) > limit {
		page.Next = l.found[limit-1].ID
	}
	return answer(w, http.StatusOK, page)
}

// userOf is whose things are listed: those of the user who is named, if the sender may see them, or all that they see.
func userOf(named string, who rein.Identity) (string, error) {
	switch {
	case seesAll(who) || named == who.User:
		return named, nil
	case named == "":
		return who.User, nil
	}
	return "", rein.Errorf(rein.CodeForbidden, "%s may not see what belongs to %.100s", who.User, named)
}

// answers is the user whose asks the sender may answer; empty: none.
func answers(who rein.Identity) string {
	if who.May(rein.ScopeAnswer) {
		return who.User
	}
	return ""
}

func (s *server) marks(ctx context.Context, household, user string) (map[string]page.Mark, error) {
	if s.Page == nil {
		return nil, nil
	}
	return s.Page.Marks(ctx, household, user)
}

// archived lists the sessions that were archived.
func (l *sessionList) archived(ctx context.Context, after string) error {
	return l.only(ctx, after, func(m page.Mark) bool { return m.Archived })
}

// current lists the sessions that are pinned, and then the others. Those that are archived are left out.
func (l *sessionList) current(ctx context.Context, after string) error {
	if m := l.marks[after]; after == "" || m.Pinned && !m.Archived {
		if err := l.only(ctx, after, func(m page.Mark) bool { return m.Pinned && !m.Archived }); err != nil {
			return err
		}
		after = ""
	}
	elsewhere := 0
	for _, m := range l.marks {
		if m.Pinned || m.Archived {
			elsewhere++
		}
	}
	f := l.filter
	f.After, f.Limit = after, l.want+elsewhere
	return l.add(ctx, f, func(m page.Mark) bool { return !m.Pinned && !m.Archived })
}

// only lists sessions that have such a mark.
func (l *sessionList) only(ctx context.Context, after string, is func(page.Mark) bool) error {
	f := l.filter
	f.IDs, f.After, f.Limit = []string{}, after, l.want
	for id, m := range l.marks {
		if is(m) {
			f.IDs = append(f.IDs, id)
		}
	}
	return l.add(ctx, f, is)
}

// add adds the sessions of a filter that have such a mark, until there are enough.
func (l *sessionList) add(ctx context.Context, f store.SessionFilter, is func(page.Mark) bool) error {
	if len(l.found) == l.want {
		return nil
	}
	if f.Text != "" {
		f.Found = l.titled(f.Text)
	}
	for info, err := range l.Store.Sessions(ctx, f) {
		if err != nil {
			return err
		}
		m := l.marks[info.ID]
		if !is(m) {
			continue
		}
		if l.found = append(l.found, arranged(info, m, l.from)); len(l.found) == l.want {
			return nil
		}
	}
	return nil
}

// titled names the sessions whose own title has the text.
func (l *sessionList) titled(text string) (ids []string) {
	text = strings.ToLower(text)
	for id, m := range l.marks {
		if strings.Contains(strings.ToLower(m.Title), text) {
			ids = append(ids, id)
		}
	}
	return ids
}

// arranged is a session with its mark, and what it is a branch of.
func arranged(info rein.SessionInfo, m page.Mark, from map[string]rein.Branch) api.Session {
	if m.Title != "" {
		info.Title = m.Title
	}
	session := api.Session{SessionInfo: info, Pinned: m.Pinned, Archived: m.Archived}
	if branch, ok := from[info.ID]; ok {
		session.BranchOf = &branch
	}
	return session
}

// session returns a session that the sender may see, as it is arranged.
func (s *server) session(ctx context.Context, id string, who rein.Identity) (api.Session, error) {
	var m page.Mark
	if s.Page != nil && who.Household != "" {
		var err error
		if m, err = s.Page.Mark(ctx, who.Household, id); err != nil {
			return api.Session{}, err
		}
	}
	from, err := s.branchesOf(ctx, who.Household)
	if err != nil {
		return api.Session{}, err
	}
	f := store.SessionFilter{Household: who.Household, IDs: []string{id}, For: answers(who), Adult: who.Role.IsAdult()}
	for info, err := range s.Store.Sessions(ctx, f) {
		if err != nil {
			return api.Session{}, err
		}
		if who.Sees(info.Household, info.User) {
			return arranged(info, m, from), nil
		}
	}
	return api.Session{}, noSession(id)
}

func (s *server) showSession(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	session, err := s.session(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, session)
}

func (s *server) changeSession(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedSession
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	session, err := s.session(ctx, r.PathValue("id"), who)
	if err != nil {
		return err
	}
	if !who.Changes(session.Household, session.User) {
		return rein.Errorf(rein.CodeForbidden, "session %.100q belongs to %s: as %s you may read it, but not change it", session.ID, session.User, who.Role)
	}
	change := page.Change{Title: body.Title, Pinned: body.Pinned, Archived: body.Archived}
	if _, err := s.Page.Change(ctx, session.Household, session.User, session.ID, change); err != nil {
		return err
	}
	s.Live.Session(session.Household, session.User, session.ID)
	if session, err = s.session(ctx, session.ID, who); err != nil {
		return err
	}
	return answer(w, http.StatusOK, session)
}

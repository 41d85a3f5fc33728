package server

import (
	"net/http"

	"rein"
	"rein/api"
	"rein/server/wire"
	"rein/vault/stage"
)

// A deskUser answers a request about changes of notes.
type deskUser func(w http.ResponseWriter, r *http.Request, desk stage.Person) error

// atDesk opens the desk of the workspace that a request names.
func (s *server) atDesk(do deskUser) handler {
	return func(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
		return s.useDesk(w, r, who, r.URL.Query().Get("workspace"), do)
	}
}

// useDeskOf opens the desk of the session that the path of a request names.
func (s *server) useDeskOf(w http.ResponseWriter, r *http.Request, who rein.Identity, do deskUser) error {
	workspace, err := s.workspaceOf(r, who)
	if err != nil {
		return err
	}
	return s.useDesk(w, r, who, workspace, do)
}

func (s *server) workspaceOf(r *http.Request, who rein.Identity) (string, error) {
	session := r.PathValue("session")
	if err := checkSession(session); err != nil {
		return "", err
	}
	if s.Notes == nil {
		return "", s.mayRead(who, "")
	}
	return s.Notes.WorkspaceOf(r.Context(), who, session)
}

func (s *server) useDesk(w http.ResponseWriter, r *http.Request, who rein.Identity, workspace string, do deskUser) error {
	if err := s.mayRead(who, workspace); err != nil {
		return err
	}
	ctx, cancel := lasting(r) // a connection that closes takes no commit with it
	defer cancel()
	desk, release, err := s.Notes.Desk(ctx, who, workspace)
	if err != nil {
		return err
	}
	defer release()
	return do(w, r.WithContext(ctx), desk)
}

// listStaged lists what the sender has staged. A session whose workspace they may not name any more is
// left out.
func (s *server) listStaged(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if s.Notes == nil {
		return s.mayRead(who, "")
	}
	only, found := r.URL.Query().Get("workspace"), api.StagedNotes{Sessions: []api.StagedSession{}}
	if only != "" {
		if err := s.mayName(r.Context(), rein.Task{Workspace: only}, who); err != nil {
			return err
		}
	}
	all, err := s.Notes.Staged(r.Context(), who)
	if err != nil {
		return err
	}
	for _, session := range all {
		workspace, err := s.Notes.WorkspaceOf(r.Context(), who, session)
		if err != nil {
			return err
		}
		if only != "" && workspace != only {
			continue
		}
		err = s.useDesk(w, r, who, workspace, func(_ http.ResponseWriter, r *http.Request, desk stage.Person) error {
			draft, err := desk.Draft(r.Context(), session)
			if err == nil && len(draft.Changes) > 0 {
				found.Sessions = append(found.Sessions, apiStaged(workspace, draft))
			}
			return err
		})
		switch rein.CodeOf(err) {
		case "", rein.CodeNotFound, rein.CodeForbidden, rein.CodeUnavailable:
		default:
			return err
		}
	}
	return answer(w, http.StatusOK, found)
}

func (s *server) showStaged(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	workspace, err := s.workspaceOf(r, who)
	if err != nil {
		return err
	}
	return s.useDesk(w, r, who, workspace, func(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
		draft, err := desk.Draft(r.Context(), r.PathValue("session"))
		switch {
		case err != nil:
			return err
		case len(draft.Changes) == 0:
			return rein.Errorf(rein.CodeNotFound, "nothing is staged in session %.100q: GET /v1/notes/staged lists the sessions that have staged changes", draft.Session)
		}
		told := apiStaged(workspace, draft)
		told.Diff = draft.Diff()
		return answer(w, http.StatusOK, told)
	})
}

// agreed reads what the sender agrees to, and the key that makes it one commit.
func agreed(w http.ResponseWriter, r *http.Request) (body api.Agreed, err error) {
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return body, err
	}
	key, err := keyOf(r)
	switch {
	case err != nil:
	case key != "" && body.Key != "" && key != body.Key:
		err = rein.Errorf(rein.CodeInvalid, "the key in the body is %.80q, and the header %s has another one: send only one of them", body.Key, idempotencyKey)
	case key != "":
		body.Key = key
	}
	return body, err
}

func (s *server) commitNotes(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	body, err := agreed(w, r)
	if err != nil {
		return err
	}
	return s.useDeskOf(w, r, who, func(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
		done, err := desk.Commit(r.Context(), r.PathValue("session"), body.Key, body.Shown)
		if err != nil {
			return err
		}
		return answer(w, http.StatusOK, apiCommit(done))
	})
}

func (s *server) discardNotes(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.Discard
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	return s.useDeskOf(w, r, who, func(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
		gone, err := desk.Discard(r.Context(), r.PathValue("session"), body.Paths)
		if err != nil {
			return err
		}
		return answer(w, http.StatusOK, api.Discarded{Discarded: append([]string{}, gone...)})
	})
}

func listCommits(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
	most := number(r, "limit", api.DefaultLimit)
	all, err := desk.History(r.Context(), r.URL.Query().Get("before"), most+1)
	if err != nil {
		return err
	}
	page := api.NoteCommits{Commits: []api.NoteCommit{}}
	if len(all) > most {
		all = all[:most]
		page.Next = all[most-1].ID
	}
	for _, c := range all {
		page.Commits = append(page.Commits, apiCommit(c))
	}
	return answer(w, http.StatusOK, page)
}

func showCommit(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
	u, err := desk.Look(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	told := apiCommit(u.Commit)
	told.Diff = u.Diff()
	if u.Shown != "" {
		told.Undo, told.Shown = u.UndoDiff(), u.Shown
	}
	return answer(w, http.StatusOK, told)
}

func (s *server) undoNotes(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	body, err := agreed(w, r)
	if err != nil {
		return err
	}
	return s.useDesk(w, r, who, r.URL.Query().Get("workspace"), func(w http.ResponseWriter, r *http.Request, desk stage.Person) error {
		done, err := desk.Undo(r.Context(), r.PathValue("id"), body.Key, body.Shown)
		if err != nil {
			return err
		}
		return answer(w, http.StatusOK, apiCommit(done))
	})
}

// stagedOperations are those of changes of notes. To commit and to undo is to approve, so they need what
// an answer needs.
func (s *server) stagedOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/notes/staged", name: "listStaged", tag: "notes", summary: "List your staged changes to notes, by session",
			needs: rein.ScopeRead, answers: ok(api.StagedNotes{}), do: s.listStaged,
			query: []parameter{{name: "workspace", about: "only changes in this workspace"}},
		},
		{
			method: "GET", path: "/v1/notes/staged/{session}", name: "showStaged", tag: "notes", summary: "Get what a session has staged, with the full diff and the digest that a commit must repeat",
			needs: rein.ScopeRead, answers: ok(api.StagedSession{}), do: s.showStaged,
		},
		{
			method: "POST", path: "/v1/notes/staged/{session}/commit", name: "commitNotes", tag: "notes", summary: "Commit what a session has staged: write all of it to the notes, or nothing if it is not what you were shown",
			needs: rein.ScopeAnswer, once: true, body: api.Agreed{}, answers: ok(api.NoteCommit{}), do: s.commitNotes,
		},
		{
			method: "POST", path: "/v1/notes/staged/{session}/discard", name: "discardNotes", tag: "notes", summary: "Discard what a session has staged, or only some of its notes",
			needs: rein.ScopeAct, body: api.Discard{}, answers: ok(api.Discarded{}), do: s.discardNotes,
		},
		{
			method: "GET", path: "/v1/notes/commits", name: "listCommits", tag: "notes", summary: "List the commits to notes by you and your runs, newest first",
			needs: rein.ScopeRead, answers: ok(api.NoteCommits{}), do: s.atDesk(listCommits),
			query: []parameter{
				inWorkspace,
				{name: "before", about: "only commits before this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/notes/commits/{id}", name: "showCommit", tag: "notes", summary: "Get a commit: what it changed, what an undo would change, and the digest that an undo must repeat",
			needs: rein.ScopeRead, answers: ok(api.NoteCommit{}), do: s.atDesk(showCommit), query: []parameter{inWorkspace},
		},
		{
			method: "POST", path: "/v1/notes/commits/{id}/undo", name: "undoNotes", tag: "notes", summary: "Undo a commit, if it is what you were shown and nobody has changed its notes since",
			needs: rein.ScopeAnswer, once: true, body: api.Agreed{}, answers: ok(api.NoteCommit{}), do: s.undoNotes, query: []parameter{inWorkspace},
		},
	}
}

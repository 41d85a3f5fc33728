package server

import (
	"rein/api"
	"rein/household/erase"
	"rein/vault"
	"rein/vault/index"
	"rein/vault/stage"
)

// The functions of this file turn what other packages return into the types of the API. They are written
// out so that a client of the API links none of those packages, and so that a field added there reaches
// the API only when somebody adds it here.

// each converts a list. The result is never nil, so that JSON has [] and not null.
func each[From, To any](all []From, one func(From) To) []To {
	out := make([]To, len(all))
	for i, v := range all {
		out[i] = one(v)
	}
	return out
}

// some is each for a list that JSON leaves out when it is empty.
func some[From, To any](all []From, one func(From) To) []To {
	if len(all) == 0 {
		return nil
	}
	return each(all, one)
}

func apiErasure(e erase.Erasure) api.Erasure {
	return api.Erasure{Target: api.Target(e.Target), Items: each(e.Items, apiThing), Left: e.Left, Shown: e.Shown}
}

func apiThing(t erase.Thing) api.Thing { return api.Thing(t) }

func apiVaultStatus(s vault.Status) api.VaultStatus {
	return api.VaultStatus{
		Notes: s.Notes, Skipped: s.Skipped, Missing: s.Missing, Embedder: s.Embedder,
		Progress: api.Progress(s.Progress), Notices: s.Notices,
	}
}

func apiEntry(e vault.Entry) api.Entry { return api.Entry(e) }

func apiFound(r vault.Results) api.NotesFound {
	return api.NotesFound{
		Hits: each(r.Hits, apiHit), Notices: r.Notices, Terms: some(r.Terms, apiTerm), About: some(r.About, apiAbout),
		TookMS: r.Took.Milliseconds(),
	}
}

func apiHit(h vault.Hit) api.Hit {
	return api.Hit{
		Path: h.Path, Section: h.Section, Score: h.Score, Snippet: h.Snippet, Title: h.Title, Start: h.Start, End: h.End,
		Hash: h.Hash, Block: h.Block, File: h.File, Why: (*api.Parts)(h.Why),
	}
}

func apiTerm(t index.Term) api.Term { return api.Term(t) }

func apiAbout(a vault.About) api.About {
	return api.About{Path: a.Path, Rank: a.Rank, Score: a.Score, Why: (*api.Parts)(a.Why), Says: a.Says}
}

func apiLinks(l vault.Links) api.LinkedNotes {
	return api.LinkedNotes{
		Path: l.Path, Links: each(l.Links, apiRef), Missing: l.Missing,
		Backlinks: each(l.Backlinks, apiRef), Related: each(l.Related, apiRef),
	}
}

func apiRef(r vault.Ref) api.Ref { return api.Ref(r) }

// apiStaged is what a session has staged, without the diff.
func apiStaged(workspace string, d stage.Draft) api.StagedSession {
	return api.StagedSession{Session: d.Session, Workspace: workspace, Shown: d.Shown, Notes: each(d.Changes, apiChange)}
}

func apiChange(c stage.Change) api.StagedNote {
	return api.StagedNote{
		Path: c.Path, BaseHash: c.BaseHash, Hash: c.Hash, Run: c.Run, Step: c.Step, Changed: c.Changed, Denied: c.Denied, Stale: c.Stale,
	}
}

// apiCommit is a commit without its diffs.
func apiCommit(c stage.Commit) api.NoteCommit {
	return api.NoteCommit{
		ID: c.ID, Undoes: c.Undoes, UndoneBy: c.UndoneBy, At: c.At, Notes: each(c.Notes, apiWritten),
		By: c.Place.User, Run: c.Run(), Session: c.Place.Session,
	}
}

func apiWritten(w stage.Written) api.Written {
	return api.Written{Path: w.Path, Before: w.Before, After: w.After}
}

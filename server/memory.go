package server

import (
	"net/http"
	"slices"
	"time"

	"rein"
	"rein/api"
	"rein/household/memory"
	"rein/household/recall"
	"rein/server/wire"
)

func (s *server) memoryOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/memories", name: "listMemories", tag: "memory", summary: "List what rein remembers of you, and what others said for everyone at home",
			needs: rein.ScopeRead, answers: ok(api.Memories{}), do: s.withMemory(s.listMemories),
			query: []parameter{{name: "q", about: "only what fits these words, by words and by meaning, the best first"}},
		},
		{
			method: "POST", path: "/v1/memories", name: "addMemory", tag: "memory", summary: "Have rein remember something about you. It takes the place of what you said before about the same",
			needs: rein.ScopeAct, body: api.NewMemory{}, answers: []reply{{status: http.StatusCreated, value: api.Memory{}}}, do: s.withMemory(s.addMemory),
		},
		{
			method: "GET", path: "/v1/memories/{id}", name: "showMemory", tag: "memory", summary: "Get a memory with what it replaced",
			needs: rein.ScopeRead, answers: ok(api.Memory{}), do: s.withMemory(s.showMemory),
		},
		{
			method: "PATCH", path: "/v1/memories/{id}", name: "changeMemory", tag: "memory", summary: "Change a memory of yours",
			needs: rein.ScopeAct, body: api.ChangedMemory{}, answers: ok(api.Memory{}), do: s.withMemory(s.changeMemory),
		},
		{
			method: "DELETE", path: "/v1/memories/{id}", name: "forgetMemory", tag: "memory", summary: "Forget a memory of yours, with what it had replaced and the summaries that quote it",
			needs: rein.ScopeAct, answers: ok(api.ForgottenMemory{}), do: s.withMemory(s.forgetMemory),
			query: []parameter{{name: "version", about: "that the memory has as far as you know; if it has another one now, nothing is forgotten (409)"}},
		},
		{
			method: "GET", path: "/v1/memory/counts", name: "countMemories", tag: "memory", summary: "Count what rein knows about you or, if you are an admin, about each user of your household. Only the user sees what it is",
			needs: rein.ScopeRead, answers: ok(api.MemoryCounts{}), do: s.withMemory(s.countMemories),
		},
		{
			method: "GET", path: "/v1/memory/export", name: "exportMemory", tag: "memory", summary: "Export all that rein knows about you: memories, preferences, snapshots and summaries",
			needs: rein.ScopeRead, answers: ok(api.MemoryExport{}), do: s.withMemory(s.exportMemory),
		},
		{
			method: "GET", path: "/v1/preferences", name: "listPreferences", tag: "memory", summary: "List your preferences and those of your household",
			needs: rein.ScopeRead, answers: ok(api.Preferences{}), do: s.withMemory(s.listPreferences),
		},
		{
			method: "PUT", path: "/v1/preferences/{name}", name: "setPreference", tag: "memory", summary: "Set a preference: allergies (a list with commas), diet, language, units, or any other name",
			needs: rein.ScopeAct, body: api.NewPreference{}, answers: ok(api.Preference{}), do: s.withMemory(s.setPreference),
		},
		{
			method: "DELETE", path: "/v1/preferences/{name}", name: "removePreference", tag: "memory", summary: "Remove a preference. Removing it again changes nothing",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withMemory(s.removePreference),
			query: []parameter{{name: "household", about: "remove the one of the household, not yours", flag: true}},
		},
	}
}

func (s *server) withMemory(do handler) handler {
	if s.Memory != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeUnavailable, "this process remembers nothing: send the request to the process that owns the data")
	}
}

// whoseMemory is whose memory a sender asks about: nobody reads that of another.
func whoseMemory(who rein.Identity) memory.Owner {
	return memory.Owner{Household: who.Household, User: who.User}
}

// mayWrite refuses a write that nobody could see the answer of, and one for everyone at home by somebody who does not answer
// for the household.
func mayWrite(who rein.Identity, wide bool) error {
	switch {
	case !who.May(rein.ScopeRead):
		return lacks(who, rein.ScopeRead)
	case wide && !who.Role.IsAdult():
		return rein.Errorf(rein.CodeForbidden, "what is for the whole household is for its adults to say: as %s you can say it for yourself", who.Role)
	}
	return nil
}

// remembered tells who sees what has changed.
func (s *server) remembered(who rein.Identity, wide bool) {
	user := who.User
	if wide {
		user = ""
	}
	s.Live.Household(who.Household, user, api.TopicMemory)
}

func (s *server) listMemories(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.Memory.List(r.Context(), whoseMemory(who), r.URL.Query().Get("q"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Memories{Memories: each(found, apiMemory)})
}

func (s *server) addMemory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewMemory
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if err := mayWrite(who, body.Household); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	m, err := s.Memory.Add(ctx, whoseMemory(who), memory.Memory{Text: body.Text, Kind: body.Kind, About: body.About, Scope: memoryScope(body.Household)})
	if err != nil {
		return err
	}
	s.remembered(who, body.Household)
	return answer(w, http.StatusCreated, apiMemory(m))
}

func memoryScope(wide bool) memory.Scope {
	if wide {
		return memory.ForHousehold
	}
	return memory.ForUser
}

func (s *server) showMemory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	m, err := s.Memory.Show(r.Context(), whoseMemory(who), r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, apiMemory(m))
}

func (s *server) changeMemory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.ChangedMemory
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if err := mayWrite(who, false); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	had, err := s.Memory.Show(ctx, whoseMemory(who), r.PathValue("id"))
	if err != nil {
		return err
	}
	edit := memory.Edit{Text: body.Text, Kind: body.Kind, About: body.About, Version: body.Version}
	wide := had.Scope == memory.ForHousehold
	if body.Household != nil {
		scope := memoryScope(*body.Household)
		edit.Scope, wide = &scope, wide || *body.Household
	}
	if err := mayWrite(who, wide); err != nil {
		return err
	}
	m, err := s.Memory.Change(ctx, whoseMemory(who), r.PathValue("id"), edit)
	if err != nil {
		return err
	}
	s.remembered(who, wide)
	return answer(w, http.StatusOK, apiMemory(m))
}

func (s *server) forgetMemory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := mayWrite(who, false); err != nil {
		return err
	}
	f, err := s.Memory.Forget(ctx, whoseMemory(who), r.PathValue("id"), r.URL.Query().Get("version"))
	if err != nil {
		return err
	}
	s.remembered(who, f.Memories[0].Scope == memory.ForHousehold)
	return answer(w, http.StatusOK, api.ForgottenMemory{ID: f.Memories[0].ID, Before: len(f.Memories) - 1, Summaries: f.Summaries, Snapshots: f.Snapshots})
}

func (s *server) countMemories(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	all, err := s.Memory.Counts(r.Context(), who.Household)
	if err != nil {
		return err
	}
	if !who.May(rein.ScopeAdmin) {
		all = slices.DeleteFunc(all, func(c memory.Count) bool { return c.User != who.User })
	}
	return answer(w, http.StatusOK, api.MemoryCounts{Users: each(all, func(c memory.Count) api.MemoryCount { return api.MemoryCount(c) })})
}

func (s *server) exportMemory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	e, err := s.Memory.Export(r.Context(), whoseMemory(who))
	if err != nil {
		return err
	}
	whole := api.MemoryExport{Household: who.Household, User: who.User, At: time.Now().UTC(), Preferences: each(e.Preferences, preferenceFor(who))}
	whole.Memories = each(e.Memories, func(m memory.Memory) api.Memory { return apiMemory(recall.Shown{Memory: m}) })
	whole.Snapshots = each(e.Snapshots, func(s memory.Snapshot) api.MemorySnapshot {
		return api.MemorySnapshot{Text: s.Text, Household: s.Scope == memory.ForHousehold, Source: s.Source, At: s.At, Expires: s.Expires}
	})
	whole.Summaries = each(e.Summaries, func(s memory.Summary) api.MemorySummary {
		return api.MemorySummary{Kind: string(s.Kind), About: s.About, Text: s.Text, From: s.From, At: s.At}
	})
	return answer(w, http.StatusOK, whole)
}

func (s *server) listPreferences(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.Memory.Preferences(r.Context(), whoseMemory(who))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Preferences{Preferences: each(list, preferenceFor(who))})
}

func (s *server) setPreference(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewPreference
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if err := mayWrite(who, body.Household); err != nil {
		return err
	}
	if body.Value == "" {
		return rein.Errorf(rein.CodeInvalid, "value is empty: say what it is to be, or send DELETE to remove the preference")
	}
	ctx, cancel := lasting(r)
	defer cancel()
	p, err := s.Memory.SetPreference(ctx, whoseMemory(who), memory.Preference{Name: r.PathValue("name"), Value: body.Value, Wide: body.Household})
	if err != nil {
		return err
	}
	s.remembered(who, body.Household)
	return answer(w, http.StatusOK, preferenceFor(who)(p))
}

func (s *server) removePreference(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	wide := flag(r, "household")
	if err := mayWrite(who, wide); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if _, err := s.Memory.SetPreference(ctx, whoseMemory(who), memory.Preference{Name: r.PathValue("name"), Wide: wide}); err != nil {
		return err
	}
	s.remembered(who, wide)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func apiMemory(s recall.Shown) api.Memory {
	m := api.Memory{
		ID: s.ID, User: s.User, Text: s.Text, Kind: s.Kind, About: s.About, Household: s.Scope == memory.ForHousehold, SaidBy: s.SaidBy,
		Source: s.Source, At: s.At, Edited: s.Edited, Version: s.Version(), ReplacedBy: s.ReplacedBy,
	}
	for _, before := range s.Before {
		m.Before = append(m.Before, apiMemory(recall.Shown{Memory: before}))
	}
	return m
}

// preferenceFor is a preference as a user sees it: in which run another set it is not theirs to know.
func preferenceFor(who rein.Identity) func(memory.Preference) api.Preference {
	return func(p memory.Preference) api.Preference {
		if p.Wide && p.By != who.User {
			p.Source = ""
		}
		return api.Preference{Name: p.Name, Value: p.Value, Household: p.Wide, By: p.By, Source: p.Source, At: p.At}
	}
}

package server

import (
	"net/http"
	"slices"

	"rein"
	"rein/api"
)

// operations is all that the API does, in the order of its documentation.
func (s *server) operations() []operation {
	return slices.Concat(s.runOperations(), s.askOperations(), s.sessionOperations(), s.noteOperations(), s.stagedOperations(), s.catalogueOperations(), s.recordOperations(), s.eraseOperations(), s.deliveryOperations(), s.peopleOperations(), s.workspaceOperations(), s.processOperations(), s.documentOperations())
}

func (s *server) runOperations() []operation {
	return []operation{
		{
			method: "POST", path: "/v1/runs", name: "startRun", tag: "runs", summary: "Start a run",
			needs: rein.ScopeAct, once: true, body: api.NewRun{}, do: s.startRun,
			answers: []reply{{status: http.StatusCreated, value: api.Started{}}, {status: http.StatusOK, value: api.Started{}}},
		},
		{
			method: "GET", path: "/v1/runs", name: "listRuns", tag: "runs", summary: "List runs",
			needs: rein.ScopeRead, answers: ok(api.Runs{}), do: s.listRuns,
			query: []parameter{
				{name: "session", about: "only those of this session"},
				{name: "tree", about: "only this run and everything below it"},
				{name: "status", about: "only those with this status", words: statuses},
				{name: "roots", about: "only those without a parent", flag: true},
				{name: "newest", about: "the newest first, not the oldest", flag: true},
				{name: "after", about: "only those that come after this run: the next of the page before"},
				{name: "limit", about: "at most so many", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/runs/{id}", name: "showRun", tag: "runs", summary: "One run",
			needs: rein.ScopeRead, answers: ok(api.Run{}), do: s.showRun,
		},
		{
			method: "GET", path: "/v1/runs/{id}/tree", name: "showTree", tag: "runs", summary: "A run with everything below it, what it is doing and what it waits for",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Node{}), do: s.showTree,
		},
		{
			method: "GET", path: "/v1/runs/{id}/events", name: "events", tag: "runs", summary: "The log of a run: a page of it, or a stream or WebSocket that goes on until the run ends",
			needs: rein.ScopeRead, do: s.events,
			answers: []reply{{status: http.StatusOK, value: api.Lines{}}, {status: http.StatusOK, media: "text/event-stream"}, {status: http.StatusSwitchingProtocols}},
			query: []parameter{
				{name: "after", about: "the cursor to go on from; empty: the beginning"},
				{name: "tree", about: "with everything below the run", flag: true},
				{name: "limit", about: "at most so many lines of a page", most: api.MaxLimit},
			},
		},
		{
			method: "POST", path: "/v1/runs/{id}/resume", name: "resumeRun", tag: "runs", summary: "Let a paused run go on, or try a blocked one again",
			needs: rein.ScopeAct, answers: ok(api.Run{}), do: s.resume,
		},
		{
			method: "POST", path: "/v1/commands", name: "command", tag: "runs", summary: "Send a run what you want of it: message, modify, comment, pause, resume, stop, cancel, delete, or the answer to an ask",
			needs: rein.ScopeRead, once: true, body: rein.Command{}, answers: ok(rein.Receipt{}), do: s.command,
		},
	}
}

func (s *server) askOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/asks", name: "listAsks", tag: "asks", summary: "List what waits, or waited, for a person",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Asks{}), do: s.listAsks,
			query: []parameter{
				{name: "tree", about: "only those of this run and everything below it"},
				{name: "state", about: "only those in this state", words: states},
				{name: "for", about: "only those that this user may answer"},
			},
		},
		{
			method: "GET", path: "/v1/asks/{id}", name: "showAsk", tag: "asks", summary: "One ask",
			needs: rein.ScopeRead, answers: ok(rein.Ask{}), do: s.showAsk,
			query: []parameter{{name: "reveal", about: "show secrets too; only the person asked may", flag: true}},
		},
		{
			method: "POST", path: "/v1/asks/{id}/answer", name: "answerAsk", tag: "asks", summary: "Answer an ask: approve it, as it is or edited, reject it with a reason, answer it, or decline to",
			needs: rein.ScopeAnswer, once: true, body: api.Answer{}, answers: ok(rein.Receipt{}), do: s.answerAsk,
		},
	}
}

func (s *server) sessionOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/sessions", name: "listSessions", tag: "sessions", summary: "List sessions, the newest first",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Sessions{}), do: s.listSessions,
			query: []parameter{
				{name: "after", about: "only those that come after this session: the next of the page before"},
				{name: "limit", about: "at most so many", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/sessions/{id}", name: "showSession", tag: "sessions", summary: "One session",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Session{}), do: s.showSession,
		},
		{
			method: "POST", path: "/v1/sessions/{id}/messages", name: "say", tag: "sessions", summary: "Say something in a session: it steers the run that is under way there, or starts one",
			needs: rein.ScopeAct, once: true, body: api.NewMessage{}, answers: ok(rein.Receipt{}), do: s.say,
		},
		{
			method: "GET", path: "/v1/sessions/{id}/files", name: "listFiles", tag: "sessions", summary: "The files of a session: what people brought and tools left",
			needs: rein.ScopeRead, answers: ok(api.Files{}), do: s.withShelf(s.listFiles),
		},
		{
			method: "GET", path: "/v1/sessions/{id}/files/{name}", name: "readFile", tag: "sessions", summary: "What is in a file of a session",
			needs: rein.ScopeRead, do: s.withShelf(s.readFile),
			answers: []reply{
				{status: http.StatusOK, media: "application/octet-stream"}, {status: http.StatusPartialContent, media: "application/octet-stream"}, {status: http.StatusNotModified},
			},
		},
		{
			method: "PUT", path: "/v1/sessions/{id}/files/{name}", name: "putFile", tag: "sessions", summary: "Bring a file to a session, in place of one with this name",
			needs: rein.ScopeAct, media: "*/*", answers: ok(rein.File{}), do: s.withShelf(s.putFile),
		},
		{
			method: "DELETE", path: "/v1/sessions/{id}/files/{name}", name: "deleteFile", tag: "sessions", summary: "Take a file away from a session",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withShelf(s.deleteFile),
		},
	}
}

func (s *server) catalogueOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/flows", name: "listFlows", tag: "catalogue", summary: "The ways of working that a run can have",
			needs: rein.ScopeRead, answers: ok(api.Flows{}), do: s.listFlows,
		},
		{
			method: "GET", path: "/v1/presets", name: "listPresets", tag: "catalogue", summary: "Tasks that were prepared, by name",
			needs: rein.ScopeRead, answers: ok(api.Presets{}), do: s.listPresets,
		},
		{
			method: "GET", path: "/v1/tools", name: "listTools", tag: "catalogue", summary: "The tools that a run can be given",
			needs: rein.ScopeRead, answers: ok(api.Tools{}), do: s.listTools,
		},
		{
			method: "GET", path: "/v1/models", name: "listModels", tag: "catalogue", summary: "The models that a run can ask",
			needs: rein.ScopeRead, answers: ok(api.Models{}), do: s.listModels,
		},
	}
}

func (s *server) recordOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/usage", name: "usage", tag: "records", summary: "What runs have used: your own, or the household's if you manage it",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Usage{}), do: s.usage,
			query: []parameter{
				{name: "by", about: "what is summed up", words: sumsBy},
				{name: "user", about: "only the runs of this user"},
				{name: "zone", about: "the time zone of days; UTC if it is not given"},
			},
		},
		{
			method: "GET", path: "/v1/limits", name: "limits", tag: "records", summary: "What you use of what you may: runs under way, frames, bytes, tokens and money of the day; the whole household and each user if you manage it",
			needs: rein.ScopeRead, answers: ok(api.Limits{}), do: s.limits,
		},
		{
			method: "GET", path: "/v1/audit", name: "audit", tag: "records", summary: "Who did what, from the logs, the newest first: your own runs, or the household's if you manage it",
			needs: rein.ScopeRead, answers: ok(api.Acts{}), do: s.audit,
			query: []parameter{
				{name: "tree", about: "only of this run and everything below it"},
				{name: "user", about: "only of the runs of this user"},
				{name: "by", about: "only what this user did"},
				{name: "before", about: "only what was before: the next of the page before"},
				{name: "limit", about: "at most so many", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/audit/head", name: "lastHead", tag: "records", summary: "The newest checkpoint: one hash over every log, people's records and the checkpoint before; for admins of the household that the server belongs to",
			needs: rein.ScopeAdmin, later: true, answers: ok(api.Checkpoint{}), do: s.lastHead,
		},
		{
			method: "POST", path: "/v1/audit/head", name: "newHead", tag: "records", summary: "Make a checkpoint",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusCreated, value: api.Checkpoint{}}}, do: s.newHead,
		},
	}
}

func (s *server) processOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/health", name: "health", tag: "process", summary: "Which process this is, and how it is",
			needs: rein.ScopeRead, answers: ok(api.Health{}), do: s.health,
		},
		{
			method: "GET", path: "/healthz", name: "alive", tag: "process", summary: "Whether the process answers",
			answers: ok(api.Alive{}), do: s.alive,
		},
		{
			method: "GET", path: "/readyz", name: "ready", tag: "process", summary: "Whether the process takes work",
			answers: ok(api.Alive{}), do: s.ready,
		},
	}
}

func (s *server) peopleOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/me", name: "me", tag: "people", summary: "Who you are here",
			needs: rein.ScopeRead, answers: ok(api.Me{}), do: s.me,
		},
		{
			method: "GET", path: "/v1/users", name: "listUsers", tag: "people", summary: "The users of the household: all of them if you manage it, else yourself",
			needs: rein.ScopeRead, answers: ok(api.Users{}), do: s.withPeople(s.listUsers),
		},
		{
			method: "POST", path: "/v1/users", name: "addUser", tag: "people", summary: "Add a user to the household",
			needs: rein.ScopeAdmin, body: api.NewUser{}, answers: []reply{{status: http.StatusCreated, value: rein.UserInfo{}}}, do: s.withPeople(s.addUser),
		},
		{
			method: "PATCH", path: "/v1/users/{name}", name: "changeUser", tag: "people", summary: "Change a user's role, or disable or enable them",
			needs: rein.ScopeAdmin, body: api.ChangedUser{}, answers: ok(rein.UserInfo{}), do: s.withPeople(s.changeUser),
		},
		{
			method: "POST", path: "/v1/users/{name}/link", name: "newLink", tag: "people", summary: "Make a link that logs a browser of the user in, once",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusCreated, value: api.LoginLink{}}}, do: s.withPeople(s.newLink),
		},
		{
			method: "POST", path: "/v1/users/{name}/logout", name: "logoutUser", tag: "people", summary: "Log every browser of the user out",
			needs: rein.ScopeRead, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.logoutUser),
		},
		{
			method: "GET", path: "/v1/tokens", name: "listTokens", tag: "people", summary: "Tokens, without their secrets: the household's if you manage it, else your own",
			needs: rein.ScopeRead, answers: ok(api.Tokens{}), do: s.withPeople(s.listTokens),
		},
		{
			method: "POST", path: "/v1/tokens", name: "newToken", tag: "people", summary: "Make a token. It is told this once",
			needs: rein.ScopeRead, body: api.NewToken{}, answers: []reply{{status: http.StatusCreated, value: api.MadeToken{}}}, do: s.withPeople(s.newToken),
		},
		{
			method: "DELETE", path: "/v1/tokens/{id}", name: "revokeToken", tag: "people", summary: "Revoke a token at once",
			needs: rein.ScopeRead, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.revokeToken),
		},
		{
			method: "GET", path: "/v1/changes", name: "listChanges", tag: "people", summary: "What was done to the people of the household, the oldest first",
			needs: rein.ScopeAdmin, answers: ok(api.Changes{}), do: s.withPeople(s.listChanges),
			query: []parameter{
				{name: "after", about: "only what came after: the next of the page before"},
				{name: "limit", about: "at most so many", most: api.MaxLimit},
			},
		},
	}
}

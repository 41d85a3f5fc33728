package server

import (
	"net/http"
	"slices"

	"rein"
	"rein/api"
)

// operations is all that the API does, in the order of its documentation.
func (s *server) operations() []operation {
	return slices.Concat(s.runOperations(), s.liveOperations(), s.feedbackOperations(), s.stepOperations(), s.againOperations(), s.verifyOperations(), s.changeOperations(), s.backgroundOperations(), s.askOperations(), s.messageOperations(), s.channelOperations(), s.pairingOperations(), s.hookOperations(), s.ruleOperations(), s.sessionOperations(), s.arrangeOperations(), s.branchOperations(), s.noteOperations(), s.stagedOperations(), s.catalogueOperations(), s.presetOperations(), s.recordOperations(), s.agendaOperations(), s.eraseOperations(), s.deliveryOperations(), s.peopleOperations(), s.householdOperations(), s.keptOperations(), s.secretOperations(), s.listOperations(), s.memoryOperations(), s.scheduleOperations(), s.workspaceOperations(), s.mcpOperations(), s.trustOperations(), s.processOperations(), s.documentOperations())
}

func (s *server) runOperations() []operation {
	return []operation{
		{
			method: "POST", path: "/v1/runs", name: "startRun", tag: "runs", summary: "Start a run. With `Accept: text/event-stream`, the answer is the stream of the run",
			needs: rein.ScopeAct, once: true, body: api.NewRun{}, do: s.startRun, answers: startReplies(), query: startQuery(),
		},
		{
			method: "GET", path: "/v1/runs", name: "listRuns", tag: "runs", summary: "List runs. A page that searches may have fewer runs than you asked for, or none, and a `next`",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Runs{}), do: s.listRuns,
			query: []parameter{
				{name: "session", about: "only runs of this session"},
				{name: "tree", about: "only this run and everything below it"},
				{name: "status", about: "only runs with this status", words: statuses},
				{name: "q", about: "only runs with this text in their title or in what people typed"},
				{name: "flow", about: "only runs of this flow"},
				{name: "user", about: "only runs of this user"},
				{name: "workspace", about: "only runs in this workspace"},
				{name: "since", about: "only runs that began then or later", time: true},
				{name: "min_micros", about: "only roots whose trees cost at least this, in millionths of the currency unit", most: 1 << 53},
				{name: "roots", about: "only runs without a parent", flag: true},
				{name: "newest", about: "list the newest first instead of the oldest", flag: true},
				{name: "after", about: "only runs after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/runs/{id}", name: "showRun", tag: "runs", summary: "Get a run",
			needs: rein.ScopeRead, answers: ok(api.ShownRun{}), do: s.showRun,
		},
		{
			method: "GET", path: "/v1/runs/{id}/tree", name: "showTree", tag: "runs", summary: "Get a run with its children, the steps it is working on, and its open asks",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Node{}), do: s.showTree,
		},
		{
			method: "GET", path: "/v1/runs/{id}/budget", name: "showBudget", tag: "runs", summary: "Get the budget of a tree of runs, and what it has used",
			needs: rein.ScopeRead, answers: ok(api.TreeBudget{}), do: s.showBudget,
		},
		{
			method: "GET", path: "/v1/runs/{id}/todo", name: "showTodo", tag: "runs", summary: "Get the list of things to do that the model keeps: the newest one of the run or, if it has none, of the runs before it in its session",
			needs: rein.ScopeRead, answers: ok(rein.Todo{}), do: s.showTodo,
		},
		{
			method: "GET", path: "/v1/runs/{id}/images/{sha256}", name: "readImage", tag: "runs", summary: "Download an image that the log of a run names: of its task, or one that a tool returned",
			needs: rein.ScopeRead, do: s.readImage,
			answers: []reply{
				{status: http.StatusOK, media: "image/*"}, {status: http.StatusPartialContent, media: "image/*"}, {status: http.StatusNotModified},
			},
		},
		{
			method: "GET", path: "/v1/runs/{id}/receipts", name: "listReceipts", tag: "runs", summary: "List the receipts of the commands to a run: what happened to each",
			needs: rein.ScopeRead, answers: ok(api.Receipts{}), do: s.listReceipts,
		},
		{
			method: "GET", path: "/v1/runs/{id}/events", name: "events", tag: "runs", summary: "Read the log of a run: one page, or a stream or WebSocket that follows the run until it ends",
			needs: rein.ScopeRead, do: s.events,
			answers: []reply{{status: http.StatusOK, value: api.Lines{}}, {status: http.StatusOK, media: eventStream}, {status: http.StatusSwitchingProtocols}},
			query: []parameter{
				{name: "after", about: "the cursor to continue from; empty: the beginning"},
				{name: "tree", about: "include all runs below this one", flag: true},
				{name: "limit", about: "how many lines a page has at most", most: api.MaxLimit},
			},
		},
		{
			method: "POST", path: "/v1/runs/{id}/resume", name: "resumeRun", tag: "runs", summary: "Resume a paused run, or retry a blocked one",
			needs: rein.ScopeAct, answers: ok(api.Run{}), do: s.resume,
		},
		{
			method: "POST", path: "/v1/commands", name: "command", tag: "runs", summary: "Send a command to a run: message, modify, comment, pause, resume, mode, stop, cancel, delete, or answer",
			needs: rein.ScopeRead, once: true, body: rein.Command{}, answers: ok(rein.Receipt{}), do: s.command,
		},
	}
}

func (s *server) askOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/asks", name: "listAsks", tag: "asks", summary: "List asks: everything that waits, or waited, for a person",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Asks{}), do: s.listAsks,
			query: []parameter{
				{name: "tree", about: "only asks of this run and the runs below it"},
				{name: "state", about: "only asks in this state", words: states},
				{name: "for", about: "only asks that this user may answer"},
				{name: "after", about: "only asks after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/asks/{id}", name: "showAsk", tag: "asks", summary: "Get an ask",
			needs: rein.ScopeRead, answers: ok(rein.Ask{}), do: s.showAsk,
			query: []parameter{{name: "reveal", about: "show secrets too; only the person who must answer may do this", flag: true}},
		},
		{
			method: "POST", path: "/v1/asks/{id}/answer", name: "answerAsk", tag: "asks", summary: "Answer an ask: approve it (as shown or edited), reject it with a reason, answer it, or decline",
			needs: rein.ScopeAnswer, once: true, body: api.Answer{}, answers: ok(rein.Receipt{}), do: s.answerAsk,
		},
	}
}

func (s *server) sessionOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/sessions", name: "listSessions", tag: "sessions", summary: "List sessions: pinned ones first, then the one whose newest run began last",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Sessions{}), do: s.listSessions,
			query: []parameter{
				{name: "q", about: "only sessions with this text in their title or in what people typed"},
				{name: "archived", about: "list the archived sessions instead of the others", flag: true},
				{name: "user", about: "only sessions of this user"},
				{name: "after", about: "only sessions after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/sessions/{id}", name: "showSession", tag: "sessions", summary: "Get a session",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Session{}), do: s.showSession,
		},
		{
			method: "POST", path: "/v1/sessions/{id}/messages", name: "say", tag: "sessions", summary: "Send a message to a session. It steers the active run, or starts one",
			needs: rein.ScopeAct, once: true, body: api.NewMessage{}, answers: ok(rein.Receipt{}), do: s.say,
		},
		{
			method: "GET", path: "/v1/sessions/{id}/files", name: "listFiles", tag: "sessions", summary: "List the files of a session: those that people uploaded and those that tools wrote",
			needs: rein.ScopeRead, answers: ok(api.Files{}), do: s.withShelf(s.listFiles),
		},
		{
			method: "GET", path: "/v1/sessions/{id}/files/{name}", name: "readFile", tag: "sessions", summary: "Download a file of a session",
			needs: rein.ScopeRead, do: s.withShelf(s.readFile),
			answers: []reply{
				{status: http.StatusOK, media: "application/octet-stream"}, {status: http.StatusPartialContent, media: "application/octet-stream"}, {status: http.StatusNotModified},
			},
		},
		{
			method: "PUT", path: "/v1/sessions/{id}/files/{name}", name: "putFile", tag: "sessions", summary: "Upload a file to a session. It replaces a file with the same name",
			needs: rein.ScopeAct, media: "*/*", answers: ok(rein.File{}), do: s.withShelf(s.putFile),
		},
		{
			method: "DELETE", path: "/v1/sessions/{id}/files/{name}", name: "deleteFile", tag: "sessions", summary: "Delete a file from a session",
			needs: rein.ScopeAct, answers: []reply{{status: http.StatusNoContent}}, do: s.withShelf(s.deleteFile),
		},
	}
}

func (s *server) catalogueOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/flows", name: "listFlows", tag: "catalogue", summary: "List the flows: the ways of working that a run can use",
			needs: rein.ScopeRead, answers: ok(api.Flows{}), do: s.listFlows,
		},
		{
			method: "GET", path: "/v1/tools", name: "listTools", tag: "catalogue", summary: "List the tools that a run can use",
			needs: rein.ScopeRead, answers: ok(api.Tools{}), do: s.listTools,
		},
		{
			method: "GET", path: "/v1/models", name: "listModels", tag: "catalogue", summary: "List the models that a run can use",
			needs: rein.ScopeRead, answers: ok(api.Models{}), do: s.listModels,
		},
	}
}

func (s *server) recordOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/usage", name: "usage", tag: "records", summary: "Get what runs have used: your own, or those of the whole household if you are an admin",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Usage{}), do: s.usage,
			query: []parameter{
				{name: "by", about: "how to group the totals", words: sumsBy},
				{name: "user", about: "only the runs of this user"},
				{name: "zone", about: "the time zone of the days; default: UTC"},
				{name: "after", about: "by session: only sessions after this one: `next` of the previous page"},
				{name: "limit", about: "by session: how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/limits", name: "limits", tag: "records", summary: "Get your limits and what you have used of them: active runs, frames per hour, bytes, and tokens and money per day. Admins see the household and each user",
			needs: rein.ScopeRead, answers: ok(api.Limits{}), do: s.limits,
		},
		{
			method: "GET", path: "/v1/audit", name: "audit", tag: "records", summary: "List who did what, newest first: in your own runs, or in those of the whole household if you are an admin",
			needs: rein.ScopeRead, answers: ok(api.Acts{}), do: s.audit,
			query: []parameter{
				{name: "tree", about: "only acts in this run and the runs below it"},
				{name: "user", about: "only acts in runs of this user"},
				{name: "by", about: "only acts by this user"},
				{name: "before", about: "only acts before this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
		{
			method: "GET", path: "/v1/audit/head", name: "lastHead", tag: "records", summary: "Get the newest checkpoint: one hash over every log, the records about people, and the previous checkpoint. Only for admins of the household that owns the server",
			needs: rein.ScopeAdmin, later: true, answers: ok(api.Checkpoint{}), do: s.lastHead,
		},
		{
			method: "POST", path: "/v1/audit/head", name: "newHead", tag: "records", summary: "Create a checkpoint",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusCreated, value: api.Checkpoint{}}}, do: s.newHead,
		},
	}
}

func (s *server) processOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/health", name: "health", tag: "process", summary: "Get the version and the state of the process",
			needs: rein.ScopeRead, answers: ok(api.Health{}), do: s.health,
		},
		{
			method: "GET", path: "/healthz", name: "alive", tag: "process", summary: "Check that the process answers",
			answers: ok(api.Alive{}), do: s.alive,
		},
		{
			method: "GET", path: "/readyz", name: "ready", tag: "process", summary: "Check that the process accepts work",
			answers: ok(api.Alive{}), do: s.ready,
		},
	}
}

func (s *server) peopleOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/me", name: "me", tag: "people", summary: "Get who you are",
			needs: rein.ScopeRead, answers: ok(api.Me{}), do: s.me,
		},
		{
			method: "GET", path: "/v1/users", name: "listUsers", tag: "people", summary: "List the users of the household. If you are not an admin, the list has only you",
			needs: rein.ScopeRead, answers: ok(api.Users{}), do: s.withPeople(s.listUsers),
		},
		{
			method: "POST", path: "/v1/users", name: "addUser", tag: "people", summary: "Add a user to the household",
			needs: rein.ScopeAdmin, body: api.NewUser{}, answers: []reply{{status: http.StatusCreated, value: rein.UserInfo{}}}, do: s.withPeople(s.addUser),
		},
		{
			method: "PATCH", path: "/v1/users/{name}", name: "changeUser", tag: "people", summary: "Change a user's role, or disable or enable the user",
			needs: rein.ScopeAdmin, body: api.ChangedUser{}, answers: ok(rein.UserInfo{}), do: s.withPeople(s.changeUser),
		},
		{
			method: "POST", path: "/v1/users/{name}/link", name: "newLink", tag: "people", summary: "Create a link that logs the user in to a browser, once",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusCreated, value: api.LoginLink{}}}, do: s.withPeople(s.newLink),
		},
		{
			method: "POST", path: "/v1/users/{name}/logout", name: "logoutUser", tag: "people", summary: "Log the user out of every browser",
			needs: rein.ScopeRead, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.logoutUser),
		},
		{
			method: "GET", path: "/v1/tokens", name: "listTokens", tag: "people", summary: "List tokens, without their secrets: your own, or those of the whole household if you are an admin",
			needs: rein.ScopeRead, answers: ok(api.Tokens{}), do: s.withPeople(s.listTokens),
		},
		{
			method: "POST", path: "/v1/tokens", name: "newToken", tag: "people", summary: "Create a token. The answer shows its secret; nothing shows it again",
			needs: rein.ScopeRead, body: api.NewToken{}, answers: []reply{{status: http.StatusCreated, value: api.MadeToken{}}}, do: s.withPeople(s.newToken),
		},
		{
			method: "DELETE", path: "/v1/tokens/{id}", name: "revokeToken", tag: "people", summary: "Revoke a token. It stops working at once",
			needs: rein.ScopeRead, answers: []reply{{status: http.StatusNoContent}}, do: s.withPeople(s.revokeToken),
		},
		{
			method: "GET", path: "/v1/changes", name: "listChanges", tag: "people", summary: "List the changes to users, tokens and logins of the household, oldest first",
			needs: rein.ScopeAdmin, answers: ok(api.Changes{}), do: s.withPeople(s.listChanges),
			query: []parameter{
				{name: "after", about: "only changes after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
	}
}
